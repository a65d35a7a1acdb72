// Command: thousands of live models on three nodes through a kill, a pause and an outage; fails where the database finds
// a window recorded twice or lost. Arguments: models, interval in s, `trained` or `learning`.
import { medianOf } from "../../src/models/stats/median.ts";
import { type Row, show } from "../bench/part.ts";
import { readUsage } from "../bench/process.ts";
import { type Postgres, startPostgres } from "../support/postgres.ts";
import { type ClusterNode, countShards, readAudit, startNode, until, untilShared } from "./nodes.ts";
import {
  countRecords,
  makeModels,
  makeSource,
  modelsOf,
  nextRecords,
  type WorldSize,
} from "./scale-world.ts";

const PAUSE_MS = 12_000;
const OUTAGE_MS = 12_500;
const TAKEN_MS = 120_000;
const MEASURED_MS = 60_000;
const names = ["a", "b", "c"];

function parseSize([models = "10000", interval = "60", state = "trained"]: readonly string[]): WorldSize {
  if (state !== "trained" && state !== "learning") throw new Error("the third argument: trained or learning");
  return { models: Number(models), intervalS: Number(interval), isTrained: state === "trained" };
}

const startOne = (name: string, { addr }: Postgres) =>
  startNode({ name, addr, env: { TORUS_CLUSTER_LEASE: "5s" } });

interface Running {
  readonly postgres: Postgres;
  readonly nodes: ClusterNode[];
  readonly intervalMs: number;
}

async function measureOperation({ postgres, nodes, intervalMs }: Running): Promise<Row[]> {
  const usages = () => nodes.map(({ server }) => readUsage(server.pid));
  const [before, recorded, beganAt] = [usages(), await countRecords(postgres), performance.now()];
  await Bun.sleep(Math.max(MEASURED_MS, intervalMs));
  const spanS = (performance.now() - beganAt) / 1000;
  const perSecond = ((await countRecords(postgres)) - recorded) / spanS;
  return usages().map(({ cpuS, residentMb, peakMb }, i) => ({
    ...{ node: names[i]!, "CPU cores": (cpuS - before[i]!.cpuS) / spanS, MB: residentMb, "peak MB": peakMb },
    "evaluations/s of all": perSecond,
  }));
}

interface Failure {
  readonly what: string;
  /** The node that it hits; absent: all. */
  readonly node?: string;
  readonly fail: () => Promise<void>;
  readonly mend: () => Promise<void>;
}

/** Times are those from the failure of a node, or from the end of one that hits all. */
async function measureFailure(
  { postgres, intervalMs }: Running,
  { what, node, fail, mend }: Failure,
): Promise<Row> {
  const models = node === undefined ? undefined : await modelsOf(postgres, node);
  const { missed } = await readAudit(postgres, intervalMs);
  const failedAt = Date.now();
  await fail();
  if (node !== undefined) await untilTaken(postgres, node);
  await mend();
  const sinceS = (node === undefined ? Date.now() : failedAt) / 1000;
  await untilShared(postgres, ...names);
  await Bun.sleep(2 * intervalMs);
  const times = await nextRecords(postgres, sinceS, models);
  const audit = await readAudit(postgres, intervalMs);
  const ends = { "first s": times[0]!, "median s": medianOf(times), "last s": times.at(-1)! };
  return { what, "evaluated again": times.length, ...ends, missed: audit.missed - missed };
}

function untilTaken(postgres: Postgres, node: string): Promise<void> {
  const areTaken = async () => {
    const counts = await countShards(postgres);
    return !counts.has(node) && [...counts.values()].reduce((sum, n) => sum + n, 0) === 1024;
  };
  return until(`the shards of ${node} are taken`, areTaken, TAKEN_MS);
}

async function measureFailures(running: Running): Promise<Row[]> {
  const { postgres, nodes } = running;
  const { pid } = nodes[0]!.server;
  const rows: Row[] = [];
  const failures: Failure[] = [
    {
      ...{ what: "kill -9", node: "c", fail: () => nodes[2]!.server.kill() },
      mend: async () => {
        nodes[2] = await startOne("c", postgres);
      },
    },
    {
      ...{ what: "SIGSTOP 12 s", node: "a" },
      fail: async () => {
        process.kill(pid, "SIGSTOP");
        await Bun.sleep(PAUSE_MS);
      },
      mend: async () => void process.kill(pid, "SIGCONT"),
    },
    {
      what: "PostgreSQL away 12.5 s",
      fail: async () => {
        await postgres.crash();
        await Bun.sleep(OUTAGE_MS);
      },
      mend: () => postgres.resume(),
    },
  ];
  for (const failure of failures) rows.push(await measureFailure(running, failure));
  return rows;
}

async function run(size: WorldSize): Promise<boolean> {
  const [postgres, source] = [await startPostgres({ fsync: true }), await startPostgres()];
  const nodes: ClusterNode[] = [];
  const running = { postgres, nodes, intervalMs: size.intervalS * 1000 };
  try {
    await makeSource(source, size);
    await makeModels(postgres, source, size);
    const startedAt = performance.now();
    for (const name of names) nodes.push(await startOne(name, postgres));
    await untilShared(postgres, ...names);
    console.log(`three nodes share the shards after ${Math.round(performance.now() - startedAt)} ms`);
    // All were due at once; from the second interval on each has its own place.
    await Bun.sleep(2 * running.intervalMs);
    show("In operation", await measureOperation(running));
    show("Failures, and evaluations of the models afterwards", await measureFailures(running));
    const found = await readAudit(postgres, running.intervalMs);
    show("What the database has seen", [{ ...found }]);
    return found.twice === 0 && found.lost === 0;
  } finally {
    await Promise.all(nodes.map(({ server }) => server.kill()));
    await Promise.all([postgres.stop(), source.stop()]);
  }
}

process.exitCode = (await run(parseSize(Bun.argv.slice(2)))) ? 0 : 1;
