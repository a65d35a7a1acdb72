// Live detection of the API: start, stop, views, recorded anomalies.
import { beforeEach, expect, test } from "bun:test";
import { advance, type EpisodeNotice } from "../../../src/live/episodes/episode-tracker.ts";
import { type LiveState, stateOf } from "../../../src/live/state.ts";
import { Anomalies } from "../../../src/resources/anomalies.ts";
import { Buckets } from "../../../src/resources/buckets/index.ts";
import { Live } from "../../../src/resources/live/index.ts";
import { Models } from "../../../src/resources/models/index.ts";
import { recordEvaluation, recordFailure } from "../../../src/store/anomalies/evaluations.ts";
import { loadLive } from "../../../src/store/live.ts";
import { codeOf, type QueuedEvent, recordEvents } from "../../store/temporary.ts";
import { limits, plainModel, useWorld } from "../world.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const settings = (name: string) => ({ ...plainModel, name, max_threshold: 70, min_threshold: 50 });

const world = useWorld();
let live: Live;
let models: Models;
let queuedEvents: () => QueuedEvent[];
let notices: EpisodeNotice[];
let followed: string[][];
let wakes: number;

beforeEach(async () => {
  const { store, clock, buckets, jobs } = world;
  clock.at = NOON;
  [notices, followed, wakes] = [[], [], 0];
  queuedEvents = recordEvents(store);
  let ids = 0;
  const shared = { store, clock, limits, openBucket: (name: string) => buckets.open(name) };
  const loop = { follow: async (names: readonly string[]) => void followed.push([...names]) };
  const output = { problemOf: () => null };
  const onEpisode = (notice: EpisodeNotice) => void notices.push(notice);
  const onEvents = () => void wakes++;
  live = new Live({ ...shared, loop, output, onEvents, onEpisode, newId: () => `id${++ids}` });
  const queue = { submit: () => Promise.reject(), release: () => {}, progressOf: () => undefined };
  models = new Models({ ...shared, queue, live, viewJob: (id) => jobs.view(id) });
  for (const name of ["b", "out"]) await buckets.put({ name, type: "local" });
  for (const name of ["m", "k"]) await world.models.create(settings(name));
  await world.finish(await world.models.train("m", { from: "now-1h" }));
});

const row = async (model = "m") => (await loadLive(world.store, model))!;
const view = async (name = "m") =>
  (await models.get([name])).entries[0] as Record<string, Record<string, unknown>>;

test("a start reports models whose points arrive too late, and the offset they need", async () => {
  const points = Array.from({ length: 60 }, (_, k) => ({ timestamp: (NOON - 90_000) / 1000 - 10 * k, x: 1 }));
  const bucket = await world.buckets.open("b");
  const rows = points.map(({ timestamp, x }) => ({ at: timestamp * 1000, fields: { x }, tags: {} }));
  await bucket.write!(rows, {}, new AbortController().signal);
  await models.patch(["m"], { bucket_interval: "10s" });
  await world.finish(await world.models.train("m", { from: "now-1h" }));
  expect(await live.startAll(["m"], {})).toEqual([
    "m: points arrive after their window was evaluated: set offset to 90s, or to auto",
  ]);
  expect((await view()).live).toMatchObject({
    offset: 0,
    late: { offset: 90 },
    newest_point: (NOON - 89_000) / 1000,
  });
  await live.stopAll(["m"]);
  await models.patch(["m"], { offset: "auto" });
  expect(await live.startAll(["m"], {})).toEqual([]);
  const { late, offset } = (await view()).live!;
  expect([late, offset]).toEqual([undefined, 90]);
});

test("a start reports an output bucket that nothing is saved to", async () => {
  const advice = "m: output_bucket has no effect without save_output_data=true";
  expect(await live.startAll(["m"], { output_bucket: "out" })).toContain(advice);
  expect(await live.startAll(["m"], { output_bucket: "out", save_output_data: true })).not.toContain(advice);
});

test("a start names fields and tags that the bucket does not have", async () => {
  const bucket = await world.buckets.open("b");
  const { signal } = new AbortController();
  await bucket.write!([{ at: NOON - 30_000, fields: { x: 1 }, tags: { host: "a" } }], {}, signal);
  const features = [{ name: "f", metric: "avg", field: "z" }];
  await models.create({ ...settings("lost"), features, detector: "auto" });
  await models.create({ ...settings("fleet"), group_by: ["hots"], detector: "auto" });
  expect(await live.startAll(["lost", "fleet"], {})).toEqual([
    "lost: bucket b has no field z: GET /buckets/b/_explore lists those there are",
    "fleet: field x of bucket b has no tag hots; did you mean host?",
  ]);
});

