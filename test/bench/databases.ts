// Benchmark: verbs of the store on SQLite and on a PostgreSQL of this machine; commits of both wait for the disk.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/models/stats/median.ts";
import { openStore, type Store } from "../../src/store/db/open.ts";
import { claimJob, finishJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { createModel, loadModel, patchModels } from "../../src/store/models.ts";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { aModel } from "../support/builders.ts";
import { owner, postgresMissing, startPostgres } from "../support/postgres.ts";
import { resultText } from "../support/result-text.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const MODELS = 1000;
const ROUNDS = 7;
/** Calls of a verb in a round. */
const CALLS = 200;

/** Runs a measurement on both databases; on SQLite alone where PostgreSQL is not installed. */
export async function withDatabases<T>(
  measure: (stores: Readonly<Record<string, Store>>) => Promise<T>,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "torus-bench-"));
  const sqlite = openStore({ dir: join(dir, "sqlite") });
  if (postgresMissing) console.log(postgresMissing);
  const server = postgresMissing ? undefined : await startPostgres({ fsync: true });
  const url = server && `postgres://${owner.user}:${owner.password}@${server.addr}/${server.database}`;
  const postgres = url === undefined ? undefined : await openPostgres({ url, dir: join(dir, "postgres") });
  try {
    return await measure({ sqlite, ...(postgres && { postgres }) });
  } finally {
    sqlite.close();
    await postgres?.close();
    await server?.stop();
    rmSync(dir, { recursive: true });
  }
}

type Verb = (store: Store, i: number) => Promise<unknown>;

const modelOf = (i: number) => `service-${i % MODELS}-latency`;
const ending = { at: 2, owner: "bench" };

async function runJob(store: Store, i: number): Promise<void> {
  const job = { id: crypto.randomUUID(), type: "forecast", model: modelOf(i), input: {} } as const;
  await submitJobs(store, [job], { at: 1, maxWaiting: 1000 });
  await claimJob(store, ["forecast"], ending);
  await finishJob(store, { id: job.id, ...ending }, resultText({ done: true }));
}

const verbs: Readonly<Record<string, Verb>> = {
  "read a model": (store, i) => loadModel(store, modelOf(i)),
  "change a model": (store, i) =>
    patchModels(store, [modelOf(i)], {
      at: i,
      change: (settings) => ({ ...settings, max_threshold: 50 + (i % 50) }),
    }),
  "submit, claim and finish a job": runJob,
};

/** Time per call, median of rounds interleaved over the databases, µs. */
async function compareVerbs(stores: Readonly<Record<string, Store>>): Promise<Row[]> {
  for (const store of Object.values(stores))
    for (let i = 0; i < MODELS; i++) {
      const name = modelOf(i);
      await createModel(store, { name, settings: aModel({ name }) }, 1);
    }
  const rows: Row[] = [];
  for (const [verb, call] of Object.entries(verbs)) {
    const taken = Object.entries(stores).map(([state, store]) => ({ state, store, times: [] as number[] }));
    for (let round = 0; round < ROUNDS; round++)
      for (const { store, times } of taken) {
        const startedAt = performance.now();
        for (let i = 0; i < CALLS; i++) await call(store, round * CALLS + i);
        times.push(((performance.now() - startedAt) / CALLS) * 1000);
      }
    const own = Object.fromEntries(taken.map(({ state, times }) => [`${state} µs`, medianOf(times)]));
    rows.push({ verb, ...own });
  }
  return rows;
}

export const databases: Part = {
  name: "databases",
  title: "Verbs of the store, by where the state is (one after the other, median of rounds)",
  run: () => withDatabases(compareVerbs),
};

if (import.meta.main) await runAlone(databases);
