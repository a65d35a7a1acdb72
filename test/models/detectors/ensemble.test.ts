// Ensemble: bursts count once, an anomaly continues until it ends, slices equal one evaluation.
import { describe, expect, test } from "bun:test";
import { type EnsembleInput, scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { Memory } from "../../../src/models/detectors/types.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const TRAINED = 4000;
const random = createRandom(11);
/** Noise around a daily sine: the network's nll is that of a perfect one. */
const expected = Float64Array.from({ length: 6000 }, (_, i) => 100 + 30 * Math.sin((2 * Math.PI * i) / 288));
const normal = expected.map((value) => value + random.normal());
const nllOf = (column: Float64Array) => column.map((value, i) => 0.5 * (value - expected[i]!) ** 2);
const timeline = { startAt: 0, intervalMs: STEP };
const thresholds = { min: 30, max: 60 };

const fitInput = {
  timeline,
  column: normal.slice(0, TRAINED),
  nll: nllOf(normal).slice(0, TRAINED),
  expected: expected.slice(0, TRAINED),
  span: 48,
  countsBelow: true,
  countsAbove: true,
};
const ensemble = fitEnsemble(fitInput);

function score(column: Float64Array, over: Partial<EnsembleInput> = {}) {
  const nll = nllOf(column);
  return scoreEnsemble(ensemble, {
    timeline,
    column,
    expected: expected.slice(0, column.length),
    nll,
    from: TRAINED,
    counts: () => true,
    thresholds,
    ...over,
  });
}

/** The normal series with other values from `from` on. */
function disturbed(values: Readonly<Record<number, number>>): Float64Array {
  const column = normal.slice();
  for (const [i, value] of Object.entries(values)) column[Number(i)] = expected[Number(i)]! + value;
  return column;
}

const plateau = (from: number, length: number, offset: number) =>
  disturbed(Object.fromEntries(Array.from({ length }, (_, k) => [from + k, offset])));

describe("weights", () => {
  const weightsOf = (fitted: typeof ensemble) =>
    Object.fromEntries(Object.entries(fitted.detectors).map(([name, { weight }]) => [name, weight]));

  test("sum to one; detectors that see as closely count about the same", () => {
    const { network, linear, seasonal } = weightsOf(ensemble);
    expect(network! + linear! + seasonal!).toBeCloseTo(1, 10);
    for (const weight of [network, linear, seasonal]) expect(weight).toBeGreaterThan(0.2);
  });

  test("with few points the network counts for less", () => {
    const part = <T extends Float64Array>(values: T) => values.slice(0, 250);
    const few = fitEnsemble({
      ...fitInput,
      column: part(fitInput.column),
      nll: part(fitInput.nll),
      expected: part(fitInput.expected),
    });
    expect(weightsOf(few).network).toBeLessThan(0.8 * weightsOf(ensemble).network!);
  });
});

test("normal data: scores are as rare as they say, within a factor of two", () => {
  const scores = score(normal).score.subarray(TRAINED);
  // 33 = one in 100, 16.7 = one in 10; means of ranks are rarer than a rank.
  const share = (limit: number) => scores.filter((value) => value > limit).length / scores.length;
  expect(share(16.7)).toBeLessThan(0.2);
  expect(share(33)).toBeLessThan(0.02);
  expect(share(60)).toBe(0);
});

test("a spike is seen at once, and over at once", () => {
  const scores = score(disturbed({ 4500: 15 })).score;
  expect(scores[4500]).toBeGreaterThan(60);
  expect(scores[4501]).toBeLessThan(30);
});

test("an anomaly in progress goes on, at the lower threshold or above, until the values are back", () => {
  const { score: scores, memory } = score(plateau(4500, 60, 12));
  expect(scores[4500]).toBeGreaterThan(60);
  for (let i = 4501; i < 4560; i++) expect(scores[i]).toBeGreaterThanOrEqual(thresholds.min);
  expect(scores[4560]).toBeLessThan(thresholds.min);
  expect(memory.pending).toBeUndefined();
});

test("what lasts longer than a day is what the series looks like now", () => {
  const scores = score(plateau(4500, 900, 12)).score;
  expect(scores[4700]).toBeGreaterThanOrEqual(thresholds.min);
  expect(scores[4500 + 300]).toBeLessThan(thresholds.min);
});

test("equal spikes on other days are each seen as the first was, until they are usual", () => {
  const days = Array.from({ length: 6 }, (_, day) => 4100 + day * 300);
  const scores = score(disturbed(Object.fromEntries(days.map((i) => [i, 15]))), { withheldAlarms: 3 }).score;
  const seen = days.map((i) => scores[i]!);
  for (const again of seen.slice(0, 4)) expect(again).toBeGreaterThan(0.95 * seen[0]!);
  expect(seen[5]!).toBeLessThan(seen[0]!);
});

test("a second spike of a burst is no news, a larger one is", () => {
  const scores = score(disturbed({ 4500: 9, 4520: 8.9, 4540: 20 })).score;
  const alone = score(disturbed({ 4520: 8.9 })).score;
  expect(scores[4520]).toBeLessThan(0.8 * alone[4520]!);
  expect(scores[4540]).toBeGreaterThan(scores[4520]!);
});

test("the rarity, by which points are ranked, knows no rule for bursts", () => {
  const { score: scores, rarity } = score(disturbed({ 4500: 9, 4520: 8.9 }));
  // Nats to decades, six of which are score 100; three quarters for what the burst has shown before.
  expect(scores[4520]).toBeCloseTo((0.75 * 100 * rarity[4520]!) / Math.LN10 / 6, 6);
});

test("a direction that does not count scores nothing", () => {
  const { score: scores } = score(disturbed({ 4500: 15 }), { counts: () => false });
  expect(scores[4500]).toBe(0);
});

test("missing points have no score, and change nothing", () => {
  const gap = normal.slice();
  gap.fill(Number.NaN, 4500, 4510);
  const { score: scores } = score(gap);
  expect(scores[4505]).toBeNaN();
  expect(scores[4510]).toBeLessThan(40);
});

test("behind a hole as long as the window, what the network guesses counts for nothing", () => {
  const at = TRAINED + 500;
  const column = normal.slice(0, at + 1);
  const guess = nllOf(column).with(at, 1e6);
  const lost = column.map((value, i) => (i >= at - fitInput.span && i < at ? Number.NaN : value));
  const around = column.map((value, i) =>
    i >= at - 10 * fitInput.span && i < at - fitInput.span ? Number.NaN : value,
  );
  const scoreAt = (seen: Float64Array) =>
    score(seen, { nll: guess.map((nll, i) => (Number.isFinite(seen[i]!) ? nll : Number.NaN)) }).score[at]!;
  expect(scoreAt(lost)).toBeLessThan(thresholds.min);
  expect(scoreAt(around)).toBeGreaterThan(scoreAt(lost) + 10);
});

test("point by point, with the memory kept as JSON, the scores are the same bits as in one go", () => {
  const column = plateau(4100, 20, 10);
  const whole = score(column.slice(0, 4200));
  let memory: Memory | undefined;
  for (let end = TRAINED + 1; end <= 4200; end++) {
    const part = score(column.slice(0, end), { from: end - 1, memory });
    expect(part.score[end - 1]).toBe(whole.score[end - 1]!);
    memory = JSON.parse(JSON.stringify(part.memory));
  }
});

describe("noise that becomes four times as large", () => {
  const DAY = 288;
  const louder = normal.map((value, i) => (i < 4400 ? value : expected[i]! + 4 * (value - expected[i]!)));
  const { score: scores, memory } = score(louder);
  const episodesIn = (from: number, to: number) => {
    let within = false;
    return scores.slice(from, to).reduce((count, value) => {
      const starts = !within && value > thresholds.max;
      within = within ? value >= thresholds.min : starts;
      return count + Number(starts);
    }, 0);
  };

  test("is what the series looks like now, within a day", () => {
    expect(episodesIn(4400, 4400 + DAY)).toBeGreaterThan(0);
    expect(episodesIn(4400 + DAY, 6000)).toBeLessThanOrEqual(2);
  });

  test("point by point, the scores are the same bits as in one go", () => {
    let kept: Memory | undefined;
    for (let from = TRAINED; from < 4800; from += 50) {
      const part = score(louder.slice(0, from + 50), { from, memory: kept });
      expect(part.score.slice(from)).toEqual(scores.slice(from, from + 50));
      kept = JSON.parse(JSON.stringify(part.memory));
    }
    expect(memory).toBeDefined();
  });
});

test("a score does not depend on what comes later", () => {
  const column = disturbed({ 4800: 30 });
  const early = score(column.slice(0, 4700)).score;
  expect(Array.from(score(column).score.slice(0, 4700))).toEqual(Array.from(early));
});
