// Real InfluxDB 1.x on free ports, in a temporary folder that is removed afterwards.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { findFreePort, makeFolder } from "./spawned.ts";

const binary = Bun.which("influxd");

/** Why tests against the real server cannot run here; undefined where they can. */
export const influxdMissing: string | undefined = binary
  ? undefined
  : "influxd is not installed (apt-get install -y --no-install-recommends influxdb); its tests are skipped";

export interface Influxd {
  /** `host:port`. */
  readonly addr: string;
  /** Of the process that was started last. */
  readonly pid: number;
  /** Runs a statement, as the administrator where there is one, and answers the parsed results. */
  query(statement: string, database?: string): Promise<InfluxResult[]>;
  /** Writes line protocol as other programs would. */
  write(lines: string, database: string): Promise<void>;
  /** Kills the process, its data stays. */
  kill(): Promise<void>;
  /** Stops the process as if its machine hung; connections stay open. */
  pause(): void;
  /** Lets a paused process go on. */
  resume(): void;
  /** Starts it again on the same port and data; ready when it answers. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface InfluxResult {
  readonly error?: string;
  readonly series?: { name: string; columns: string[]; values?: (string | number | boolean | null)[][] }[];
}

/** The administrator of a server with authentication. */
export const admin = { user: "root", password: "admin-pw" };

/** Starts a server; with `auth` every request needs a user, and `admin` is the first one. */
export async function startInfluxd({ auth = false } = {}): Promise<Influxd> {
  const dir = makeFolder("influxd");
  const [port, backupPort] = [findFreePort(), findFreePort()];
  const addr = `127.0.0.1:${port}`;
  await Bun.write(join(dir, "influxdb.conf"), renderConfig({ dir, addr, backupPort, auth }));
  const headers: Record<string, string> = auth
    ? { Authorization: `Basic ${btoa(`${admin.user}:${admin.password}`)}` }
    : {};
  let child: Bun.Subprocess | undefined;

  const server: Influxd = {
    addr,
    get pid() {
      return child!.pid;
    },
    async query(statement, db = "") {
      const body = new URLSearchParams({ q: statement });
      const response = await fetch(`http://${addr}/query?db=${db}&epoch=ms`, {
        method: "POST",
        headers,
        body,
      });
      const { results, error } = (await response.json()) as { results?: InfluxResult[]; error?: string };
      const failure = error ?? results?.find((result) => result.error)?.error;
      if (failure) throw new Error(failure);
      return results!;
    },
    async write(lines, database) {
      const url = `http://${addr}/write?db=${database}`;
      const response = await fetch(url, { method: "POST", headers, body: lines });
      if (!response.ok) throw new Error(await response.text());
    },
    async kill() {
      child?.kill("SIGKILL");
      await child?.exited;
    },
    pause: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    async start() {
      child = Bun.spawn([binary!, "-config", join(dir, "influxdb.conf")], {
        stdout: "ignore",
        stderr: Bun.file(join(dir, "influxd.log")),
      });
      await untilReady(addr, child);
    },
    async stop() {
      await server.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await server.start();
  if (auth)
    await server.query(`create user "${admin.user}" with password '${admin.password}' with all privileges`);
  return server;
}

function renderConfig(options: { dir: string; addr: string; backupPort: number; auth: boolean }): string {
  const { dir, addr, backupPort, auth } = options;
  return `reporting-disabled = true
bind-address = "127.0.0.1:${backupPort}"
[meta]
  dir = "${dir}/meta"
[data]
  dir = "${dir}/data"
  wal-dir = "${dir}/wal"
[http]
  bind-address = "${addr}"
  auth-enabled = ${auth}
  log-enabled = false
[monitor]
  store-enabled = false
`;
}

/** Polls /ping; a process that ends before it answers is an error, with the end of its log. */
async function untilReady(addr: string, child: Bun.Subprocess): Promise<void> {
  const endsAt = performance.now() + 20_000;
  while (child.exitCode === null && performance.now() < endsAt) {
    const answer = await fetch(`http://${addr}/ping`).catch(() => undefined);
    if (answer?.status === 204) return;
    await Bun.sleep(20);
  }
  child.kill("SIGKILL");
  throw new Error(`influxd on ${addr} did not get ready (exit code ${child.exitCode})`);
}
