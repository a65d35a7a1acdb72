// A state with rows in every table, made by the verbs; its numbers have gaps, as after removals.
import { expect } from "bun:test";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import { checkScheduledJob } from "../../../src/core/time/scheduled-job.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { recordEvaluation } from "../../../src/store/anomalies/evaluations.ts";
import { openFailedSource } from "../../../src/store/anomalies/failed-sources.ts";
import { insertLabel } from "../../../src/store/anomalies/labels.ts";
import { planEvent } from "../../../src/store/anomalies/outbox.ts";
import { recordScores } from "../../../src/store/anomalies/scores.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { putBucket } from "../../../src/store/buckets.ts";
import { replaceBudgets } from "../../../src/store/budgets.ts";
import { putCalendar } from "../../../src/store/calendars.ts";
import { recordChanges } from "../../../src/store/changes/changes.ts";
import { ensureMeta } from "../../../src/store/db/meta.ts";
import type { Store } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { putHook } from "../../../src/store/hooks.ts";
import { cancelJobs, claimJob, finishJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { sweepJobs } from "../../../src/store/jobs/recovery.ts";
import { saveParts } from "../../../src/store/jobs/results.ts";
import { createModel } from "../../../src/store/models.ts";
import { replaceOutlooks } from "../../../src/store/outlooks.ts";
import { putScheduledJob } from "../../../src/store/scheduled-jobs.ts";
import { claimSlot } from "../../../src/store/scheduled-runs.ts";
import { createTemplate } from "../../../src/store/templates.ts";
import { createToken } from "../../../src/store/tokens.ts";
import { aBucket, aModel } from "../../support/builders.ts";
import { resultText } from "../../support/result-text.ts";
import { aFit, aSeries, aVersion, start, train } from "../fleets/builders.ts";

export const SECRET = "m4rk3r-S3cret";
/** Odd bytes: NaN, infinities, subnormal numbers. */
const weights = new Float32Array([1, -0, Number.NaN, Infinity, -Infinity, 1e-45, 3.4e38]);
const report = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 } as const;
const event = {
  ...{ id: "e:start", kind: "anomaly_start", model: "m", episode: "e", at: 60, startedAt: 60, score: 80.5 },
  features: { v: report },
} satisfies Partial<HookEvent> as HookEvent;

/** Fills a new store. */
export async function fillState(store: Store): Promise<void> {
  await ensureMeta(store, "host_id", () => "3c1e");
  await fillModels(store);
  await fillLive(store);
  await fillJobs(store);
}

