// Gaps: missing points raise nothing where the series goes on as it would have, and no fault after them is hidden.
import { describe, expect, test } from "bun:test";
import { scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { Memory } from "../../../src/models/detectors/types.ts";
import { createRandom, type Random } from "../../../wasm/random.ts";
import { DAY, episodesOf, HOUR, MINUTE } from "./raised.ts";

const intervalMs = 15 * MINUTE;
const TRAINED_DAYS = 28;
const PER_DAY = DAY / intervalMs;
const thresholds = { min: 25, max: 50 };
/** Intervals that are missing, by the hours after the training at which they begin. */
const gaps = [
  { hour: 10, missing: 1 },
  { hour: 30, missing: 5 },
  { hour: 52, missing: 40 },
];
const startOf = (hour: number) => TRAINED_DAYS * PER_DAY + (hour * HOUR) / intervalMs;

const kinds: Readonly<Record<string, (random: Random) => () => number>> = {
  "a smooth temperature": (random) => {
    let off = 0;
    return () => {
      off = 0.995 * off + 0.03 * random.normal();
      return 21 + off;
    };
  },
  "a load that wanders": (random) => {
    let off = 0;
    return () => {
      off = 0.95 * off + random.normal();
      return 50 + off;
    };
  },
  noise: (random) => () => 100 + 5 * random.normal(),
};

function makeColumn(kind: string, seed: number, days = 4): Float64Array {
  const next = kinds[kind]!(createRandom(seed));
  const column = Float64Array.from({ length: (TRAINED_DAYS + days) * PER_DAY }, next);
  for (const { hour, missing } of gaps) column.fill(Number.NaN, startOf(hour), startOf(hour) + missing);
  return column;
}

/** Intervals at which anomalies begin. */
function beginsOf(column: Float64Array): number[] {
  const found = episodesOf({ column, trainedDays: TRAINED_DAYS, intervalMs, thresholds });
  return found.map(({ startAt }) => (startAt - Date.UTC(2026, 0, 4)) / intervalMs);
}

describe.each(Object.keys(kinds))("%s", (kind) => {
  test.each([1, 2, 3])("raises nothing after a gap, noise %d", (seed) => {
    const begins = beginsOf(makeColumn(kind, seed));
    for (const { hour, missing } of gaps) {
      const back = startOf(hour) + missing;
      expect(begins.filter((i) => i >= back && i < back + 4)).toEqual([]);
    }
  });
});

test.each([1, 2, 3])("a fault that begins in a gap is found, noise %d", (seed) => {
  const column = makeColumn("noise", seed);
  const back = startOf(30) + 5;
  for (let i = back; i < back + 8; i++) column[i]! += 60;
  expect(beginsOf(column).some((i) => i >= back && i < back + 3)).toBe(true);
});

/** Scores a column after its training, which may have other values the next time. */
function scorerOf(training: Float64Array) {
  const trained = training.length;
  const unseen = (length: number) => new Float64Array(length).fill(Number.NaN);
  const both = { below: true, above: true };
  const silent = { nll: unseen(trained), expected: unseen(trained) };
  const timeline = { startAt: 0, intervalMs };
  const ensemble = fitEnsemble({ timeline, column: training, ...silent, span: 120, sides: both });
  const history = ensemble.linear.window - 1;
  const score = (column: Float64Array, [from, to]: readonly [number, number], memory?: Memory) => {
    const values = column.slice(from - history, to);
    const [expected, deviation, nll] = [unseen(values.length), unseen(values.length), unseen(values.length)];
    return scoreEnsemble(ensemble, {
      ...{ column: values, network: { expected, deviation, nll, unit: 1 }, from: history },
      ...{ sides: both, thresholds, memory, ranged: true },
      timeline: { startAt: (from - history) * intervalMs, intervalMs },
    });
  };
  return { score, history };
}

test.each(Object.keys(kinds))("%s: point by point, as live, the scores are those in one go", (kind) => {
  const column = makeColumn(kind, 1, 3);
  const trained = TRAINED_DAYS * PER_DAY;
  const { score, history } = scorerOf(column.slice(0, trained));
  const whole = score(column, [trained, column.length]);
  let memory: Memory | undefined;
  for (let i = trained; i < column.length; i++) {
    const part = score(column, [i, i + 1], memory);
    expect(part.score[history]).toBe(whole.score[history + i - trained]!);
    memory = JSON.parse(JSON.stringify(part.memory));
  }
});

test.each([4, 30])("%d points that come late take the place of what was expected", (missing) => {
  const random = createRandom(3);
  const trained = TRAINED_DAYS * PER_DAY;
  // A sawtooth that no calendar knows: of the ends of a gap nobody can say what lies between.
  const whole = Float64Array.from({ length: trained + 700 }, (_, i) => (i % 37) + 0.3 * random.normal());
  const { score, history } = scorerOf(whole.slice(0, trained));
  const [from, to] = [trained + 500, trained + 500 + missing];
  let memory: Memory | undefined;
  for (let i = trained; i < to + 40; i++) {
    const known = whole.slice(0, i + 1);
    if (i < to) known.fill(Number.NaN, from);
    const part = score(known, [i, i + 1], memory);
    if (i >= to) expect(part.score[history]).toBeLessThan(thresholds.max);
    memory = JSON.parse(JSON.stringify(part.memory));
  }
});
