// A real Prometheus and a real vmagent push what they scrape; the server is killed meanwhile: no sample is missing.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeCertificate } from "../support/certificate.ts";
import { temporaryFolder } from "../support/folder.ts";
import { prometheusMissing } from "../support/prometheus.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { findFreePort, isServerRequired, makeFolder, spawnServer } from "../support/spawned.ts";

const KILLS = 3;
const LEAST = 40;
const WAIT_MS = 40_000;
const TOKEN = "torus_a-secret-of-sufficient-length-here";
const vmagent = Bun.which("vmagent");
if (prometheusMissing) console.warn(prometheusMissing);
if (!vmagent)
  console.warn("vmagent is not installed (apt-get install -y victoria-metrics); its test is skipped");

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** An exporter whose counter rises by one at each scrape. */
function startExporter(): string {
  let scrapes = 0;
  const exporter = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(`# TYPE scrapes_total counter\nscrapes_total{path="/a b"} ${++scrapes}\nodd NaN\n`),
  });
  ends.push(() => exporter.stop(true));
  return `127.0.0.1:${exporter.port}`;
}

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  const endsAt = performance.now() + WAIT_MS;
  let last: unknown;
  while (performance.now() < endsAt) {
    try {
      const found = await read();
      if (found !== undefined) return found;
    } catch (error) {
      last = error;
    }
    await Bun.sleep(50);
  }
  throw new Error(`${what} did not happen: ${last}`);
}

type Sample = readonly [at: number, value: string];

/** All samples of the counter. */
async function samplesOf(base: string, init: RequestInit & { tls?: object } = {}): Promise<Sample[]> {
  const params = new URLSearchParams({ query: "scrapes_total[1h]" });
  const response = await fetch(`${base}/api/v1/query?${params}`, init);
  const { data } = (await response.json()) as { data: { result: { values: Sample[] }[] } };
  return data.result[0]?.values ?? [];
}

function scrapeConfig(target: string) {
  return {
    global: { scrape_interval: "100ms", scrape_timeout: "100ms" },
    scrape_configs: [{ job_name: "edge", static_configs: [{ targets: [target] }] }],
  };
}

const queue = { batch_send_deadline: "100ms", min_backoff: "30ms", max_backoff: "300ms" };

async function startPrometheus(config: object): Promise<string> {
  const dir = makeFolder("prometheus");
  const addr = `127.0.0.1:${findFreePort()}`;
  await Bun.write(join(dir, "prometheus.yml"), JSON.stringify(config));
  ends.push(
    await spawnServer({
      dir,
      command: [
        "prometheus",
        ...[`--config.file=${join(dir, "prometheus.yml")}`, `--storage.tsdb.path=${join(dir, "data")}`],
        `--web.listen-address=${addr}`,
      ],
      isReady: async () => (await fetch(`http://${addr}/-/ready`)).ok,
    }),
  );
  return `http://${addr}`;
}