async function fillModels(store: Store): Promise<void> {
  const settings = aBucket({
    type: "influxdb",
    password: SECRET,
    measurement: "ä \u{1F600} 'quoted' \"\\\u0000",
  });
  await putBucket(store, { name: "b", kind: "influxdb", settings }, 1);
  const address = { name: "c", url: `http://calendars.example/${SECRET}.ics` };
  await putCalendar(store, "c", { at: 1, change: () => ({ settings: address, nextAt: 9, ical: null }) });
  const deleted = aModel({ name: "deleted" });
  await createModel(store, { name: "deleted", settings: deleted }, 1);
  await train(store, "t0", aVersion({ model: "deleted", settings: deleted, weights, series: [aFit("c")] }));
  await removeModels(store, ["deleted"], 8, { deletion: { at: 8, by: "ops" } });
  await createTemplate(store, { name: "t", settings: { type: "donut", span: 24 } }, 2);
  for (const name of ["m", "k"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
  await train(store, "t1", aVersion({ weights, series: [aFit("a"), aFit("b")] }));
  await train(store, "t2", aVersion({ model: "k", weights: new Float32Array(100_000).fill(0.1) }));
  const hook = { at: 1, change: () => ({ kind: "webhook", config: { url: "http://h", secret: SECRET } }) };
  await putHook(store, { model: "m", name: "h" }, hook);
  await putHook(
    store,
    { model: null, name: "g" },
    {
      at: 1,
      change: () => ({
        ...{ kind: "webhook", receiver: "g", selector: {} },
        config: { url: "http://g", secret: SECRET },
      }),
    },
  );
  await createToken(store, {
    ...{ name: "ada", id: "1", scope: "admin", digest: "d", createdAt: 1, lastUsedAt: null, expiresAt: null },
  });
  const job = { name: "j", method: "get", relative_url: "/jobs", params: { token: SECRET } };
  await putScheduledJob(store, {
    definition: checkScheduledJob({ ...job, every: { unit: "day" } }),
    origin: "api",
    at: 1,
  });
  await claimSlot(store, { job: "j", slotAt: 86_400_000 }, 86_400_001);
}

async function fillLive(store: Store): Promise<void> {
  await start(store, "m");
  const parts = { state: { recent: "1" }, memory: { ranks: [1, 2] } };
  const state = { run: "r" };
  const recorded = await recordEvaluation(store, {
    ...{ model: "m", before: { rev: 0, state }, slot: 1, intervalMs: 60_000, windowAt: 60_000 },
    ...{ evaluatedAt: 60_000, durationMs: 3, missed: 0, outcome: "ok", score: 1 / 3, state },
    ...{
      episodes: [],
      events: [planEvent(event, undefined)],
      series: [aSeries("b", parts), aSeries("a", parts)],
    },
  });
  expect(recorded).toBe(true);
  await write(store, async (tx) => {
    await changeEpisodes(tx, [
      {
        change: "open",
        episode: {
          ...{ id: "e", model: "m", startAt: 60, peakScore: 80.5, severity: "info" },
          ...{ features: { v: report }, peak: { v: report } },
        },
      },
    ]);
    const run = {
      version: "00",
      intervalMs: 60_000,
      features: ["v"],
      startAt: 0,
      values: new Float32Array(8),
    };
    const deviation = { startAt: 0, endAt: 60_000, intervalMs: 60_000, peak: 3.5, feature: "v" };
    await recordScores(tx, { model: "m" }, { ...run, deviations: [{ ...deviation, type: "high" }] });
  });
  const change = {
    id: "d",
    at: 60,
    endAt: 61,
    kind: "deploy",
    title: "web 2",
    url: null,
    tags: { host: "a" },
  };
  await recordChanges(store, [change], { at: 9 });
  await replaceBudgets(store, { model: "m" }, [
    {
      ...{ feature: "f", isKnown: true, remaining: 0.5, madeAt: 1 },
      state: {
        ...{ remaining: 0.5, bad: 1, total: 200, missing: 0, impossible: 0, burn: "slow" },
        rates: { "1h": undefined, "6h": 1, "1d": 1, "3d": 1 },
        exhaustion: { outlook: "expected", at: 5, earliestAt: 4 },
      },
    },
  ]);
  await replaceOutlooks(store, { model: "m" }, [
    {
      ...{ feature: "f", type: "high", bound: 9, source: "max", value: 5, perDay: 1 },
      ...{ reachedAt: 5, earliestAt: 4, latestAt: null, hits: 3, cases: 4, isPredictable: true, madeAt: 1 },
    },
  ]);
  await insertLabel(store, { id: "l", model: "m", fromAt: 1, toAt: 2, anomaly: true, at: 9 });
  const announced = { ...event, id: "s:start", kind: "source_down" } as unknown as HookEvent;
  await openFailedSource(store, {
    row: { ...failure, startedAt: 1 },
    describe: () => announced,
    models: ["m"],
  });
}

const failure = { bucket: "b", episode: "s", model: "m", code: "bucket_unavailable", reason: "refused" };

/** The last job is removed again: its number must not be given to another. */
async function fillJobs(store: Store): Promise<void> {
  const large = resultText({ values: Array.from({ length: 100_000 }, (_, i) => i + 0.5) });
  for (const id of ["waiting", "large", "last"])
    await submitJobs(store, [{ id, type: "read", model: null, input: { id } }], { at: 10, maxWaiting: 10 });
  await cancelJobs(store, ["waiting"], 11);
  const claim = { id: "large", owner: "me", at: 12 };
  await claimJob(store, ["read"], claim);
  await saveParts(store, claim, large);
  await finishJob(store, claim, large);
  await cancelJobs(store, ["last"], 1);
  expect(await sweepJobs(store, { endedBefore: 2, keep: 100 })).toBe(1);
}
