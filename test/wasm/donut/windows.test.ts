// Windows and batches: which windows count, what a batch holds, what injection hides.
import { expect, test } from "bun:test";
import { BatchStream, createRows, injectMissing, thin, windowStarts } from "../../../wasm/donut/windows.ts";
import { createRandom } from "../../../wasm/random.ts";

const seriesOf = (observed: readonly number[]) => ({
  values: Float32Array.from(observed, (a, i) => (a ? i + 1 : 0)),
  observed: Uint8Array.from(observed),
});

const rows: readonly [string, number[], number, [number, number], number[]][] = [
  ["all windows of a full series", [1, 1, 1, 1], 2, [0, 4], [0, 1, 2]],
  ["none where the series is shorter than a window", [1, 1], 3, [0, 2], []],
  ["only those inside the range", [1, 1, 1, 1, 1], 2, [1, 4], [1, 2]],
  ["none without an observed point", [1, 0, 0, 0, 1], 2, [0, 5], [0, 3]],
  ["none of an empty series", [], 2, [0, 0], []],
];

for (const [name, observed, width, range, starts] of rows) {
  test(`window starts: ${name}`, () => {
    expect(Array.from(windowStarts(seriesOf(observed), width, range))).toEqual(starts);
  });
}

test("thinning keeps the spread", () => {
  expect(
    Array.from(
      thin(
        Int32Array.from({ length: 10 }, (_, i) => i),
        5,
      ),
    ),
  ).toEqual([0, 2, 4, 6, 8]);
  expect(Array.from(thin(Int32Array.of(1, 2), 5))).toEqual([1, 2]);
});

test("injection hides a share of the points, in value and mask alike", () => {
  const series = seriesOf(new Array(1000).fill(1));
  const { values, mask } = injectMissing(series, 0.1, createRandom(1));
  const hidden = mask.filter((a) => a === 0).length;
  expect(hidden).toBeGreaterThan(80);
  expect(hidden).toBeLessThanOrEqual(100);
  for (const [i, a] of mask.entries()) expect(values[i]).toBe(a * (i + 1));
  expect(series.observed.every((a) => a === 1)).toBe(true);
});

test("an epoch's batches hold every window once, in an order that changes from epoch to epoch", () => {
  const series = seriesOf(new Array(9).fill(1));
  const starts = windowStarts(series, 2, [0, 9]);
  const options = { width: 2, batch: 4, injection: 0, tails: 0, random: createRandom(5) };
  const stream = new BatchStream(series, starts, options);
  const epoch = () => {
    const batch = createRows(8, 2);
    stream.fill(batch, 0);
    stream.fill(batch, 4);
    return Array.from({ length: 8 }, (_, row) => batch.x[row * 2]!);
  };
  const [first, second] = [epoch(), epoch()];
  expect(first.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(second.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(first).not.toEqual(second);
});

test("hidden tails lie at the end of a window and cover at most half of it", () => {
  const series = seriesOf(new Array(100).fill(1));
  const starts = windowStarts(series, 8, [0, 100]);
  const stream = new BatchStream(series, starts, {
    width: 8,
    batch: 64,
    injection: 0,
    tails: 1,
    random: createRandom(2),
  });
  const rows = createRows(64, 8);
  stream.fill(rows, 0);
  for (let row = 0; row < 64; row++) {
    const mask = Array.from(rows.mask.subarray(row * 8, row * 8 + 8));
    const hidden = mask.filter((a) => a === 0).length;
    expect(hidden).toBeGreaterThanOrEqual(1);
    expect(hidden).toBeLessThanOrEqual(4);
    expect(mask.slice(8 - hidden).every((a) => a === 0)).toBe(true);
    for (const [i, a] of mask.entries()) if (a === 0) expect(rows.x[row * 8 + i]).toBe(0);
  }
});
