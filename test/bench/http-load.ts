// Load on one address over kept-alive connections: by wrk if installed, otherwise by plain sockets.
export interface LoadOptions {
  readonly url: string;
  /** One path per connection, in turn; default: that of `url`. By sockets. */
  readonly paths?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Times in ms. */
export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Measured extends Load {
  /** CPU time of the server per request, µs, that of concurrent work included: least distorted by a busy machine. */
  readonly cpuUs: number;
}

/** As `load`, with the CPU time of the server. */
export async function measureLoad(options: LoadOptions): Promise<Measured> {
  const { url, seconds, headers } = options;
  const before = await readCpu(url, headers);
  const found = await load(options);
  const spent = (await readCpu(url, headers)) - before;
  return { ...found, cpuUs: spent / (found.perSecond * seconds) };
}

/** CPU time of a server so far, user and system, in µs, from its metrics. */
export async function readCpu(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const text = await (await fetch(new URL("/metrics", url), { headers })).text();
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(text)![1]) * 1_000_000;
}

/** Every connection repeats its request on each response. @throws Error on a status other than 200 */
export function load(options: LoadOptions): Promise<Load> {
  return Bun.which("wrk") && !options.paths ? loadByWrk(options) : loadBySockets(options);
}

/** What keeps a process on one core; nothing where that cannot be done. */
export function pinTo(core: number): string[] {
  return Bun.which("taskset") && navigator.hardwareConcurrency > core ? ["taskset", "-c", `${core}`] : [];
}

async function loadByWrk({ url, connections, seconds, headers = {} }: LoadOptions): Promise<Load> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const size = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency"];
  const child = Bun.spawn([...pinTo(0), "wrk", ...size, ...sent, url], { stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0 || /Non-2xx|Socket errors/.test(text)) throw new Error(`${url}: ${text}`);
  const timeOf = (label: string) => {
    const [, value, unit] = new RegExp(`${label}\\s+([\\d.]+)(us|ms|s)`).exec(text)!;
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"];
  };
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]);
  return { perSecond, p50: timeOf("50%"), p99: timeOf("99%") };
}

async function loadBySockets({ url, paths, connections, seconds, headers = {} }: LoadOptions): Promise<Load> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const requests = (paths ?? [pathname + search]).map(
    (path) => `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`,
  );
  const times: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const run = (_: unknown, i: number) => {
    const request = requests[i % requests.length]!;
    return runConnection({ hostname, port: Number(port), request, endsAt, times });
  };
  await Promise.all(Array.from({ length: connections }, run));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

interface Connection {
  readonly hostname: string;
  readonly port: number;
  readonly request: string;
  readonly endsAt: number;
  readonly times: number[];
}

function runConnection({ hostname, port, request, endsAt, times }: Connection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sentAt = 0;
  let missing = 0;
  const ask = (socket: { write(text: string): number }) => {
    sentAt = performance.now();
    socket.write(request);
  };
  const receive = (socket: { write(text: string): number; end(): void }, data: Uint8Array) => {
    missing = missing > 0 ? missing - data.length : measureRest(data);
    if (missing > 0) return;
    times.push(performance.now() - sentAt);
    if (performance.now() < endsAt) return ask(socket);
    socket.end();
    resolve();
  };
  const data = (socket: Parameters<typeof receive>[0], bytes: Uint8Array) => {
    try {
      receive(socket, bytes);
    } catch (error) {
      socket.end();
      reject(error);
    }
  };
  const error = (_socket: unknown, reason: Error) => reject(reason);
  void Bun.connect({ hostname, port, socket: { open: ask, data, error } }).catch(reject);
  return promise;
}

/** Bytes of an answer that are still to come after its first ones. */
function measureRest(data: Uint8Array): number {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", 0, 2048);
  const head = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith("HTTP/1.1 200") || head < 0 || length === undefined)
    throw new Error(`unexpected answer: ${text.slice(0, 200)}`);
  return head + 4 + Number(length) - data.length;
}
