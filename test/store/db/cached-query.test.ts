// Cached queries: never older than the database after any write, and their answers cannot be changed.
import { expect, spyOn, test } from "bun:test";
import { expireDeliveries } from "../../../src/store/anomalies/deliveries.ts";
import { recordAll, recordEvaluation, recordFailure } from "../../../src/store/anomalies/evaluations.ts";
import { recordApplied } from "../../../src/store/applied.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { loadBucket, patchBuckets, putBucket, removeBuckets } from "../../../src/store/buckets.ts";
import { type CachedTable, createStoreCache, readCached } from "../../../src/store/db/cached-query.ts";
import { probeWrite } from "../../../src/store/db/statistics.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { cancelJobs, claimJob, finishJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { sweepJobs } from "../../../src/store/jobs/recovery.ts";
import { listJobs, loadJob } from "../../../src/store/jobs/rows.ts";
import { loadLive, saveOutputProblems, startLive, stopLive } from "../../../src/store/live.ts";
import { createModel, listModels, loadModel, patchModels } from "../../../src/store/models.ts";
import { claimSlot } from "../../../src/store/scheduled-runs.ts";
import { markUsed } from "../../../src/store/tokens.ts";
import { finishTraining, restoreVersion } from "../../../src/store/versions.ts";
import { aBucket, aModel } from "../../support/builders.ts";
import { resultText } from "../../support/result-text.ts";
import { breakAt, testSqlite, useStore } from "../temporary.ts";

const store = useStore();

const page = { offset: 0, limit: 50, descending: false };
const ending = { reason: "", describe: () => undefined };
const training = { id: "t", type: "training", model: "m", input: {} } as const;
const evaluated = { model: "m", intervalMs: 60, windowAt: 60, evaluatedAt: 61, durationMs: 1, missed: 0 };
const version = { model: "m", fromAt: 0, toAt: 1, summary: {}, settings: aModel(), parameters: {} };

/** The answers to all cached queries. */
async function look(): Promise<string> {
  const or = async (asked: Promise<unknown>) => asked.catch((error: Error) => error.message);
  const answers = [
    or(loadBucket(store, "b")),
    or(loadModel(store, "m")),
    listModels(store),
    listModels(store, { ...page, descending: true }),
    or(loadJob(store, "t")),
    listJobs(store, { ...page, by: "id" }),
    loadLive(store, "m"),
  ];
  return JSON.stringify(await Promise.all(answers), (_key, value) => value ?? null);
}

const steps: Record<string, () => Promise<unknown>> = {
  "a bucket": () => putBucket(store, { name: "b", kind: "local", settings: aBucket() }, 1),
  "its change": () => patchBuckets(store, ["b"], { at: 2, change: () => aBucket({ x: 1 }) }),
  "a model": () => createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 1),
  "its settings": () => patchModels(store, ["m"], { at: 2, change: (old) => ({ ...old, x: 1 }) }),
  "a job": () => submitJobs(store, [training], { at: 3, maxWaiting: 9 }),
  "its start": () => claimJob(store, ["training"], { owner: "o", at: 4 }),
  "its version": () =>
    finishTraining(store, { id: "t", owner: "o", at: 5 }, { ...version, weights: new Float32Array(1) }),
  "the same version again": () => restoreVersion(store, { model: "m", version: "00" }, 7),
  "a start of detection": () =>
    startLive(store, [{ model: "m", options: { detect: true }, state: { run: "r" } }], { at: 8, ending }),
  "an evaluation": async () => {
    const row = (await loadLive(store, "m"))!;
    const found = { outcome: "ok", score: 1, state: { run: "r" }, episodes: [], events: [] } as const;
    await recordEvaluation(store, { ...evaluated, before: row, slot: 1, ...found });
  },
  "one that failed": async () => {
    const row = (await loadLive(store, "m"))!;
    const error = { code: "deadline", message: "late" } as const;
    await recordFailure(store, { ...evaluated, before: row, slot: 2, error });
  },
  "some together": async () => {
    const row = (await loadLive(store, "m"))!;
    const error = { code: "deadline", message: "later" } as const;
    const failure = { ...evaluated, before: row, slot: 3, outcome: "failed", error } as const;
    await recordAll(store, [failure]);
  },
  "a problem of its output": () => {
    const problem = { code: "deadline", message: "late", at: 8, dropped: 0 } as const;
    return saveOutputProblems(store, new Map([["m", problem]]));
  },
  "its end": () => stopLive(store, ["m"], { at: 9, ending, strict: true }),
  "a job that is swept": () => sweepJobs(store, { endedBefore: 6, keep: 9 }),
  "a model that is deleted": () => removeModels(store, ["m"], 10),
  "a bucket that is deleted": () => removeBuckets(store, ["b"]),
};

