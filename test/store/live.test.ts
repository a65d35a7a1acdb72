// SQL of live models: start, stop, and the one transaction of an evaluation.
import { beforeEach, expect, test } from "bun:test";
import type { FeatureReport, HookEvent } from "../../src/core/anomaly/event.ts";
import { listEpisodes } from "../../src/store/anomalies/episodes.ts";
import {
  type EvaluationRecord,
  listEvaluations,
  recordEvaluation,
  recordFailure,
} from "../../src/store/anomalies/evaluations.ts";
import { removeModels } from "../../src/store/bin/models.ts";
import {
  type Ending,
  type LiveOptions,
  type LiveRow,
  listLive,
  loadLive,
  startLive,
  stopLive,
} from "../../src/store/live.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import {
  breakAt,
  codeOf,
  dump,
  execute,
  type QueuedEvent,
  recordQueued,
  rows,
  useStore,
} from "./temporary.ts";

const store = useStore();
let queuedEvents: () => Promise<QueuedEvent[]>;
beforeEach(async () => {
  queuedEvents = await recordQueued(store);
  for (const name of ["m", "k"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
  await execute(store, "update models set active_version = '00'");
  await execute(
    store,
    "insert into hooks (model, name, kind, created_at, updated_at, config) values ('m', 'h', 'mail', 1, 1, '{}')",
  );
});

const queued = async () => (await queuedEvents()).map(({ id, dueAt }) => `${id}@${dueAt}`);
const report: FeatureReport = { type: "low", score: 90, observed: 1, predicted: 5, lower: 4, upper: 6 };
const eventOf = (id: string, rest: Partial<HookEvent> = {}): HookEvent => ({
  id,
  kind: "anomaly_start",
  model: "m",
  episode: id.split(":")[0]!,
  at: 60,
  startedAt: 60,
  score: 90,
  features: { f: report },
  ...rest,
});
const ending: Ending = {
  reason: "stopped",
  describe: (_row, { id, closedBy }) => ({
    event: eventOf(`${id}:end`, { kind: "anomaly_end", ...(closedBy && { closedBy }) }),
    notBefore: 500,
  }),
};
const options = { detect: true };
const start = (models: string[], run = `run of ${models}`, over: LiveOptions = options, at = 10) => {
  const starts = models.map((model) => ({ model, options: over, state: { run } }));
  return startLive(store, starts, { at, ending });
};
const stop = (models: string[], strict = true) => stopLive(store, models, { at: 99, ending, strict });
const rowOf = async (model = "m") => (await loadLive(store, model))!;

function recordOf(before: LiveRow, over: Partial<EvaluationRecord> = {}): EvaluationRecord {
  const slot = (before.lastSlot ?? 0) + 1;
  return {
    model: before.model,
    before,
    slot,
    intervalMs: 60,
    windowAt: slot * 60,
    evaluatedAt: slot * 60 + 5,
    durationMs: 3,
    missed: 0,
    outcome: "ok",
    score: 12,
    state: { ...before.state, count: slot },
    episodes: [],
    events: [],
    ...over,
  };
}

const opening = (id = "e1"): Partial<EvaluationRecord> => ({
  episodes: [
    {
      change: "open",
      episode: {
        id,
        model: "m",
        startAt: 60,
        peakScore: 90,
        features: { f: report },
        peak: { f: report },
        severity: "info",
      },
    },
  ],
  events: [{ event: eventOf(`${id}:start`) }],
});

test("promise 14: a start is kept; a second one keeps where detection stands and takes the new options", async () => {
  await start(["m"], "first");
  await recordEvaluation(store, recordOf(await rowOf()));
  await start(["m"], "second", { detect: true, save: { bucket: "b" } }, 20);
  expect(await rowOf()).toMatchObject({
    startedAt: 10,
    lastSlot: 1,
    options: { detect: true, save: { bucket: "b" } },
    state: { run: "first", count: 1 },
  });
  expect((await listLive(store)).map(({ model }) => model)).toEqual(["m"]);
});

test("all are started or none: unknown, not trained", async () => {
  await execute(store, "update models set active_version = null where name = 'k'");
  expect(await codeOf(start(["m", "k"]))).toBe("not_trained");
  expect(await codeOf(start(["m", "x"]))).toBe("not_found");
  expect(await listLive(store)).toEqual([]);
});

test("all are stopped or none, named where one is not started; a deletion passes those over", async () => {
  await start(["m"]);
  await expect(stop(["m", "k"])).rejects.toThrow("model k is not started");
  await expect(stop(["m", "x"])).rejects.toThrow("model x does not exist");
  expect(await loadLive(store, "m")).toBeDefined();
  expect(await stop(["k", "m", "x"], false)).toEqual(["m"]);
  expect(await loadLive(store, "m")).toBeUndefined();
});

test("a stop closes the anomaly in progress, with the reason, and queues its end", async () => {
  await start(["m"]);
  await recordEvaluation(store, recordOf(await rowOf(), opening()));
  await stop(["m"]);
  expect(await listEpisodes(store, {})).toMatchObject([{ id: "e1", endAt: 99, closedBy: "stopped" }]);
  expect(await queued()).toEqual(["e1:start@65", "e1:end@500"]);
});

test("detection switched off closes the anomaly in progress; what an evaluation under way finds is dropped", async () => {
  await start(["m"], "first");
  await recordEvaluation(store, recordOf(await rowOf(), opening()));
  const before = await rowOf();
  await start(["m"], "second", { detect: false });
  expect(await rowOf()).toMatchObject({
    lastSlot: 1,
    options: { detect: false },
    state: { run: "second", intervalMs: 60 },
  });
  expect(await listEpisodes(store, {})).toMatchObject([{ closedBy: "stopped" }]);
  expect(await recordEvaluation(store, recordOf(before))).toBe(false);
});

test("promise 16: an evaluation is recorded once, with state, episode and events", async () => {
  await start(["m"]);
  const first = recordOf(await rowOf(), { ...opening(), missed: 2, score: 90 });
  expect(await recordEvaluation(store, first)).toBe(true);
  expect(await rowOf()).toMatchObject({
    lastSlot: 1,
    lastWindowAt: 60,
    missed: 2,
    failures: 0,
    state: { run: "run of m", count: 1, intervalMs: 60 },
  });
  expect(await listEvaluations(store, "m")).toMatchObject([
    { windowAt: 60, evaluatedAt: 65, durationMs: 3, outcome: "ok", score: 90, error: null },
  ]);
  const before = (await dump(store)) + JSON.stringify(await rows(store, "select * from outbox"));
  expect(await recordEvaluation(store, first)).toBe(false);
  expect(await recordFailure(store, { ...first, error: { code: "deadline", message: "late" } })).toBe(false);
  expect((await dump(store)) + JSON.stringify(await rows(store, "select * from outbox"))).toBe(before);
  expect(await queued()).toEqual(["e1:start@65"]);
});

test("promise 11: what comes late for a model stopped, deleted or started anew is dropped", async () => {
  await start(["m"], "first");
  const late = recordOf(await rowOf(), opening());
  await stop(["m"]);
  expect(await recordEvaluation(store, late)).toBe(false);
  await start(["m"], "second");
  expect(await recordEvaluation(store, late)).toBe(false);
  await removeModels(store, ["m"], 50);
  expect(await recordEvaluation(store, late)).toBe(false);
  await createModel(store, { name: "m", settings: aModel() }, 60);
  await execute(store, "update models set active_version = '00'");
  await start(["m"], "third");
  expect(await recordEvaluation(store, late)).toBe(false);
  expect(await queued()).toEqual([]);
});

test("promise 15: a failure keeps state and window, and is counted until one succeeds", async () => {
  await start(["m"]);
  await recordEvaluation(store, recordOf(await rowOf()));
  for (let i = 0; i < 2; i++) {
    const error = { code: "bucket_unavailable", message: "refused" } as const;
    await recordFailure(store, { ...recordOf(await rowOf()), error });
  }
  expect(await rowOf()).toMatchObject({
    lastSlot: 3,
    lastWindowAt: 60,
    failures: 2,
    lastErrorCode: "bucket_unavailable",
    lastErrorMessage: "refused",
    lastErrorAt: 185,
    state: { count: 1 },
  });
  await recordEvaluation(store, recordOf(await rowOf()));
  expect(await rowOf()).toMatchObject({ failures: 0, lastErrorMessage: "refused", state: { count: 4 } });
  expect((await listEvaluations(store, "m")).map(({ outcome }) => outcome)).toEqual([
    "ok",
    "failed",
    "failed",
    "ok",
  ]);
});

test("the last 20 evaluations of each model are kept", async () => {
  for (const model of ["m", "k"]) await start([model]);
  for (let i = 0; i < 25; i++)
    for (const model of ["m", "k"]) await recordEvaluation(store, recordOf(await rowOf(model)));
  const windows = (await listEvaluations(store, "m")).map(({ windowAt }) => windowAt / 60);
  expect(windows).toEqual(Array.from({ length: 20 }, (_, i) => 25 - i));
  expect(await rows(store, "select count(*) from evaluations")).toEqual([[40]]);
  await start(["m"], "next", { detect: true, save: { bucket: "b" } });
  for (let i = 0; i < 3; i++) await recordEvaluation(store, recordOf(await rowOf()));
  const later = (await listEvaluations(store, "m")).map(({ windowAt }) => windowAt / 60);
  expect(later).toEqual(Array.from({ length: 20 }, (_, i) => 28 - i));
});

/** Everything a verb may touch. */
const all = async () => {
  const contents = [];
  for (const table of ["live", "evaluations", "episodes", "outbox"])
    contents.push(await rows(store, `select * from ${table}`));
  return contents;
};

const broken: readonly [string, () => Promise<unknown>, readonly string[]][] = [
  [
    "an evaluation",
    async () => recordEvaluation(store, recordOf(await rowOf(), changes())),
    [
      "update on live",
      "insert on evaluations",
      "insert on episodes",
      "update on episodes",
      "insert on outbox",
    ],
  ],
  [
    "a failure",
    async () =>
      recordFailure(store, { ...recordOf(await rowOf()), error: { code: "deadline", message: "x" } }),
    ["update on live", "insert on evaluations"],
  ],
  [
    "a stop",
    () => stop(["k", "m"]),
    ["update on episodes", "insert on outbox", "delete on live", "delete on evaluations"],
  ],
  [
    "detection switched off",
    () => start(["m"], "next", { detect: false }),
    ["update on episodes", "insert on outbox", "update on live"],
  ],
  ["a start", () => start(["m", "j"]), ["insert on live"]],
];

function changes(): Partial<EvaluationRecord> {
  const { episodes, events } = opening("e2");
  return {
    episodes: [
      { change: "peak", id: "e1", peakScore: 95, peak: { f: report }, severity: "warning" },
      { change: "close", id: "e1", endAt: 120 },
      ...episodes!,
    ],
    events: [{ event: eventOf("e1:end", { kind: "anomaly_end" }) }, ...events!],
  };
}

for (const [what, act, statements] of broken) {
  test(`promise 3, 19: ${what} that fails at any statement changes nothing, and works after that`, async () => {
    await createModel(store, { name: "j", settings: aModel() }, 1);
    await execute(store, "update models set active_version = '00'");
    for (const model of ["m", "k"]) await start([model]);
    await recordEvaluation(store, recordOf(await rowOf(), opening()));
    const before = await all();
    for (const statement of statements) {
      const repair = await breakAt(store, statement);
      await expect(act()).rejects.toThrow("broken on purpose");
      await repair();
      expect(await all()).toEqual(before);
    }
    await act();
    expect(await all()).not.toEqual(before);
  });
}

test("promise 19: an event that cannot be queued undoes the whole evaluation", async () => {
  await start(["m"]);
  const before = await all();
  await breakAt(store, "insert on outbox");
  await expect(recordEvaluation(store, recordOf(await rowOf(), opening()))).rejects.toThrow("broken");
  expect(await all()).toEqual(before);
});
