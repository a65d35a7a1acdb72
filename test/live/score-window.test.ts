// Planning and scoring of one window: its range, its reads, its points, refused answers.
import { describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { emptyGrid, type Grid, type Range } from "../../src/core/series/grid.ts";
import { type ScoreDeps, scoreWindow } from "../../src/live/score-window.ts";
import { freshState, type LiveState } from "../../src/live/state.ts";
import { planWindow } from "../../src/live/window.ts";
import type { Evaluation, ModelKind } from "../../src/models/kind.ts";
import type { LoadedVersion } from "../../src/store/versions.ts";
import { codeOf } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { fakeKind } from "./world.ts";

interface Row {
  readonly shows: string;
  readonly now: number;
  readonly last: number | null;
  readonly offset?: number;
  readonly range?: readonly [number, number];
  readonly behind?: number;
}

// Intervals of 100.
const rows: readonly Row[] = [
  { shows: "the first time: the newest complete interval", now: 1050, last: null, range: [900, 1000] },
  { shows: "nothing new", now: 1050, last: 1000 },
  { shows: "one new interval, at its very end", now: 1100, last: 1000, range: [1000, 1100] },
  { shows: "promise 18: windows end at now - offset", now: 1149, last: 1000, offset: 50 },
  { shows: "promise 18: and not a moment earlier", now: 1150, last: 1000, offset: 50, range: [1000, 1100] },
  { shows: "everything since the last one", now: 1420, last: 1000, range: [1000, 1400], behind: 4 },
  { shows: "but not for ever", now: 100_000, last: 1000, range: [94_000, 100_000], behind: 990 },
  { shows: "longer intervals after a retraining", now: 1250, last: 1030, range: [1100, 1200] },
  { shows: "never less than one", now: 1110, last: 1030, range: [1000, 1100] },
  { shows: "a larger offset waits", now: 1420, last: 1400, offset: 300 },
  { shows: "promise 17: back by less than an interval waits", now: 920, last: 1000 },
  { shows: "promise 17: back by more: the newest at the new time", now: 520, last: 1000, range: [400, 500] },
];

describe("promise 16: the window", () => {
  for (const { shows, now, last, offset = 0, range, behind = 1 } of rows)
    test(shows, () => {
      const window = planWindow({ nowAt: now, offsetMs: offset, intervalMs: 100, lastWindowAt: last });
      expect(window).toEqual(range && { range: { fromAt: range[0], toAt: range[1] }, behind });
    });
});

const settings = aModel({
  bucket_interval: 1,
  max_threshold: 70,
  min_threshold: 50,
  features: [
    { name: "f", metric: "avg", field: "x" },
    { name: "g", metric: "avg", field: "y", bucket: "other" },
  ],
});
const range: Range = { fromAt: 10_000, toAt: 12_000 };
const { signal } = new AbortController();

interface Setup {
  readonly kind?: Partial<ModelKind>;
  readonly read?: (grid: Grid) => Grid;
  readonly state?: Partial<LiveState>;
}

async function evaluate({ kind: own, read = (grid) => grid, state }: Setup = {}) {
  const reads: string[] = [];
  const openBucket = async (name: string): Promise<Bucket> => ({
    read: async ({ range: whole, intervalMs, features }) => {
      reads.push(`${name} ${features.map((feature) => feature.name)} ${whole.fromAt}..${whole.toAt}`);
      const grid = emptyGrid(
        whole,
        intervalMs,
        features.map((feature) => feature.name),
      );
      for (const column of Object.values(grid.columns)) column.fill(10);
      return read(grid);
    },
    close: () => {},
  });
  const kind = { ...fakeKind, ...own } as ModelKind;
  const deps: ScoreDeps = {
    openBucket,
    kind,
    compute: { trainingLanes: 1, run: () => Promise.reject() },
  };
  const version = {} as LoadedVersion;
  const input = {
    settings,
    version,
    range,
    intervalMs: 1000,
    state: { ...freshState("r"), ...state },
  };
  return { reads, result: await scoreWindow(deps, input, signal) };
}

test("reads the history and the new intervals, from each feature's bucket", async () => {
  const { reads } = await evaluate();
  expect(reads.sort()).toEqual(["b f 8000..12000", "other g 8000..12000"]);
});

test("reports what was observed and expected, per feature; nothing observed is no score", async () => {
  const { result } = await evaluate({
    read: (grid) => {
      grid.columns.f?.set([80, Number.NaN], 2);
      grid.columns.g?.set([20, Number.NaN], 2);
      return grid;
    },
  });
  const report = (observed: number) => ({
    type: "high",
    score: observed,
    observed,
    predicted: 10,
    lower: 9,
    upper: 11,
    factor: observed - 10,
  });
  expect(result.points).toEqual([
    { at: 10_000, score: 80, features: { f: report(80), g: report(20) } as never },
    { at: 11_000, score: undefined, features: {} },
  ]);
  expect(result.observed).toMatchObject({ startAt: 10_000, intervalMs: 1000, length: 2 });
  expect(result.newestAt).toBe(11_000);
});

test("rejected points are passed to the model, and its answer is kept", async () => {
  let seen: unknown;
  const kind: Partial<ModelKind> = {
    evaluate: (model, input, context) => {
      seen = input.rejected;
      return fakeKind.evaluate(model, input, context);
    },
  };
  const { result } = await evaluate({ kind, state: { rejected: { f: [3000, 9000] } } });
  expect(seen).toEqual({ f: [3000, 9000] });
  expect(result.evaluation.rejected).toEqual({ f: [9000], g: [] });
});

test("drift of the model is passed on, and absent without", async () => {
  const drift = { feature: "f", sinceAt: 9000, share: 0.4 };
  const kind: Partial<ModelKind> = {
    evaluate: async (...args) => ({ ...(await fakeKind.evaluate(...args)), drift }),
  };
  expect((await evaluate({ kind })).result.evaluation.drift).toEqual(drift);
  expect((await evaluate()).result.evaluation).not.toHaveProperty("drift");
});

const broken = (change: (evaluation: Evaluation) => object): Partial<ModelKind> => ({
  evaluate: async (...args) => {
    const evaluation = await fakeKind.evaluate(...args);
    return { ...evaluation, ...change(evaluation) };
  },
});
const refusals: readonly [string, Setup, string][] = [
  [
    "an answer that starts elsewhere",
    { read: (grid) => ({ ...grid, startAt: grid.startAt + 1000 }) },
    "bucket_unavailable",
  ],
  [
    "an answer that is too short",
    { read: (grid) => ({ ...grid, columns: { f: new Float64Array(3), g: new Float64Array(3) } }) },
    "bucket_unavailable",
  ],
  ["an answer that lacks a feature", { read: (grid) => ({ ...grid, columns: {} }) }, "bucket_unavailable"],
  [
    "an answer with other intervals",
    { read: (grid) => ({ ...grid, intervalMs: 500 }) },
    "bucket_unavailable",
  ],
  [
    "a score that is not finite",
    { kind: broken(({ scores }) => ({ scores: scores.map((s) => ({ ...s, score: Number.NaN })) })) },
    "internal",
  ],
  [
    "a prediction that is not finite",
    { kind: broken(({ upper }) => ({ upper: { ...upper, f: new Float64Array([1, Infinity]) } })) },
    "internal",
  ],
  ["too few scores", { kind: broken(({ scores }) => ({ scores: scores.slice(1) })) }, "internal"],
];

describe("promise 15: refused", () => {
  for (const [shows, setup, code] of refusals)
    test(shows, async () => expect(await codeOf(evaluate(setup))).toBe(code));
});
