// Benchmark: recording of evaluations in the state database, alone and in groups that share a commit.
import { medianOf } from "../../src/models/stats/median.ts";
import { type EvaluationRecord, recordAll } from "../../src/store/anomalies/evaluations.ts";
import type { Store } from "../../src/store/db/open.ts";
import { loadDue, startLive } from "../../src/store/live.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { withDatabases } from "./databases.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { cpuNow } from "./time.ts";

const MODELS = 2000;
/** All models have as many evaluations as are kept. */
const WARM_UP_ROUNDS = 22;
const ROUNDS = 10;
const GROUPS = [1, 100];
const INTERVAL_MS = 60_000;

/** Of some 1.4 kB, as of a model with one feature. */
const memory = { at: 1_795_132_800_000, ranks: Array.from({ length: 120 }, (_, i) => (i * 7919) % 1000) };

/** Live models in a database. `record` records one evaluation of each. */
async function prepareRecords(store: Store) {
  const names = Array.from({ length: MODELS }, (_, i) => `service-${i}-latency`);
  for (const name of names) await createModel(store, { name, settings: aModel({ name }) }, 1);
  const starts = names.map((model) => {
    const state = { run: crypto.randomUUID(), memory, rejected: { f: memory.ranks } };
    return { model, options: { detect: true }, untrained: true, state };
  });
  await startLive(store, starts, { at: 1, ending: { reason: "", describe: () => undefined } });
  let slot = 0;

  async function recordOf(model: string): Promise<EvaluationRecord> {
    const { row: before } = (await loadDue(store, model))!;
    const windowAt = slot * INTERVAL_MS;
    const times = { windowAt, evaluatedAt: windowAt + 40, durationMs: 12, intervalMs: INTERVAL_MS };
    const found = { outcome: "ok", score: slot % 97, episodes: [], events: [] } as const;
    return { model, before, slot, missed: 0, ...times, ...found, state: { ...before.state, slot } };
  }

  return {
    /** @returns time per evaluation, µs: wall, and CPU of this thread; the rows are read outside of it */
    async record(groupSize: number): Promise<{ readonly wallUs: number; readonly cpuUs: number }> {
      slot++;
      let [wallMs, cpuMs] = [0, 0];
      for (let i = 0; i < MODELS; i += groupSize) {
        const records = await Promise.all(names.slice(i, i + groupSize).map(recordOf));
        const [wallAt, cpuAt] = [performance.now(), cpuNow()];
        const recorded = await recordAll(store, records);
        wallMs += performance.now() - wallAt;
        cpuMs += cpuNow() - cpuAt;
        if (recorded.includes(false)) throw new Error("an evaluation was refused");
      }
      return { wallUs: (wallMs / MODELS) * 1000, cpuUs: (cpuMs / MODELS) * 1000 };
    },
  };
}

/** Medians of rounds, interleaved over all databases: a slow moment of the machine hits all alike. */
export async function compareRecords(stores: Readonly<Record<string, Store>>): Promise<Row[]> {
  const rows: Row[] = [];
  const prepared = await Promise.all(
    Object.entries(stores).map(async ([state, store]) => ({ state, ...(await prepareRecords(store)) })),
  );
  for (const { record } of prepared) for (let round = 0; round < WARM_UP_ROUNDS; round++) await record(100);
  for (const groupSize of GROUPS) {
    const taken = prepared.map(({ state, record }) => ({
      ...{ state, record },
      ...{ walls: [] as number[], cpus: [] as number[] },
    }));
    for (let round = 0; round < ROUNDS; round++)
      for (const { record, walls, cpus } of taken) {
        const { wallUs, cpuUs } = await record(groupSize);
        walls.push(wallUs);
        cpus.push(cpuUs);
      }
    for (const { state, walls, cpus } of taken)
      rows.push({ state, "per commit": groupSize, "wall µs": medianOf(walls), "CPU µs": medianOf(cpus) });
  }
  return rows;
}

export const records: Part = {
  name: "records",
  title: "Recording an evaluation (per evaluation, median of rounds)",
  run: () => withDatabases(compareRecords),
};

if (import.meta.main) await runAlone(records);
