// Two real PostgreSQL: a primary whose commits wait for its standby, which can be promoted.
import { join } from "node:path";
import { asPostgres, isRoot, openTo, owner, programs } from "./postgres.ts";
import { findFreePort, makeFolder, spawnServer } from "./spawned.ts";

export interface PostgresPair {
  readonly primary: string;
  readonly standby: string;
  /** Ends all processes of the primary at once. */
  killPrimary(): Promise<void>;
  /** The standby takes writes from now on. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  readonly addr: string;
  readonly data: string;
  stop(): Promise<void>;
}

/** Starts both; a commit on the primary is answered when the standby has it on its disk. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const dir = makeFolder("postgres-primary");
  const secret = join(dir, "password");
  await Bun.write(secret, owner.password);
  if (isRoot) openTo("postgres", dir);
  const data = join(dir, "data");
  const init = ["--auth=scram-sha-256", `--username=${owner.user}`, `--pwfile=${secret}`, "--no-sync"];
  await runProgram("initdb", ["-D", data, ...init]);
  // Until the standby follows, no commit waits for it.
  const primary = await startNode(dir, data);
  const standby = await startStandby(primary);
  await alter(primary, "synchronous_standby_names = '*'");
  const query = "select count(*) ::int as n from pg_stat_replication where sync_state = 'sync'";
  while ((await ask(primary, query)) !== 1) await Bun.sleep(20);
  return {
    primary: primary.addr,
    standby: standby.addr,
    killPrimary: async () => {
      const pid = Number((await Bun.file(join(data, "postmaster.pid")).text()).split("\n")[0]);
      process.kill(pid, "SIGKILL");
      // Its server processes end when they find it gone; a connection is refused from then on.
      while (await ask(primary, "select 1 as n").catch(() => undefined)) await Bun.sleep(10);
    },
    promote: () => runProgram("pg_ctl", ["promote", "-w", "-D", standby.data]),
    stop: async () => {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function startStandby(primary: Node): Promise<Node> {
  const dir = makeFolder("postgres-standby");
  if (isRoot) openTo("postgres", dir);
  const data = join(dir, "data");
  const [host = "", port = ""] = primary.addr.split(":");
  const from = ["-h", host, "-p", port, "-U", owner.user, "-D", data];
  await runProgram("pg_basebackup", [...from, "-X", "stream", "--checkpoint=fast", "--write-recovery-conf"]);
  return startNode(dir, data);
}

async function startNode(dir: string, data: string): Promise<Node> {
  const port = findFreePort();
  const addr = `127.0.0.1:${port}`;
  const where = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", dir, "-c", "shared_buffers=16MB"];
  const command = asPostgres([join(programs!, "postgres"), ...where]);
  const isReady = async () => (await ask({ addr }, "select 1 as n")) === 1;
  return { addr, data, stop: await spawnServer({ command, dir, isReady }) };
}

async function runProgram(name: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, PGPASSWORD: owner.password };
  const command = asPostgres([join(programs!, name), ...args]);
  // The server that pg_ctl signals, and those that inherit a pipe, would keep it open.
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${name}: ${said}`);
}

async function alter(node: Node, setting: string): Promise<void> {
  await withClient(node, async (sql) => {
    await sql.unsafe(`alter system set ${setting}`);
    await sql.unsafe("select pg_reload_conf()");
  });
}

/** @returns `n` of the first row */
function ask(node: Pick<Node, "addr">, query: string): Promise<unknown> {
  return withClient(node, async (sql) => (await sql.unsafe(query))[0]?.n);
}

async function withClient<T>({ addr }: Pick<Node, "addr">, work: (sql: Bun.SQL) => Promise<T>): Promise<T> {
  const [hostname = "", port = ""] = addr.split(":");
  const sql = new Bun.SQL({
    ...{ hostname, port: Number(port), database: "postgres", max: 1, prepare: false },
    ...{ username: owner.user, password: owner.password, connectionTimeout: 5 },
  });
  try {
    return await work(sql);
  } finally {
    await sql.close({ timeout: 0 });
  }
}