describe.skipIf(prometheusMissing !== undefined && !isServerRequired)("Prometheus", () => {
  test("killed and started again while it pushes: every sample that it scraped arrives, and none is refused", async () => {
    const [dataDir, port] = [temporaryFolder(), findFreePort()];
    const start = () => startServer({ dataDir, args: ["--listen", `127.0.0.1:${port}`] });
    let server: ServerProcess = await start();
    ends.push(() => server.kill());
    const url = `http://127.0.0.1:${port}`;
    const remote = { url: `${url}/api/v1/write?bucket=pushed`, queue_config: queue };
    const prometheus = await startPrometheus({ ...scrapeConfig(startExporter()), remote_write: [remote] });
    for (let kill = 0; kill <= KILLS; kill++) {
      const before = (await samplesOf(`${url}/prometheus`)).length;
      await until(
        "a sample",
        async () => (await samplesOf(`${url}/prometheus`)).length > before + 5 || undefined,
      );
      if (kill === KILLS) break;
      await server.kill();
      // It goes on to scrape, and cannot push.
      const scraped = (await samplesOf(prometheus)).length;
      await until("a scrape", async () => (await samplesOf(prometheus)).length > scraped + 3 || undefined);
      server = await start();
    }
    const scraped = await until("enough scrapes", async () => {
      const samples = await samplesOf(prometheus);
      return samples.length >= LEAST ? samples : undefined;
    });
    const last = scraped.at(-1)![0];
    const stored = await until("the last sample", async () => {
      const samples = await samplesOf(`${url}/prometheus`);
      return samples.at(-1)?.[0] !== undefined && samples.at(-1)![0] >= last ? samples : undefined;
    });
    expect(stored.filter(([at]) => at <= last)).toEqual(scraped);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/torus_received_points_total\{protocol="remote_write"\} [1-9]/);
    expect(metrics).not.toMatch(/torus_refused_points_total\{protocol="remote_write",.*\} [1-9]/);
    const failed = await (await fetch(`${prometheus}/metrics`)).text();
    expect(failed).toMatch(/^prometheus_remote_storage_samples_failed_total\{.*\} 0$/m);
  }, 180_000);

  test("over TLS with a token in a file, as the documents say", async () => {
    const { certFile, key, cert } = makeCertificate();
    const dir = temporaryFolder();
    const keyFile = join(dir, "key.pem");
    const config = join(dir, "torus.yml");
    await Bun.write(keyFile, key);
    await Bun.write(join(dir, "token"), TOKEN);
    const tls = { cert: certFile, key: keyFile };
    const auth = { tokens: [{ name: "prometheus", scope: "run", token: TOKEN }] };
    await Bun.write(config, JSON.stringify({ server: { tls, auth } }));
    const server = await startServer({ dataDir: join(dir, "data"), args: ["--config", config] });
    ends.push(() => server.kill());
    const remote = {
      url: `${server.url}/api/v1/write?bucket=pushed`,
      queue_config: queue,
      authorization: { credentials_file: join(dir, "token") },
      tls_config: { ca_file: certFile },
    };
    await startPrometheus({ ...scrapeConfig(startExporter()), remote_write: [remote] });
    const init = { headers: { authorization: `Bearer ${TOKEN}` }, tls: { ca: cert } };
    await until(
      "a sample",
      async () => (await samplesOf(`${server.url}/prometheus`, init)).length > 0 || undefined,
    );
  }, 180_000);
});

test.skipIf(!vmagent)(
  "vmagent pushes into a bucket, also after the server was killed",
  async () => {
    const [dataDir, port] = [temporaryFolder(), findFreePort()];
    const start = () => startServer({ dataDir, args: ["--listen", `127.0.0.1:${port}`] });
    let server = await start();
    ends.push(() => server.kill());
    const url = `http://127.0.0.1:${port}`;
    const dir = makeFolder("vmagent");
    const addr = `127.0.0.1:${findFreePort()}`;
    const config = join(dir, "scrape.yml");
    await Bun.write(config, JSON.stringify(scrapeConfig(startExporter())));
    ends.push(
      await spawnServer({
        dir,
        command: [
          vmagent!,
          ...[`-promscrape.config=${config}`, `-remoteWrite.url=${url}/api/v1/write?bucket=vm`],
          ...[`-remoteWrite.tmpDataPath=${join(dir, "queue")}`, `-httpListenAddr=${addr}`],
          // One queue: of several, a later one overtakes what is sent again.
          ...["-remoteWrite.flushInterval=200ms", "-remoteWrite.queues=1"],
        ],
        isReady: async () => (await fetch(`http://${addr}/health`)).ok,
      }),
    );
    const seen = async () => (await samplesOf(`${url}/prometheus`)).length;
    await until("a sample", async () => (await seen()) > 5 || undefined);
    await server.kill();
    server = await start();
    const before = await seen();
    await until("a later sample", async () => (await seen()) > before + 10 || undefined);
    // One sample per scrape, in order: the exporter counted them. On a busy machine a scrape takes too long, and
    // its sample is not there to be sent.
    const values = (await samplesOf(`${url}/prometheus`)).map(([, value]) => Number(value));
    const metrics = await (await fetch(`http://${addr}/metrics`)).text();
    const failures = metrics.matchAll(/^vm_promscrape_scrapes_(?:failed|timed_out)_total (\d+)/gm);
    const unscraped = failures.reduce((sum, [, count]) => sum + Number(count), 0);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(values.at(-1)! - values[0]! + 1 - values.length).toBeLessThanOrEqual(unscraped);
  },
  60_000,
);
