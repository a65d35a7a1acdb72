// Ensemble: bursts count once, an anomaly continues until it ends, slices equal one evaluation.
import { describe, expect, test } from "bun:test";
import { scoreEnsemble, scoreInSteps } from "../../../src/models/detectors/ensemble.ts";
import type { EnsembleInput } from "../../../src/models/detectors/ensemble-input.ts";
import { ensembleSteps, fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { Memory } from "../../../src/models/detectors/types.ts";
import { scaleTail, tailQuantile } from "../../../src/models/stats/tail.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const TRAINED = 4000;
const random = createRandom(11);
/** Noise around a daily sine: the network's nll is that of a perfect one. */
const expected = Float64Array.from({ length: 6000 }, (_, i) => 100 + 30 * Math.sin((2 * Math.PI * i) / 288));
const normal = expected.map((value) => value + random.normal());
const nllOf = (column: Float64Array) => column.map((value, i) => 0.5 * (value - expected[i]!) ** 2);
const networkOf = (column: Float64Array, nll = nllOf(column)) => ({
  expected: expected.slice(0, column.length),
  deviation: new Float64Array(column.length).fill(1),
  nll,
  unit: 1,
});
const both = { below: true, above: true };
const timeline = { startAt: 0, intervalMs: STEP };
const thresholds = { min: 30, max: 60 };

const fitInput = {
  timeline,
  column: normal.slice(0, TRAINED),
  nll: nllOf(normal).slice(0, TRAINED),
  expected: expected.slice(0, TRAINED),
  span: 48,
  sides: both,
};
const ensemble = fitEnsemble(fitInput);

const inputOf = (column: Float64Array): EnsembleInput => ({
  timeline,
  column,
  network: networkOf(column),
  from: TRAINED,
  sides: both,
  thresholds,
});

function score(column: Float64Array, over: Partial<EnsembleInput> = {}) {
  return scoreEnsemble(ensemble, { ...inputOf(column), ...over });
}

/** The normal series with other values from `from` on. */
function disturbed(values: Readonly<Record<number, number>>): Float64Array {
  const column = normal.slice();
  for (const [i, value] of Object.entries(values)) column[Number(i)] = expected[Number(i)]! + value;
  return column;
}

const plateau = (from: number, length: number, offset: number) =>
  disturbed(Object.fromEntries(Array.from({ length }, (_, k) => [from + k, offset])));

describe("detectors", () => {
  const few = (points: number) => {
    const part = (values: Float64Array) => values.slice(0, points);
    const { column, nll, expected } = fitInput;
    return fitEnsemble({ ...fitInput, column: part(column), nll: part(nll), expected: part(expected) });
  };

  test("have equal weights that sum to one, but for the jump, and those that raise alone", () => {
    const { jump, course, still, absent, same, quiet, ...others } = ensemble.detectors;
    expect(new Set(Object.values(others).map((fit) => fit?.weight))).toEqual(new Set([1 / 9.5]));
    expect(Object.keys(others)).toHaveLength(9);
    const alone = [course, still, absent, same, quiet];
    expect([jump, ...alone].map((fit) => fit?.weight)).toEqual([0.5 / 9.5, 0, 0, 0, 0, 0]);
  });

  test("are fitted in steps, too", () => {
    const steps = ensembleSteps(fitInput);
    let last = steps.next();
    let count = 0;
    for (; !last.done; last = steps.next()) count++;
    expect(last.value).toEqual(ensemble);
    expect(count).toBeGreaterThan(TRAINED / 200);
  });

  test("are ranked on the end of the range alone, where that is enough", () => {
    const { detectors, seasonal } = fitEnsemble({ ...fitInput, ranked: 1000 });
    expect(seasonal).toEqual(ensemble.seasonal);
    for (const { ranks } of Object.values(detectors).slice(1))
      expect(ranks.reduce((sum, [, count]) => sum + count, 0)).toBe(1000);
  });

  test("of few points are ranked among those of series alike, the linear one by its scale", () => {
    const { network, linear } = ensemble.detectors;
    const tails = { network: network!.tail, linear: scaleTail(linear!.tail, 1 / ensemble.linear.scale) };
    const points = 400;
    const alone = few(60);
    const part = (values: Float64Array) => values.slice(0, 60);
    const { column, nll, expected } = fitInput;
    const input = { ...fitInput, column: part(column), nll: part(nll), expected: part(expected) };
    const known = fitEnsemble({ ...input, prior: { points, tails } });
    const total = (ranks: readonly (readonly [number, number])[]) => ranks.reduce((sum, [, n]) => sum + n, 0);
    expect(total(known.detectors.network!.ranks)).toBe(60 + points);
    expect(total(known.detectors.linear!.ranks)).toBe(total(alone.detectors.linear!.ranks) + points);
    expect(known.detectors.seasonal).toEqual(alone.detectors.seasonal);
    const off = (tail: typeof network) =>
      Math.abs(tailQuantile(tail!.tail, 1e-4) - tailQuantile(network!.tail, 1e-4));
    expect(off(known.detectors.network)).toBeLessThan(off(alone.detectors.network));
  });

  test.each([
    [100, ["network", "linear", "seasonal", "neighbours3", "neighbours10", "jump"]],
    [60, ["network", "linear", "seasonal", "neighbours3"]],
    [17, ["network", "linear", "seasonal"]],
  ])("of %p points: %p", (points, names) => {
    expect(Object.keys(few(points).detectors)).toEqual(names);
  });

  test("without a network the others judge", () => {
    const silent = new Float64Array(TRAINED).fill(Number.NaN);
    const alone = fitEnsemble({ ...fitInput, nll: silent, expected: silent });
    expect(alone.detectors.network).toBeUndefined();
    const column = disturbed({ 4500: 15 });
    const missing = new Float64Array(column.length).fill(Number.NaN);
    const network = { expected: missing, deviation: missing, nll: missing, unit: 1 };
    const input = { timeline, column, network, from: TRAINED, sides: both, thresholds };
    expect(scoreEnsemble(alone, input).score[4500]).toBeGreaterThan(thresholds.max);
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

test("an anomaly in progress goes on, at the lower threshold or above, until two values are back", () => {
  const { score: scores, memory } = score(plateau(4500, 60, 12));
  expect(scores[4500]).toBeGreaterThan(60);
  for (let i = 4501; i <= 4560; i++) expect(scores[i]).toBeGreaterThanOrEqual(thresholds.min);
  expect(scores[4561]).toBeLessThan(thresholds.min);
  expect(memory.pending).toBeUndefined();
});

test("what lasts longer than a day is what the series looks like now", () => {
  const scores = score(plateau(4500, 900, 12)).score;
  expect(scores[4700]).toBeGreaterThanOrEqual(thresholds.min);
  expect(scores[4500 + 300]).toBeLessThan(thresholds.min);
});

test("equal spikes on other days are raised again, until they are usual", () => {
  const days = Array.from({ length: 5 }, (_, day) => 4100 + day * 410);
  const scores = score(disturbed(Object.fromEntries(days.map((i) => [i, 15])))).score;
  const seen = days.map((i) => scores[i]!);
  for (const again of seen.slice(0, 4)) expect(again).toBeGreaterThan(thresholds.max);
  expect(seen[4]!).toBeLessThan(seen[3]!);
});

describe("band", () => {
  const column = plateau(4500, 10, 12);
  const scored = score(column);

  test("holds the values that raise nothing, and none that does, but the first usual one of an anomaly", () => {
    const { length } = column;
    let isRaised = false;
    let held = 0;
    let outside = 0;
    for (let i = TRAINED; i < length; i++) {
      const value = scored.score[i]!;
      isRaised = isRaised ? value >= thresholds.min : value > thresholds.max;
      const isWithin = column[i]! >= scored.lower[i]! && column[i]! <= scored.upper[i]!;
      held = isRaised && isWithin ? held + 1 : 0;
      expect(held).toBeLessThanOrEqual(1);
      if (!isRaised && !isWithin) outside++;
    }
    // Drawn by the detectors that judge a value alone: of a value just outside, windows may say that it is usual.
    expect(outside).toBeLessThan(0.01 * (length - TRAINED));
  });

  test("surrounds the expected value, near the true one", () => {
    for (let i = TRAINED; i < 4500; i++) {
      expect(Math.abs(scored.expected[i]! - expected[i]!)).toBeLessThan(4);
      expect(scored.lower[i]!).toBeLessThanOrEqual(scored.expected[i]!);
      expect(scored.upper[i]!).toBeGreaterThanOrEqual(scored.expected[i]!);
    }
  });

  test("is known where nothing was observed", () => {
    const { lower, upper, expected: center } = score(column.with(4700, Number.NaN));
    expect(lower[4700]!).toBeLessThan(center[4700]!);
    expect(upper[4700]!).toBeGreaterThan(center[4700]!);
  });

  test("is narrower at a lower rarity", () => {
    const narrow = score(column, { bandLimit: 0.5 });
    expect(narrow.upper[4400]! - narrow.lower[4400]!).toBeLessThan(scored.upper[4400]! - scored.lower[4400]!);
  });
});

test("evidence: contributions add up to one; the nearest stretch is an earlier one", () => {
  const { evidence } = score(disturbed({ 4500: 15 }));
  const { contributions, nearest } = evidence.get(4500)!;
  expect(Object.values(contributions).reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 12);
  expect(nearest!.distance).toBeGreaterThan(0.1);
  expect(nearest!.at).toBeLessThan(4500 * STEP);
  expect(evidence.has(4400)).toBe(false);
});

test("the comparison score of a point is higher in a short history than that of thresholds in a long one", () => {
  const { evidence, score: scores } = score(disturbed({ 4500: 4 }));
  // Ranked among some 4500 points, less than the 10 000 at which both are equal.
  const ratio = evidence.get(4500)!.comparison_score! / scores[4500]!;
  expect(ratio).toBeWithin(4 / Math.log10(4600), 4 / Math.log10(4000));
});

test("a second spike of a burst is no news, a larger one is", () => {
  const scores = score(disturbed({ 4500: 4.6, 4560: 4, 4600: 20 })).score;
  const alone = score(disturbed({ 4560: 4 })).score;
  expect(scores[4560]).toBeLessThan(0.8 * alone[4560]!);
  expect(scores[4600]).toBeGreaterThan(scores[4560]!);
});

test("the rarity, by which points are ranked, knows no rule for bursts", () => {
  const { score: scores, rarity } = score(disturbed({ 4500: 4.6, 4520: 4 }));
  // Nats to decades, six of which are score 100; three quarters for what the burst has shown before.
  expect(scores[4520]).toBeCloseTo((0.75 * 100 * rarity[4520]!) / Math.LN10 / 6, 6);
});

test("a direction that does not count scores nothing", () => {
  const { score: scores } = score(disturbed({ 4500: 15 }), { sides: { below: true, above: false } });
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
    score(seen, {
      network: networkOf(
        seen,
        guess.map((nll, i) => (Number.isFinite(seen[i]!) ? nll : Number.NaN)),
      ),
    }).score[at]!;
  expect(scoreAt(lost)).toBeLessThan(thresholds.min);
  expect(scoreAt(around)).toBeGreaterThan(scoreAt(lost) + 10);
});

test("point by point, with the memory kept as JSON, the scores are the same bits as in one go", () => {
  const column = plateau(4100, 20, 10);
  const whole = score(column.slice(0, 4200), { ranged: true });
  let memory: Memory | undefined;
  for (let end = TRAINED + 1; end <= 4200; end++) {
    const part = score(column.slice(0, end), { from: end - 1, memory, ranged: true });
    expect(part.score[end - 1]).toBe(whole.score[end - 1]!);
    expect(part.rangeRarity[end - 1]).toBe(whole.rangeRarity[end - 1]!);
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

test("scoring pauses every 50 intervals, and ends with the same scores", () => {
  const steps = scoreInSteps(ensemble, inputOf(normal));
  let pauses = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      expect(Array.from(value.score)).toEqual(Array.from(score(normal).score));
      break;
    }
    pauses++;
  }
  expect(pauses).toBe(Math.floor((normal.length - TRAINED) / 50));
});

test("a score does not depend on what comes later", () => {
  const column = disturbed({ 4800: 30 });
  const early = score(column.slice(0, 4700)).score;
  expect(Array.from(score(column).score.slice(0, 4700))).toEqual(Array.from(early));
});
