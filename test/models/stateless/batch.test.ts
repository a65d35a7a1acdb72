// Batch detection: obvious anomalies of a series are found, and nothing else.
import { describe, expect, test } from "bun:test";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import type { DetectInput, Detection } from "../../../src/models/stateless/detection.ts";
import { makeSeries, signal, toInput, wave } from "./support.ts";

const detect = (column: Float64Array, over?: Partial<DetectInput>) =>
  detectBatch(toInput(column, over), signal);

/** Indices of the anomalies; below zero stands for one that is too low. */
function anomaliesOf({ direction }: Detection): number[] {
  return [...direction.entries()].filter(([, sign]) => sign !== 0).map(([i, sign]) => i * sign);
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);

test.each([
  ["a spike in noise", makeSeries(2000, (i, noise) => (i === 1500 ? 12 : 0) + noise), [1500]],
  ["a drop in noise", makeSeries(2000, (i, noise) => (i === 1500 ? -12 : 0) + noise), [-1500]],
  ["a spike in a constant", makeSeries(500, (i) => (i === 250 ? 9 : 5)), [250]],
  [
    "the beginning of a new level",
    makeSeries(2000, (i, noise) => (i >= 1500 ? 12 : 0) + noise),
    range(1500, 1505),
  ],
  [
    "all of a level that passes",
    makeSeries(2000, (i, noise) => (i >= 1500 && i < 1530 ? 12 : 0) + noise),
    range(1500, 1530),
  ],
  [
    "a beat that is missing",
    makeSeries(1000, (i, noise) => (i % 20 === 0 && i !== 500 ? 10 : 0) + 0.3 * noise),
    [-500],
  ],
  [
    "a beat too many",
    makeSeries(1000, (i, noise) => (i % 20 === 0 || i === 510 ? 10 : 0) + 0.3 * noise),
    [510],
  ],
  [
    "a beat that is missing among beats seven times noisier than what lies between",
    makeSeries(2000, (i, noise) => (i % 12 === 0 && i !== 996 ? 60 + 2 * noise : 0.3 * noise), 6),
    [-996],
  ],
  [
    "a normal value at the wrong time",
    makeSeries(2000, (i, noise) => wave(i === 1012 ? i + 24 : i, 48) + 0.5 * noise),
    [-1012],
  ],
  [
    "a spike on a slope with a season",
    makeSeries(2000, (i, noise) => 0.02 * i + wave(i, 24) + 0.5 * noise + (i === 700 ? 6 : 0)),
    [700],
  ],
  ["one of three kinds of counts", makeSeries(2000, (i) => (i === 900 ? 20 : Number(i % 10 === 0))), [900]],
  ["fifty among ones that are rare", makeSeries(1000, (i) => (i === 500 ? 50 : Number(i % 97 === 3))), [500]],
  [
    "ten and minus five among zeros",
    makeSeries(500, (i) => (i === 200 ? 10 : i === 300 ? -5 : 0)),
    [200, -300],
  ],
  [
    "a small event on a large level",
    makeSeries(400, (i, noise) => 1e12 + wave(i, 24) / 10 + 0.02 * noise + (i === 300 ? 3 : 0)),
    [300],
  ],
  ["nothing in rare ones", makeSeries(1000, (i) => Number(i % 97 === 3)), []],
  [
    "nothing in noise below the precision",
    makeSeries(400, (i, noise) => 1e15 + (i === 300 ? 3 : 0.02 * noise)),
    [],
  ],
  ["nothing in a constant", makeSeries(500, () => 5), []],
  ["nothing in zeros", makeSeries(500, () => 0), []],
  ["nothing in a slope", makeSeries(500, (i) => 0.5 * i), []],
  ["nothing in a season", makeSeries(2000, (i) => wave(i, 48)), []],
  ["nothing in a season with noise", makeSeries(2000, (i, noise) => wave(i, 48) + noise), []],
  ["nothing in twelve points", makeSeries(12, (_, noise) => noise), []],
] as [string, Float64Array, number[]][])("finds %s", async (_name, column, expected) => {
  expect(anomaliesOf(await detect(column))).toEqual(expected);
});

test("in noise one point in some thousands is odd", async () => {
  let count = 0;
  for (let seed = 1; seed <= 20; seed++)
    count += anomaliesOf(
      await detect(
        makeSeries(2000, (_, noise) => noise, seed),
        { period: 0 },
      ),
    ).length;
  expect(count).toBeLessThan(20 * 2);
});

test.each([0.1, 0.2, 0.4])("a share of %p of anomalies is found", async (share) => {
  const isOdd = (i: number) => (i * 0.618) % 1 < share;
  const column = makeSeries(2000, (i, noise) => (isOdd(i) ? 40 : 0) + noise);
  const found = anomaliesOf(await detect(column, { period: 0, maxAnomalyRatio: 0.45 }));
  const wanted = range(0, 2000).filter(isOdd);
  expect(found).toEqual(wanted);
});

test("no more are anomalies than may be", async () => {
  const column = makeSeries(1000, (i, noise) => (i % 10 === 3 ? 40 + i : 0) + noise);
  const found = anomaliesOf(await detect(column, { period: 0, maxAnomalyRatio: 0.02 }));
  expect(found).toEqual(range(80, 100).map((k) => 10 * k + 3));
});