/** Records an evaluation with this score. */
async function score(value: number, minute = 0): Promise<void> {
  const before = await row();
  const report = { type: "high" as const, score: value, observed: value, predicted: 1, lower: 0, upper: 2 };
  const point = { at: NOON + minute * 60_000, score: value, features: { f: report } };
  const context = { model: "m", mutedUntil: () => undefined, newId: () => "e1" };
  const rules = { min: 50, max: 70, gracePeriodMs: 0, minDuration: 1 };
  const moved = advance(stateOf(before), [point], { ...context, rules });
  const basics = { model: "m", before, slot: minute, intervalMs: 60_000, durationMs: 4, missed: 1 };
  const times = { windowAt: point.at + 60_000, evaluatedAt: point.at + 60_500 };
  await recordEvaluation(world.store, { ...basics, ...times, outcome: "ok", score: value, ...moved });
}

test("a start shows in settings.run and live, with the state of detection", async () => {
  await live.startAll(["m"], { detect_anomalies: "yes", save_output_data: true, output_bucket: "out" });
  expect(followed).toEqual([["m"]]);
  await score(90);
  world.clock.at = NOON + 90_000;
  const { settings: shown, live: detail } = await view();
  expect(shown!.run).toEqual({
    detect_anomalies: true,
    flag_abnormal_data: true,
    save_output_data: true,
    output_bucket: "out",
  });
  expect(detail).toEqual({
    started: NOON / 1000,
    last_window: NOON / 1000 + 60,
    lag: 30,
    offset: 0,
    missed: 1,
    failures: 0,
    anomaly: {
      id: "e1",
      start: NOON / 1000,
      score: 90,
      peak_score: 90,
      severity: "warning",
      features: { f: { type: "high", score: 90, observed: 90, predicted: 1, lower: 0, upper: 2 } },
    },
    evaluations: [
      { window: NOON / 1000 + 60, timestamp: NOON / 1000 + 60.5, duration: 0.004, outcome: "ok", score: 90 },
    ],
  });
  const [, listed] = (await models.list()).entries as Record<string, Record<string, unknown>>[];
  expect(listed).toMatchObject({
    settings: { name: "m", run: { detect_anomalies: true } },
    live: { lag: 30 },
  });
  expect(listed!.live).not.toHaveProperty("evaluations");
});

test("promise 25: a failure is shown with code, message and time", async () => {
  await live.startAll(["m"], {});
  const error = { code: "bucket_unavailable", message: "connection refused" } as const;
  const basics = { model: "m", before: await row(), slot: 1, intervalMs: 1, durationMs: 0, missed: 0 };
  await recordFailure(world.store, { ...basics, windowAt: NOON, evaluatedAt: NOON, error });
  expect((await view()).live).toMatchObject({
    last_window: null,
    lag: null,
    failures: 1,
    last_error: { ...error, timestamp: NOON / 1000 },
    evaluations: [{ outcome: "failed", score: null, error: "connection refused" }],
  });
});

test("a failure is no longer the last error once an evaluation has succeeded; the list keeps it", async () => {
  await live.startAll(["m"], {});
  const error = { code: "bucket_unavailable", message: "connection refused" } as const;
  const basics = { model: "m", before: await row(), slot: 1, intervalMs: 1, durationMs: 0, missed: 0 };
  await recordFailure(world.store, { ...basics, windowAt: NOON, evaluatedAt: NOON, error });
  await score(10, 2);
  const { live: shown } = await view();
  expect(shown).not.toHaveProperty("last_error");
  expect(shown).toMatchObject({ failures: 0, evaluations: [{ outcome: "ok" }, { outcome: "failed" }] });
});

