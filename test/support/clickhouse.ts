// ClickHouse for tests: the engine in a process of its own, and what tests ask of it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { perFile } from "./per-test.ts";
import { isServerRequired, makeFolder } from "./spawned.ts";

export interface ClickhouseRequest {
  readonly statement: string;
  /** Of its URL. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Clickhouse {
  readonly addr: string;
  /** Runs statements beside the HTTP interface. @returns rows of the last one, as JSONCompactEachRow */
  run(statements: string): Promise<unknown[][]>;
  /** Adds nullable columns that are missing to `points`, of the types of these values. */
  addColumns(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Every request so far. */
  requests(): Promise<readonly ClickhouseRequest[]>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

export interface ClickhouseOptions {
  /** Who may ask, as `user:password`; default: anybody. */
  readonly account?: string;
  /** Settings of the account that hold for every request. */
  readonly profile?: Readonly<Record<string, string>>;
}

type Serve = (options?: ClickhouseOptions) => Promise<Clickhouse>;

interface Engine {
  /** Starts it with a table `default.points` of a time and nothing else; one at a time. */
  readonly serve: Serve;
  end(): Promise<void>;
}

const START_MS = 60_000;
const program = join(import.meta.dir, "clickhouse-engine.ts");

/** Why tests against the engine cannot run here; undefined where they can. */
export const clickhouseMissing: string | undefined = findMissing();

if (clickhouseMissing) console.warn(clickhouseMissing);

/** It is installed for Linux on x64 with glibc, unless optional packages are left out. */
function findMissing(): string | undefined {
  const { exitCode, signalCode, stderr } = Bun.spawnSync([process.execPath, program], {
    stdin: "ignore",
    stdout: "ignore",
  });
  if (exitCode === 0) return undefined;
  const reason = /^error: (.+)/m.exec(stderr.toString())?.[1] ?? signalCode ?? `exit code ${exitCode}`;
  const missing = `the ClickHouse engine cannot be loaded (${reason}); its tests are skipped`;
  if (isServerRequired && process.platform === "linux" && process.arch === "x64") throw new Error(missing);
  return missing;
}

async function startEngine(): Promise<Engine> {
  if (clickhouseMissing) throw new Error(clickhouseMissing);
  const child = Bun.spawn([process.execPath, program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const url = `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`;
  const ask = async (path: string, body = ""): Promise<string> => {
    const response = await fetch(`${url}/${path}`, { method: "POST", body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  return {
    serve: (options) => serveFolder(ask, options),
    async end() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function serveFolder(
  ask: (path: string, body?: string) => Promise<string>,
  options: ClickhouseOptions = {},
): Promise<Clickhouse> {
  const dir = makeFolder("clickhouse");
  const port = await ask("serve", JSON.stringify({ dir, options }));
  const known = new Set<string>();
  return {
    addr: `127.0.0.1:${port}`,
    requests: async () => JSON.parse(await ask("requests")),
    async run(statements) {
      const text = await ask("run", statements);
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    async addColumns(values) {
      const missing = Object.entries(values).filter(([name, value]) => value !== null && !known.has(name));
      const parts = missing.map(
        ([name, value]) => `ADD COLUMN IF NOT EXISTS ${quoteName(name)} Nullable(${typeFor(value)})`,
      );
      if (parts.length > 0) await ask("run", `ALTER TABLE points ${parts.join(", ")}`);
      for (const [name] of missing) known.add(name);
    },
    async stop() {
      await ask("stop");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** One server on an engine of its own, which takes a second to start. */
export async function startClickhouse(options?: ClickhouseOptions): Promise<Clickhouse> {
  const engine = await startEngine();
  const server = await engine.serve(options);
  const stop = async () => {
    await server.stop();
    await engine.end();
  };
  return { ...server, stop };
}

/** One engine for all tests of the `describe` around the call. @returns starts a server on it */
export function shareClickhouse(): Serve {
  const engine = perFile(startEngine, ({ end }) => end(), START_MS);
  return (options) => engine.serve(options);
}

function quoteName(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

function typeFor(value: unknown): string {
  return typeof value === "number" ? "Float64" : typeof value === "boolean" ? "Bool" : "String";
}
