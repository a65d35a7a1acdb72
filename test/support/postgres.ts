// Real PostgreSQL on a free port: a cluster in a temporary folder that is removed afterwards.
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findFreePort, makeFolder, spawnServer } from "./spawned.ts";

const folders = [17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`);
/** Folder of the programs. */
export const programs = folders.find((folder) => existsSync(join(folder, "initdb")));
export const isRoot = process.getuid?.() === 0;

/** Why tests against the real server cannot run here; undefined where they can. */
export const postgresMissing: string | undefined = programs
  ? undefined
  : "postgresql is not installed (apt-get install -y --no-install-recommends postgresql); its tests are skipped";

/** Who owns the cluster. */
export const owner = { user: "postgres", password: "MARKER-owner-pw" };

export interface Postgres {
  readonly addr: string;
  readonly database: string;
  /** Runs statements as the owner, over a connection of their own. */
  run(statements: string): Promise<void>;
  /** Connects as the owner; to be closed. */
  connect(): Bun.SQL;
  /** Ends it at once, as a crash would; `resume` starts it on the same port and data. */
  crash(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresOptions {
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether commits wait for the disk; default: no. */
  readonly fsync?: boolean;
}

/** Starts one; with `tls` it speaks TLS too. */
export async function startPostgres({ tls, fsync = false }: PostgresOptions = {}): Promise<Postgres> {
  const dir = makeFolder("postgres");
  const data = join(dir, "data");
  const port = findFreePort();
  const secret = join(dir, "password");
  await Bun.write(secret, owner.password);
  if (isRoot) openTo("postgres", dir);
  const init = ["--auth=scram-sha-256", `--username=${owner.user}`, `--pwfile=${secret}`, "--no-sync"];
  const { exitCode, stderr } = Bun.spawnSync(asPostgres([join(programs!, "initdb"), "-D", data, ...init]));
  if (exitCode !== 0) throw new Error(stderr.toString());
  const settings: Record<string, string> = {
    fsync: fsync ? "on" : "off",
    shared_buffers: "16MB",
    timezone: "Asia/Kolkata",
  };
  if (tls) {
    for (const [name, text] of Object.entries(tls)) await writeOwned(join(data, `${name}.pem`), text);
    Object.assign(settings, { ssl: "on", ssl_cert_file: "cert.pem", ssl_key_file: "key.pem" });
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const where = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", dir];
  const connect = () =>
    new Bun.SQL({
      ...{ hostname: "127.0.0.1", port, database: "postgres", max: 1 },
      ...{ username: owner.user, password: owner.password, prepare: false },
    });
  const run = async (statements: string) => {
    const sql = connect();
    try {
      await sql.unsafe(statements);
    } finally {
      await sql.close({ timeout: 0 });
    }
  };
  const command = asPostgres([join(programs!, "postgres"), ...where, ...flags]);
  const isReady = async () => {
    await run("select 1");
    return true;
  };
  const removeAll = await spawnServer({ command, dir, isReady });
  let resumed: Bun.Subprocess | undefined;
  const crash = async () => {
    const pid = Number((await Bun.file(join(data, "postmaster.pid")).text()).split("\n")[0]);
    process.kill(pid, "SIGQUIT");
    while (existsSync(`/proc/${pid}`) && !isEnded(pid)) await Bun.sleep(10);
  };
  const resume = async () => {
    resumed = Bun.spawn(command, { stdout: "ignore", stderr: "ignore", stdin: "ignore" });
    while (!(await isReady().catch(() => false))) await Bun.sleep(20);
  };
  const stop = async () => {
    resumed?.kill("SIGKILL");
    await resumed?.exited;
    await removeAll();
  };
  return { addr: `127.0.0.1:${port}`, database: "postgres", run, connect, crash, resume, stop };
}

/** Whether a process has ended, and only waits for its parent. */
function isEnded(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** The server refuses to be root. */
export function asPostgres(command: string[]): string[] {
  if (!isRoot) return command;
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command];
}

/** Gives the folder to a user, who must be able to get there. */
export function openTo(user: string, dir: string): void {
  chmodSync(dirname(dir), 0o711);
  Bun.spawnSync(["chown", "-R", user, dir]);
}

async function writeOwned(path: string, text: string): Promise<void> {
  await Bun.write(path, text);
  chmodSync(path, 0o600);
  if (isRoot) Bun.spawnSync(["chown", "postgres", path]);
}