test("lists show where detection stands, however they are sorted and cut", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(20);
  const lists: Record<string, [params: Record<string, string>, names: string[]]> = {
    "by name": [{ sort: "name:-1" }, ["m", "k"]],
    "a page by name": [{ page: "0", per_page: "1", sort: "name:-1" }, ["m"]],
    "by what was learnt": [{ sort: "state.trained:-1" }, ["m", "k"]],
    "a page by what was learnt": [{ page: "0", per_page: "1", sort: "state.trained:-1" }, ["m"]],
    "by what detection knows": [{ sort: "live.missed:1" }, ["m", "k"]],
    "a page by what detection knows": [{ page: "0", per_page: "1", sort: "live.missed:1" }, ["m"]],
    "a page by the parameters of the start": [
      { page: "0", per_page: "1", sort: "settings.run.detect_anomalies:1" },
      ["m"],
    ],
  };
  for (const [name, [params, expected]] of Object.entries(lists)) {
    const views = (await models.list(params)).entries as { settings: { name: string }; live?: object }[];
    expect([name, views.map((shown) => shown.settings.name)]).toEqual([name, expected]);
    expect([name, views[0]]).toMatchObject([
      name,
      { settings: { run: { detect_anomalies: true } }, live: { missed: 1, failures: 0 } },
    ]);
    expect(views[1] ?? {}).not.toHaveProperty("live");
    expect(views[0]).not.toHaveProperty("row");
  }
});

test("a model that is not live shows the run of an old client; a live one shows its own parameters", async () => {
  await models.patch(["m"], { run: { any: "thing" } });
  expect((await view()).settings).toMatchObject({ run: { any: "thing" } });
  expect(await view()).not.toHaveProperty("live");
  await live.startAll(["m"], {});
  expect((await view()).settings!.run).toMatchObject({ detect_anomalies: false, save_output_data: false });
  expect((await view("k")).settings).not.toHaveProperty("run");
});

test("all are started or none: unknown, not trained, no bucket to write to", async () => {
  expect(await codeOf(live.startAll(["m", "x"], {}))).toBe("not_found");
  expect(await codeOf(live.startAll(["m", "k"], {}))).toBe("not_trained");
  expect(await codeOf(live.startAll(["m"], { save_output_data: true, output_bucket: "x" }))).toBe(
    "not_found",
  );
  expect(await codeOf(live.startAll(["m"], { detect_anomalies: "maybe" }))).toBe("invalid");
  expect(await row()).toBeUndefined();
});

test("with detector auto an untrained model starts; its state shows the points it has and needs", async () => {
  await models.patch(["k"], { detector: "auto", bucket_interval: "auto" });
  await live.startAll(["m", "k"], { detect_anomalies: true });
  const learning = { points: 12, nextPoints: 30 };
  const before = await row("k");
  const basics = { model: "k", before, slot: 0, intervalMs: 60_000, durationMs: 4, missed: 0 };
  const times = { windowAt: NOON, evaluatedAt: NOON + 500 };
  const state = { ...before.state, learning };
  const events = { episodes: [], events: [] };
  const record = { ...basics, ...times, ...events, outcome: "learning", score: null, state } as const;
  await recordEvaluation(world.store, record);
  expect(await view("k")).toMatchObject({
    state: { trained: false, confidence: "learning" },
    live: { learning: { points: 12, needed: 30 }, evaluations: [{ outcome: "learning", score: null }] },
  });
});

test("a second start takes the new parameters and goes on", async () => {
  await live.startAll(["m"], { flag_abnormal_data: true });
  await score(90);
  await live.startAll(["m", "m"], { detect_anomalies: 1, save_output_data: 1 });
  expect(await row()).toMatchObject({
    options: { detect: true, save: { bucket: "b" } },
    state: { anomaly: { active: true } },
  });
  await live.startAll(["m"], { detect_anomalies: false });
  expect(queuedEvents().map(({ id, closedBy }) => `${id} ${closedBy}`)).toEqual([
    "e1:start undefined",
    "e1:end detection was switched off",
  ]);
});

test("stop: 404 where it is not started; the anomaly in progress ends with the reason", async () => {
  expect(await codeOf(live.stopAll(["m"]))).toBe("not_found");
  const series = { series: "host:a" };
  await expect(live.stopAll(["m"], series)).rejects.toThrow("series: must be left out: a stop is of all");
  await expect(live.startAll(["m"], series)).rejects.toThrow("series: must be left out: a start is of all");
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  const before = wakes;
  await live.stopAll(["m"]);
  expect(queuedEvents().at(-1)).toMatchObject({
    id: "e1:end",
    kind: "anomaly_end",
    at: NOON,
    startedAt: NOON,
    closedBy: "the model was stopped",
    features: { f: { observed: 90 } },
  });
  expect(wakes).toBe(before + 1);
  expect(await view()).not.toHaveProperty("live");
  expect(await codeOf(live.stopAll(["m"]))).toBe("not_found");
});