/** Frequent writes that leave the cache alone. */
const uncached: Record<string, () => Promise<unknown>> = {
  "a probe": () => probeWrite(store, 1),
  "a token that was used": () => markUsed(store, new Map([["t", 1]])),
  "an applied set": () => recordApplied(store, "s", [{ kind: "model", name: "m" }]),
  "a slot": () => claimSlot(store, { job: "j", slotAt: 1 }, 1),
  "expired deliveries": () => expireDeliveries(store, { before: 1, at: 1, reason: "" }),
};

test("every write is seen at once, though all was cached before", async () => {
  for (const [name, step] of Object.entries(steps)) {
    const before = await look();
    await step();
    const after = await look();
    expect([name, after !== before]).toEqual([name, true]);
    store.rowCache.invalidate();
    expect([name, await look()]).toEqual([name, after]);
  }
});

testSqlite("a write changes no cached table but those it names", async () => {
  const tables: readonly CachedTable[] = ["buckets", "jobs", "live", "models", "versions"];
  store.sqlite.run("create temp table changed (name unique on conflict ignore)");
  for (const table of tables)
    for (const event of ["insert", "update", "delete"])
      store.sqlite.run(
        `create temp trigger ${event}_${table} after ${event} on ${table} begin insert into changed values ('${table}'); end`,
      );
  const invalidate = spyOn(store.rowCache, "invalidate");
  for (const [name, step] of Object.entries({ ...steps, ...uncached })) {
    invalidate.mockClear();
    store.sqlite.run("delete from changed");
    await step();
    const changed = store.sqlite.query("select name from changed order by name").values().flat();
    const named = invalidate.mock.calls.flatMap(([changes]) => changes ?? tables);
    expect([name, changed.filter((table) => !named.includes(table as never))]).toEqual([name, []]);
  }
});

test("drops rows read within a failed write", async () => {
  await steps["a model"]!();
  const before = await look();
  const repair = await breakAt(store, "insert on jobs");
  await expect(steps["a job"]!()).rejects.toThrow();
  await repair();
  expect(await look()).toBe(before);
  const failed = write(store, async (tx) => {
    void loadModel(store, "m");
    await tx.run("update models set updated_at = 99");
    void loadModel(store, "m");
    throw new Error("on purpose");
  });
  await expect(failed).rejects.toThrow("on purpose");
  expect(await look()).toBe(before);
});

testSqlite("an evaluation keeps cached models, jobs and buckets", async () => {
  for (const name of Object.keys(steps).slice(0, 9)) await steps[name]!();
  const ask = () =>
    Promise.all([loadModel(store, "m"), listModels(store), loadJob(store, "t"), loadBucket(store, "b")]);
  const before = await ask();
  for (const name of ["an evaluation", "one that failed", "some together"]) {
    const live = await loadLive(store, "m");
    await steps[name]!();
    for (const [i, row] of (await ask()).entries()) expect(row).toBe(before[i]!);
    expect(await loadLive(store, "m")).not.toEqual(live);
  }
});

testSqlite("answers cannot be changed", async () => {
  await steps["a model"]!();
  const row = await loadModel(store, "m");
  expect(() => Object.assign(row.settings, { x: 1 })).toThrow();
  expect(await loadModel(store, "m")).toBe(row);
});

testSqlite("large results are not cached", async () => {
  const job = { id: "t", type: "read", model: null, input: {} } as const;
  await submitJobs(store, [job], { at: 1, maxWaiting: 9 });
  await claimJob(store, ["read"], { owner: "o", at: 2 });
  expect(await loadJob(store, "t")).toBe(await loadJob(store, "t"));
  await finishJob(store, { id: "t", owner: "o", at: 3 }, resultText({ timestamps: [1] }));
  expect(await loadJob(store, "t")).not.toBe(await loadJob(store, "t"));
  await expect(cancelJobs(store, ["t"], 4)).rejects.toThrow("already stopped");
});

test("the cache is bounded, and absent rows are read again", async () => {
  const memory = { engine: store.engine, rowCache: createStoreCache() };
  let reads = 0;
  const ask = (key: string, answer?: unknown) => {
    const read = () => {
      reads++;
      return answer;
    };
    return readCached(memory, { kind: "job", key, read });
  };
  for (const key of ["a", "a"]) await ask(key);
  expect(reads).toBe(2);
  for (const key of ["b", "b"]) await ask(key, { n: 1 });
  expect(reads).toBe(3);
  for (let i = 0; i < 20_000; i++) await ask(`k${i}`, { i });
  await ask("b", { n: 1 });
  expect(reads).toBe(20_004);
  await ask("list", new Array(30_000).fill({}));
  expect(await ask("b", undefined)).toEqual({ n: 1 });
});
