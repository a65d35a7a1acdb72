// Models of several features: what is unusual of them together is raised, named and explained, by versions of every kind.
import { expect, test } from "bun:test";
import type { Feature } from "../../../../src/core/model/feature.ts";
import { type Grid, sliceGrid } from "../../../../src/core/series/grid.ts";
import { createDonut } from "../../../../src/models/donut/index.ts";
import { jointOf } from "../../../../src/models/donut/parameters.ts";
import type { Context, EvaluateInput, Evaluation, TrainedModel } from "../../../../src/models/kind.ts";
import { effectiveThresholds } from "../../../../src/models/scoring/detect.ts";
import { createRandom } from "../../../../wasm/random.ts";
import { aModel } from "../../../support/builders.ts";

const HOUR = 3_600_000;
const TRAINED = 24 * 20;
/** The CPU does not follow the load. */
const BROKEN = { from: TRAINED + 100, to: TRAINED + 106 };
const donut = createDonut({ steps: 10 });
const context: Context = {
  compute: { trainingLanes: 1, run: () => Promise.reject(new Error("no worker in this test")) },
  signal: new AbortController().signal,
  onProgress: () => {},
};

const settingsOf = (cpu: Partial<Feature> = {}) =>
  aModel({
    bucket_interval: "1h",
    detector: "auto",
    span: 300,
    features: [
      { name: "load", metric: "avg", field: "load" },
      { name: "cpu", metric: "avg", field: "cpu", ...cpu },
    ],
  });

/** A load of days with noise, and a CPU that follows it; while broken, both are usual by themselves. */
function makeGrid(): Grid {
  const random = createRandom(8);
  const length = TRAINED + 200;
  const day = (i: number) => 100 + 50 * Math.sin((2 * Math.PI * i) / 24);
  const isBroken = (i: number) => i >= BROKEN.from && i < BROKEN.to;
  const load = Float64Array.from({ length }, (_, i) => day(i) + (isBroken(i) ? 30 : 25 * random.normal()));
  const cpu = load.map((value, i) => (isBroken(i) ? day(i) - 30 : value) * 0.4 + random.normal());
  return { startAt: 0, intervalMs: HOUR, length, columns: { load, cpu } };
}

const grid = makeGrid();
const trained = sliceGrid(grid, 0, TRAINED);

function evaluate(model: TrainedModel, settings = settingsOf(), own: Partial<EvaluateInput> = {}) {
  const rest = sliceGrid(grid, TRAINED - donut.historyOf(model), grid.length);
  return donut.evaluate(model, { settings, grid: rest, ...own }, context);
}

const isAnomalous = ({ scores }: Evaluation, at: number, { max } = effectiveThresholds(settingsOf())) =>
  scores[at - TRAINED]!.score! > max;
const duringBreak = (evaluation: Evaluation) =>
  Array.from({ length: BROKEN.to - BROKEN.from }, (_, k) => isAnomalous(evaluation, BROKEN.from + k)).some(
    Boolean,
  );

test("a broken relation is raised with the features it is of, and says what they are unusual for", async () => {
  const model = await donut.train({ settings: settingsOf(), grid: trained, overrides: {} }, context);
  const evaluation = await evaluate(model);
  expect(duringBreak(evaluation)).toBe(true);
  const broken = evaluation.scores.slice(BROKEN.from - TRAINED, BROKEN.to - TRAINED);
  const joined = ["cpu", "load"].map((name) =>
    broken.map(({ features }) => features[name]!).find(({ joint }) => joint !== undefined),
  );
  expect(joined.map((own) => [own?.type, own?.evidence?.explanation])).toEqual([
    ["low", "unusual for the value of load"],
    ["high", "unusual for the value of cpu"],
  ]);
  expect(joined[0]!.evidence!.contributions).toEqual({ joint: 1 });
  expect(joined.map((own) => own?.evidence?.beside)).toEqual([["load"], ["cpu"]]);
  expect(joined[0]!.score).toBe(joined[0]!.joint!);
});

test("without the joint detector, as in versions of older releases, each value is usual", async () => {
  const model = await donut.train({ settings: settingsOf(), grid: trained, overrides: {} }, context);
  const { joint: _, ...parameters } = model.parameters;
  expect(duringBreak(await evaluate({ ...model, parameters }))).toBe(false);
});

test("a direction that does not count is not raised", async () => {
  const settings = {
    ...settingsOf({ anomaly_type: "high" }),
    features: settingsOf().features.map((feature) => ({
      ...feature,
      anomaly_type: feature.name === "cpu" ? ("high" as const) : ("low" as const),
    })),
  };
  const model = await donut.train({ settings, grid: trained, overrides: {} }, context);
  const evaluation = await evaluate(model, settings);
  expect(duringBreak(evaluation)).toBe(false);
});

test("slices give the scores of one evaluation, and a batch evaluation keeps what only both show", async () => {
  const model = await donut.train({ settings: settingsOf(), grid: trained, overrides: {} }, context);
  const whole = await evaluate(model);
  const cut = 150 + donut.historyOf(model);
  const rest = sliceGrid(grid, TRAINED - donut.historyOf(model), grid.length);
  const first = await donut.evaluate(
    model,
    { settings: settingsOf(), grid: sliceGrid(rest, 0, cut) },
    context,
  );
  const { memory, rejected } = JSON.parse(JSON.stringify(first));
  const tail = sliceGrid(rest, 150, rest.length);
  const second = await donut.evaluate(
    model,
    { settings: settingsOf(), grid: tail, memory, rejected },
    context,
  );
  expect([...first.scores, ...second.scores].map(({ score }) => score)).toEqual(
    whole.scores.map(({ score }) => score),
  );
  expect(duringBreak(await evaluate(model, settingsOf(), { batch: true }))).toBe(true);
});

test("a series of a fleet has its own, whose ranks are dropped beside a memory", async () => {
  const settings = settingsOf();
  const shared = await donut.fleet.train({ settings, series: [trained, trained], overrides: {} }, context);
  const { parameters } = await donut.fleet.fit(shared, { settings, grid: trained }, context);
  donut.fleet.checkSeries({ settings, ...shared }, parameters);
  const model = donut.fleet.modelOf(shared, parameters);
  const { memory } = await evaluate(model);
  expect(duringBreak(await evaluate(model))).toBe(true);
  const dropped = donut.fleet.modelOf(shared, donut.fleet.dropRemembered(parameters, memory!));
  expect(jointOf(model)!.ranks.length).toBeGreaterThan(0);
  expect(jointOf(dropped)!.ranks).toEqual([]);
  const after = (of: TrainedModel) => evaluate(of, settings, { memory });
  expect((await after(dropped)).scores).toEqual((await after(model)).scores);
});

test("a stored version whose lists do not match its features is refused", async () => {
  const model = await donut.train({ settings: settingsOf(), grid: trained, overrides: {} }, context);
  const joint = jointOf(model)!;
  const check = (own: object) => () =>
    donut.checkVersion({
      ...model,
      settings: settingsOf(),
      parameters: { ...model.parameters, joint: { ...joint, ...own } },
    });
  expect(check({})).not.toThrow();
  expect(check({ mean: [1] })).toThrow("parameters.joint.mean: must be 2, one per feature");
  expect(check({ precision: [1, 2] })).toThrow("must be 4 numbers, one per pair of features");
});