test("an end by a stop waits for the end of a mute window", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  await models.patch(["m"], { mute: [{ from: "11:00", to: "13:00" }] });
  expect(followed.at(-1)).toEqual(["m"]);
  await live.stopAll(["m"]);
  expect(queuedEvents().at(-1)!.dueAt).toBe(NOON + 3600_000);
});

test("promise 11: a deleted model is stopped first, its anomaly closed with the reason and kept", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  await models.remove(["m"]);
  expect(queuedEvents().at(-1)).toMatchObject({ kind: "anomaly_end", closedBy: "the model was deleted" });
  expect(followed.at(-1)).toEqual(["m"]);
  const anomalies = new Anomalies(world);
  expect((await anomalies.list({})).entries).toMatchObject([
    { id: "e1", model: "m", closed_by: "the model was deleted" },
  ]);
  expect(await codeOf(anomalies.list({}, "m"))).toBe("not_found");
});

test("a bucket that a live model reads or writes is in use; force stops the model", async () => {
  const { store, clock, queue } = { ...world, queue: { submit: () => Promise.reject() } };
  const buckets = new Buckets({ store, clock, queue, limits, live, context: { dataDir: store.dir } });
  await live.startAll(["m"], { save_output_data: true, output_bucket: "out" });
  expect(await live.modelsUsing("b")).toEqual(["m"]);
  expect(await live.modelsUsing("out")).toEqual(["m"]);
  expect(await codeOf(buckets.remove(["out"], { force: false }))).toBe("bucket_in_use");
  await buckets.remove(["out"], { force: true });
  expect(await row()).toBeUndefined();
  expect(await live.modelsUsing("b")).toEqual([]);
  await buckets.close();
});

test("anomalies: newest first, by range and page, with observed and expected values", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(80);
  await score(95, 1);
  const anomalies = new Anomalies(world);
  const report = { type: "high", score: 80, observed: 80, predicted: 1, lower: 0, upper: 2 };
  expect((await anomalies.list({}, "m")).entries).toEqual([
    {
      id: "e1",
      origin: "live",
      model: "m",
      start: NOON / 1000,
      end: null,
      peak_score: 95,
      severity: "warning",
      features: { f: report },
      peak: { f: { ...report, score: 95, observed: 95 } },
    },
  ]);
  await score(10, 2);
  expect((await anomalies.list({ from: "now-1h", fields: "id;end", include_fields: true })).entries).toEqual([
    { id: "e1", end: NOON / 1000 + 120 },
  ]);
  expect((await anomalies.list({ to: "2026-01-01T11:00:00Z" })).entries).toEqual([]);
  expect((await anomalies.list({ page: 1 })).entries).toEqual([]);
  expect(await codeOf(anomalies.list({ from: "now", to: "now-1h" }))).toBe("invalid");
  expect(await codeOf(anomalies.list({ per_page: 1000 }))).toBe("invalid");
});

test("feedback on an anomaly shows with it, and stays when the model continues", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  const anomalies = new Anomalies({ store: world.store, clock: world.clock });
  await anomalies.judge("m", "e1", { anomaly: false, note: "batch run" });
  const feedback = { anomaly: false, note: "batch run", at: world.clock.at / 1000 };
  expect((await anomalies.list({}, "m")).entries).toMatchObject([{ id: "e1", feedback }]);
  await score(10, 1);
  await world.finish(await world.models.train("m", { from: "now-1h" }));
  expect((await anomalies.list({}, "m")).entries).toMatchObject([
    { id: "e1", end: NOON / 1000 + 60, feedback },
  ]);
  expect(await codeOf(anomalies.judge("m", "e2", { anomaly: true }))).toBe("not_found");
  expect(await codeOf(anomalies.judge("x", "e1", { anomaly: true }))).toBe("not_found");
  expect(await codeOf(anomalies.judge("m", "e1", { anomaly: "perhaps" }))).toBe("invalid");
});