describe("settings", () => {
  const column = makeSeries(1000, (i, noise) => wave(i, 24) + noise + (i === 500 ? 9 : i === 700 ? -9 : 0));

  test("a higher sensitivity narrows the margins and never loses an anomaly", async () => {
    let before: Detection | undefined;
    for (const sensitivity of [0, 50, 80, 90, 95, 99]) {
      const detection = await detect(column, { sensitivity });
      if (before) {
        expect(detection.margin.every((margin, i) => margin < before!.margin[i]!)).toBe(true);
        const found = new Set(anomaliesOf(detection));
        expect(anomaliesOf(before).every((i) => found.has(i))).toBe(true);
      }
      before = detection;
    }
    expect(anomaliesOf(await detect(column, { sensitivity: 0 }))).toEqual([]);
  });

  test.each([
    ["low", [-700]],
    ["high", [500]],
    ["low_high", [500, -700]],
  ] as const)("direction %s", async (anomalyType, expected) => {
    expect(anomaliesOf(await detect(column, { anomalyType }))).toEqual([...expected]);
  });

  test("a week counts where it explains more", async () => {
    const weekend = (i: number) => (Math.floor(i / 24) % 7 < 2 ? 0 : 1);
    const weeks = makeSeries(24 * 7 * 6, (i, noise) => weekend(i) * (20 + wave(i, 24)) + 0.5 * noise);
    const odd = weeks.slice();
    odd[24 * 7 * 3 + 12] = 30;
    const plain = await detect(odd, { period: 24 });
    const weekly = await detect(odd, { period: 24, week: 168 });
    const errorOf = ({ expected }: Detection) =>
      expected.reduce((sum, value, i) => sum + Math.abs(value - weeks[i]!), 0);
    expect(errorOf(weekly)).toBeLessThan(0.5 * errorOf(plain));
    expect(anomaliesOf(weekly)).toContain(24 * 7 * 3 + 12);
  });
});

test("flags, margins, severity and scores agree", async () => {
  const column = makeSeries(1000, (i, noise) => wave(i, 24) + noise + (i % 300 === 150 ? 6 + i / 50 : 0));
  const { expected, margin, direction, severity, score } = await detect(column);
  for (const [i, value] of column.entries()) {
    const beyond = Math.abs(value - expected[i]!) > margin[i]!;
    expect(direction[i]).toBe(beyond ? Math.sign(value - expected[i]!) : 0);
    expect(severity[i]! > 0).toBe(beyond);
    expect(severity[i]).toBeLessThan(1);
    expect(score[i]).toBeWithin(0, 100.001);
  }
  const flagged = [...score].filter((_, i) => direction[i] !== 0);
  const normal = [...score].filter((_, i) => direction[i] === 0);
  expect(Math.min(...flagged)).toBeGreaterThan(Math.max(...normal) - 1e-9);
});

test("a very long season is a season too", async () => {
  const column = makeSeries(12_000, (i, noise) => wave(i, 4000) + 0.3 * noise + (i === 9000 ? 8 : 0));
  const detection = await detect(column, { period: 4000 });
  expect(anomaliesOf(detection)).toContain(9000);
  expect(anomaliesOf(detection).length).toBeLessThan(12);
});

test.each([
  [24, 10, 80],
  [24, 30, -40],
  [48, 20, 8],
])("a job of one interval in %p, %p times by %p: only the one that is missing is odd", async (period, cycles, by) => {
  const missing = Math.floor(cycles / 2) * period + 6;
  const column = makeSeries(
    cycles * period,
    (i, noise) => 50 + 0.5 * noise + (i % period === 6 && i !== missing ? by : 0),
  );
  expect(anomaliesOf(await detect(column, { period, sensitivity: 90 }))).toEqual([-Math.sign(by) * missing]);
});

test("gaps are expected like any other point, and not scored", async () => {
  const column = makeSeries(1000, (i, noise) => wave(i, 24) + 0.3 * noise);
  for (let i = 400; i < 410; i++) column[i] = Number.NaN;
  const { expected, score, direction } = await detect(column);
  for (let i = 400; i < 410; i++) {
    expect(Math.abs(expected[i]! - wave(i, 24))).toBeLessThan(1);
    expect(score[i]).toBeNaN();
    expect(direction[i]).toBe(0);
  }
});

test("who gives up is heard", async () => {
  const gone = AbortSignal.abort();
  const column = makeSeries(10_000, (_, noise) => noise);
  await expect(detectBatch(toInput(column, { period: 0 }), gone)).rejects.toMatchObject({
    code: "canceled",
  });
});

test("of pulses that stop, those missing and the points beyond the usual length are marked as low", async () => {
  const isStopped = (i: number) => i >= 1500 && i < 1600;
  const column = makeSeries(4000, (i, noise) => (i % 20 < 5 && !isStopped(i) ? 90 : 2) + noise);
  for (let i = 1486; i < 1495; i++) column[i] = Number.NaN;
  const detection = await detect(column, { period: 20 });
  expect(detection.runs.map(({ from, to, usual }) => [from, to, usual])).toEqual([[1485, 1600, 15]]);
  const marked = anomaliesOf(detection).map((i) => -i);
  expect(marked).toEqual([...range(1500, 1505), ...range(1509, 1600)]);
});

test("what is little by day is much at a time that is always quiet", async () => {
  const sun = (i: number) => Math.max(0, Math.sin((2 * Math.PI * (i % 96)) / 96));
  const power = (i: number, noise: number) => 3000 * sun(i) * (1 - 0.2 * Math.abs(noise));
  const clean = makeSeries(96 * 21, power);
  expect(anomaliesOf(await detect(clean, { period: 96 }))).toEqual([]);
  const night = 96 * 15 + 72;
  const odd = clean.slice().fill(800, night, night + 2);
  expect(anomaliesOf(await detect(odd, { period: 96 }))).toEqual([night, night + 1]);
});
