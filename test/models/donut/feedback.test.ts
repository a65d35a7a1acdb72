// Feedback in training, with real workers and three features: anomalies left out, false alarms tolerated.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid, Range } from "../../../src/core/series/grid.ts";
import { readValues } from "../../../src/hooks/shared/text.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { advance } from "../../../src/live/episodes/episode-tracker.ts";
import { freshState } from "../../../src/live/state.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import type { TrainedModel, TrainInput } from "../../../src/models/kind.ts";
import { detect, rulesOf } from "../../../src/models/scoring/detect.ts";
import { reportsAt } from "../../../src/models/scoring/report.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";

/** Two trainings of three features on a machine five times slower. */
const TRAININGS_MS = 180_000;
const STEP = 900_000;
const DAY = 96;
const TRAINED = 28 * DAY;
const LENGTH = 35 * DAY;
const names = ["load", "hits", "errors"] as const;
type Name = (typeof names)[number];

const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "15m",
  span: 48,
  max_evals: 1,
  features: [
    { name: "load", metric: "avg", field: "load" },
    { name: "hits", metric: "count", field: "hits", anomaly_type: "low" },
    { name: "errors", metric: "count", field: "errors", anomaly_type: "high" },
  ],
};
const levels: Readonly<Record<Name, readonly [mean: number, swing: number, noise: number]>> = {
  load: [100, 30, 3],
  hits: [5000, 2000, 150],
  errors: [20, 5, 2],
};

const random = createRandom(51);
const clean = Object.fromEntries(
  names.map((name, k) => {
    const [mean, swing, noise] = levels[name];
    const valueAt = (i: number) =>
      mean + swing * Math.sin((2 * Math.PI * i) / DAY + k) + noise * random.normal();
    return [name, Float64Array.from({ length: LENGTH }, (_, i) => valueAt(i))];
  }),
) as Record<Name, Float64Array>;

/** The series with so many deviations of its noise added at some intervals. */
type Change = readonly [name: Name, at: number, deviations: number];
function gridOf(changes: readonly Change[], [from, to] = [0, LENGTH]): Grid {
  const columns = Object.fromEntries(names.map((name) => [name, clean[name].slice()]));
  for (const [name, at, deviations] of changes) columns[name]![at]! += deviations * levels[name][2];
  const cut = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.slice(from, to)]),
  );
  return { startAt: from! * STEP, intervalMs: STEP, length: to! - from!, columns: cut };
}

const donut = createDonut({ steps: 500 });
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

type Input = Partial<Pick<TrainInput, "excluded" | "tolerated" | "settings">>;
const train = (changes: readonly Change[], input: Input = {}) =>
  donut.train({ settings, grid: gridOf(changes, [0, TRAINED]), overrides: {}, ...input }, context);

async function evaluate(model: TrainedModel, changes: readonly Change[], over: Partial<ModelSettings> = {}) {
  const now = { ...settings, ...over };
  const grid = gridOf(changes, [TRAINED - donut.historyOf(model), LENGTH]);
  const evaluation = await donut.evaluate(model, { settings: now, grid, level: 0.68 }, context);
  const rules = rulesOf(now);
  return { evaluation, rules, ...detect(evaluation.scores, evaluation.grid, { rules }) };
}

const rangeAt = (i: number, length = 1): Range => ({ fromAt: i * STEP, toAt: (i + length) * STEP });
const at = (day: number, slot: number) => day * DAY + slot;
const later = (day: number, slot: number) => day * DAY + slot - TRAINED;

/** A batch run that needs no alarm, seen twice, and one yet to come. */
const batch = (deviations: number, day: number): Change[] =>
  [0, 1, 2].map((k) => ["load", at(day, 30 + k), deviations]);
const seen = batch(20, 25);