/** Records an evaluation whose state has further parts. */
async function recordState(minute: number, own: Partial<LiveState>): Promise<void> {
  const before = await row();
  const { drift: _, ...rest } = stateOf(before);
  const basics = { model: "m", before, slot: minute, intervalMs: 60_000, durationMs: 4, missed: 0 };
  const windowAt = NOON + minute * 60_000;
  const made = { ...basics, windowAt, evaluatedAt: windowAt, outcome: "ok", score: 1 } as const;
  await recordEvaluation(world.store, { ...made, state: { ...rest, ...own }, episodes: [], events: [] });
}

test("after two weeks the state of a model, but of no list and no version, shows its false alarms", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  const weeks = (count: number) => count * 7 * 24 * 60;
  await recordState(weeks(1), {});
  expect((await view()).state).not.toHaveProperty("false_alarms");
  await recordState(weeks(2), {});
  const false_alarms = { asked: 0.636, seen: 0.5, judged_true: 0, judged_false: 0, weeks: 2 };
  expect((await view()).state).toMatchObject({ false_alarms });
  const others = [...((await models.list()).entries as object[]), ...(await models.versions("m")).entries];
  for (const other of others) expect(JSON.stringify(other)).not.toContain("false_alarms");
});

test("the last step to another level shows", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await recordState(1, { levelShift: { feature: "f", at: NOON, sinceAt: NOON - 60_000, from: 10, to: 70 } });
  const level_shift = { feature: "f", timestamp: NOON / 1000, since: NOON / 1000 - 60, from: 10, to: 70 };
  expect((await view()).live).toMatchObject({ level_shift });
});

test("drift shows while there is some, with the advice to train again", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await recordState(1, { drift: { feature: "f", sinceAt: NOON, share: 0.4 } });
  const drift = { feature: "f", since: NOON / 1000, share: 0.4, advice: "retrain" };
  expect((await view()).live).toMatchObject({ drift });
  await recordState(2, {});
  expect((await view()).live).not.toHaveProperty("drift");
});

test("silence and the last forecasts show; a stop ends both, with the reason", async () => {
  const watch_forecast = [{ feature: "f", above: 95, within: "1d" }];
  await models.patch(["m"], { silence: "5m", watch_forecast });
  await live.startAll(["m"], { detect_anomalies: true });
  const about = { startedAt: NOON, announced: true, facts: {} };
  await recordState(1, {
    quiet: { newestAt: NOON, sinceAt: NOON, unchanged: 5, moved: 0 },
    forecasts: { "forecast f high 95": { madeAt: NOON, firstAt: NOON + 3_600_000, clear: 0 } },
    conditions: {
      silence: { ...about, id: "s", topic: "silence" },
      "forecast f high 95": { ...about, id: "f", topic: "forecast" },
    },
  });
  expect((await view()).live).toMatchObject({
    silence: { since: NOON / 1000 },
    silence_after: 300,
    forecasts: [
      {
        feature: "f",
        type: "high",
        threshold: 95,
        made: NOON / 1000,
        first: NOON / 1000 + 3600,
        active: true,
      },
    ],
  });
  await live.stopAll(["m"]);
  expect(queuedEvents()).toMatchObject([
    { id: "s:end", kind: "silence_end", closedBy: "the model was stopped" },
    { id: "f:end", kind: "forecast_end", closedBy: "the model was stopped" },
  ]);
});

test("points that stop are no data, without the setting as well; the derived age shows", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  expect((await view()).live).not.toHaveProperty("silence_after");
  const gapMs = 600_000;
  await recordState(1, { quiet: { newestAt: NOON, sinceAt: NOON, unchanged: 0, moved: 3, gapMs } });
  expect((await view()).live).toMatchObject({ silence_after: 1800 });
  expect((await view()).live).not.toHaveProperty("silence");
  await recordState(2, {
    quiet: { newestAt: NOON, sinceAt: NOON, unchanged: 30, moved: 0, gapMs, isSilent: true },
  });
  expect((await view()).live).toMatchObject({ silence: { since: NOON / 1000 }, silence_after: 1800 });
});

test("an anomaly that ends because detection does is reported once it is written down", async () => {
  await live.startAll(["m"], { detect_anomalies: true });
  await score(90);
  world.clock.at = NOON + 120_000;
  await live.stopAll(["m"]);
  expect(notices).toMatchObject([
    {
      change: "ended",
      model: "m",
      id: "e1",
      score: 90,
      durationMs: 120_000,
      closedBy: "the model was stopped",
    },
  ]);
});
