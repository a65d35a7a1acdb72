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

test.each(Object.keys(kinds))("%s: point by point, as live, the scores are those in one go", (kind) => {
  const column = makeColumn(kind, 1, 3);
  const trained = TRAINED_DAYS * PER_DAY;
  const unseen = (length: number) => new Float64Array(length).fill(Number.NaN);
  const both = { below: true, above: true };
  const silent = { nll: unseen(trained), expected: unseen(trained) };
  const timeline = { startAt: 0, intervalMs };
  const training = { timeline, column: column.slice(0, trained), ...silent, span: 120, sides: both };
  const ensemble = fitEnsemble(training);
  const history = ensemble.linear.window - 1;
  const score = (from: number, to: number, memory?: Memory) => {
    const values = column.slice(from - history, to);
    const [expected, deviation, nll] = [unseen(values.length), unseen(values.length), unseen(values.length)];
    return scoreEnsemble(ensemble, {
      ...{ column: values, network: { expected, deviation, nll, unit: 1 }, from: history },
      ...{ sides: both, thresholds, memory, ranged: true },
      timeline: { startAt: (from - history) * intervalMs, intervalMs },
    });
  };
  const whole = score(trained, column.length);
  let memory: Memory | undefined;
  for (let i = trained; i < column.length; i++) {
    const part = score(i, i + 1, memory);
    expect(part.score[history]).toBe(whole.score[history + i - trained]!);
    memory = JSON.parse(JSON.stringify(part.memory));
  }
});