describe("a false alarm", () => {
  let naive: TrainedModel;
  let marked: TrainedModel;
  beforeAll(async () => {
    naive = await train(seen);
    marked = await train(seen, { tolerated: [{ ...rangeAt(at(25, 30), 3), features: ["load"] }] });
  }, TRAININGS_MS);
  const alarms = async (model: TrainedModel, changes: readonly Change[], over?: Partial<ModelSettings>) =>
    (await evaluate(model, changes, over)).stats.flatMap(({ anomaly }, i) => (anomaly ? [i] : []));

  test("without feedback is raised again", async () => {
    expect(await alarms(naive, batch(20, 30))).toContain(later(30, 30));
  });

  test("is not raised again after a training, nor a smaller one or one at another time of day", async () => {
    expect(networksOf(marked)[0]!.tolerated).toMatchObject([{ type: "high" }]);
    expect(networksOf(marked)[1]).not.toHaveProperty("tolerated");
    const changes = [...batch(20, 30), ...batch(14, 31), ["load", at(33, 70), 20] as const];
    const raised = await alarms(marked, changes);
    for (const [, i] of changes) expect(raised).not.toContain(i - TRAINED);
  });

  test.each([
    ["a larger one", ["load", at(30, 30), 40], {}],
    ["one on the other side", ["load", at(30, 30), -20], {}],
    ["one of another feature", ["errors", at(30, 30), 20], {}],
    ["a larger one, to the network alone", ["load", at(30, 30), 60], { detector: "vae" }],
  ] as [string, Change, Partial<ModelSettings>][])("%s is an anomaly", async (_, change, over) => {
    expect(await alarms(marked, [change], over)).toContain(later(30, 30));
  });

  test("to the network alone it is tolerated as well", async () => {
    const raised = await alarms(marked, batch(20, 30), { detector: "vae" });
    expect(raised).not.toContain(later(30, 30));
  });

  test("a version that tolerates survives being carried to another server", () => {
    const parameters = JSON.parse(JSON.stringify(marked.parameters));
    expect(() => donut.checkVersion({ settings, parameters, weights: marked.weights })).not.toThrow();
  });
});

describe("anomalies that were found", () => {
  /** Six hours on each of six days: too many to be taken for contamination, and seen by people. */
  const outages = [6, 9, 12, 15, 18, 21].map((day) => at(day, 20));
  const broken: Change[] = outages.flatMap((from) =>
    Array.from({ length: 24 }, (_, k): Change => ["hits", from + k, -8]),
  );

  /** The others have no part in it, and a training takes as long for each. */
  const hits = { ...settings, features: settings.features.filter(({ name }) => name === "hits") };

  test(
    "are left out of the next training: it is as if they had not been",
    async () => {
      const excluded = outages.map((from) => rangeAt(from, 24));
      const [whole, without] = [
        await train(broken, { settings: hits }),
        await train(broken, { settings: hits, excluded }),
      ];
      expect(whole.summary.excluded).toBe(0);
      expect(without.summary.excluded).toBe(6 * 24);
      const scoreOf = async (model: TrainedModel) =>
        (await evaluate(model, [["hits", at(30, 26), -8]], hits)).stats[later(30, 26)]!.score;
      const [known, unknown] = [await scoreOf(whole), await scoreOf(without)];
      expect(unknown).toBeGreaterThan(known + 10);
      expect(unknown).toBeGreaterThan(rulesOf(settings).max);
    },
    TRAININGS_MS,
  );

  test("that cover nearly everything leave too little to train on, and the message counts what is left", async () => {
    const failure = train([], { excluded: [rangeAt(0, TRAINED - 60)] });
    await expect(failure).rejects.toMatchObject({
      code: "too_little_data",
      details: { found: 60, needed: 96 },
    });
  });
});

test("of three features, those that take part are named with direction and score, and make up the reason", async () => {
  const model = await train([]);
  const changes: Change[] = [
    ["load", at(30, 10), 30],
    ["hits", at(30, 10), -30],
    // The other way: it does not count.
    ["errors", at(30, 10), -30],
  ];
  const { evaluation, rules, stats } = await evaluate(model, changes);
  const i = later(30, 10);
  expect(stats[i]).toMatchObject({
    anomaly: true,
    anomalies: { load: { type: "high" }, hits: { type: "low" } },
  });
  expect(Object.keys(stats[i]!.anomalies)).toEqual(["load", "hits"]);
  expect(stats[i]!.score).toBe(Math.max(...Object.values(stats[i]!.anomalies).map(({ score }) => score)));
  expect(evaluation.scores[i]!.features.errors!.score).toBe(0);
  const observed = gridOf(changes, [TRAINED, LENGTH]);
  const points = evaluation.scores.map(({ score }, k) => ({
    at: (TRAINED + k) * STEP,
    score,
    features: reportsAt(evaluation, observed, k),
  }));
  const naming = { model: "m", rules, mutedUntil: () => undefined, newId: () => "e1" };
  const { events } = advance(freshState("run"), points, naming);
  const start = events.find(({ event }) => event.kind === "anomaly_start" && event.at === at(30, 10) * STEP)!;
  const { reason, observed: seenText } = readValues(start.event, "UTC");
  const scoreOf = (name: Name) => stats[i]!.anomalies[name]!.score.toFixed(1);
  expect(reason.split("\n")).toEqual([
    `feature load is too high (score = ${scoreOf("load")})`,
    `feature hits is too low (score = ${scoreOf("hits")})`,
  ]);
  expect(JSON.parse(seenText)).toEqual({
    load: observed.columns.load![i],
    hits: observed.columns.hits![i],
  });
}, 180_000);
