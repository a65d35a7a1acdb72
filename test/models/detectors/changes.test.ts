// Lasting changes of a series: false alarms stop within a day, drift is reported and ends by itself.
import { describe, expect, test } from "bun:test";
import { findEpisodes } from "../../../src/core/anomaly/episode.ts";
import { scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { Memory } from "../../../src/models/detectors/types.ts";
import { automaticThresholds } from "../../../src/models/scoring/score.ts";
import { createRandom } from "../../../wasm/random.ts";

const STEP = 300_000;
const DAY = 288;
const TRAINED = 14 * DAY;
const LENGTH = TRAINED + 8 * DAY;
/** Two days after the training the series changes. */
const CHANGE = TRAINED + 2 * DAY;
const timeline = { startAt: 0, intervalMs: STEP };
const thresholds = automaticThresholds(STEP);
const rules = { ...thresholds, gracePeriodMs: 0, minDuration: 1 };

/** Series of each change: how many false alarms one has is chance. */
const SEEDS = [41, 42, 43, 44, 45];
const expected = Float64Array.from(
  { length: LENGTH },
  (_, i) => 100 + 30 * Math.sin((2 * Math.PI * i) / DAY),
);
function seriesOf(change: (noise: number) => number, seed: number): Float64Array {
  const random = createRandom(seed);
  return expected.map((value, i) => {
    const noise = random.normal();
    return value + (i < CHANGE ? noise : change(noise));
  });
}

const both = { below: true, above: true };
const deviation = new Float64Array(LENGTH).fill(1);

/** The network's nll is that of a perfect one, trained before the change. */
function run(column: Float64Array) {
  const nll = column.map((value, i) => 0.5 * (value - expected[i]!) ** 2);
  const part = <T extends Float64Array>(values: T) => values.slice(0, TRAINED);
  const ensemble = fitEnsemble({
    timeline,
    column: part(column),
    nll: part(nll),
    expected: part(expected),
    span: 48,
    sides: both,
  });
  const score = new Float64Array(LENGTH).fill(Number.NaN);
  const drifts: (number | undefined)[] = [];
  let memory: Memory | undefined;
  // Live rounds of an hour each, the memory kept as JSON in between.
  for (let end = TRAINED + 12; end <= LENGTH; end += 12) {
    const from = end - 12;
    const cut = (values: Float64Array) => values.slice(0, end);
    const network = { expected: cut(expected), deviation: cut(deviation), nll: cut(nll), unit: 1 };
    const input = { timeline, column: cut(column), network, from, sides: both, thresholds };
    const scored = scoreEnsemble(ensemble, { ...input, memory });
    score.set(scored.score.subarray(from), from);
    memory = JSON.parse(JSON.stringify(scored.memory)) as Memory;
    for (let i = from; i < end; i++) drifts[i] = memory.drift?.sinceAt;
  }
  const episodes = findEpisodes({ startAt: 0, intervalMs: STEP, scores: score }, rules);
  return { episodes, drifts };
}

/** Episodes of a series, on average: in the first day, and in the five days after it. Days until drift is over. */
interface Bounds {
  readonly first: number;
  readonly later: number;
  readonly days: number;
}
const changes: [string, change: (noise: number) => number, Bounds][] = [
  ["the level rises by eight deviations", (value) => value + 8, { first: 1, later: 0, days: 2 }],
  ["the level falls by eight deviations", (value) => value - 8, { first: 1, later: 0, days: 2 }],
  ["the noise becomes four times as large", (value) => 4 * value, { first: 12, later: 2.5, days: 4 }],
];

describe.each(changes)("%s", (_, change, { first, later, days }) => {
  const runs = SEEDS.map((seed) => run(seriesOf(change, seed)));
  const since = (day: number) => (CHANGE + day * DAY) * STEP;
  const mean = (count: (of: (typeof runs)[number]) => number) =>
    runs.reduce((sum, of) => sum + count(of), 0) / runs.length;

  test("it is noticed at once, and false alarms stop within about a day of data", () => {
    for (const { episodes } of runs) {
      const [noticed] = episodes.filter(({ startAt }) => startAt >= since(0));
      expect(noticed!.startAt).toBeLessThan(since(0.1));
      expect(noticed!.endAt).toBeLessThan(since(1.1));
    }
    const isOf = (from: number, to: number) => (episode: { startAt: number }) =>
      episode.startAt >= since(from) && episode.startAt < since(to);
    expect(mean(({ episodes }) => episodes.filter(isOf(0, 1)).length)).toBeLessThanOrEqual(first);
    expect(mean(({ episodes }) => episodes.filter(isOf(1, 9)).length)).toBeLessThanOrEqual(later);
  });

  test("drift is reported within hours, dated to its beginning, and ends by itself", () => {
    for (const { drifts } of runs) {
      const reported = [...drifts.entries()].filter(([, at]) => at !== undefined).map(([i]) => i);
      expect(reported[0]!).toBeGreaterThanOrEqual(CHANGE);
      expect(reported[0]!).toBeLessThan(CHANGE + DAY / 2);
      expect(reported.at(-1)!).toBeLessThan(CHANGE + days * DAY);
      expect(drifts[reported[0]!]!).toBeWithin(since(0), since(0.5));
    }
  });
});

test("without a change there is no drift", () => {
  const { drifts, episodes } = run(seriesOf((value) => value, SEEDS[0]!));
  expect(drifts.every((at) => at === undefined)).toBe(true);
  expect(episodes.length).toBeLessThanOrEqual(1);
});
