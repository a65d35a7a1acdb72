// Windows and batches: their starts, their contents, and injection of missing points.
import { expect, test } from "bun:test";
import {
  BatchStream,
  copyWindow,
  createRows,
  injectMissing,
  RowBuffer,
  stretchStarts,
  thin,
  toMasked,
  windowStarts,
} from "../../../wasm/donut/windows.ts";
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
  const options = { shape: { window: 2 }, batch: 4, injection: 0, tails: 0, random: createRandom(5) };
  const stream = new BatchStream(series, starts, options);
  const epoch = () => {
    const batch = createRows(8, { window: 2 });
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
    shape: { window: 8 },
    batch: 64,
    injection: 0,
    tails: 1,
    random: createRandom(2),
  });
  const rows = createRows(64, { window: 8 });
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

test("a window comes with the condition of its last point, missing or not", () => {
  const conditions = Float32Array.from({ length: 10 }, (_, i) => 10 + i);
  const source = toMasked({ ...seriesOf([1, 1, 1, 0, 1]), conditions });
  const shape = { window: 3, condition: 2 };
  const rows = createRows(2, shape);
  copyWindow(source, rows, { start: 1, row: 0, shape });
  copyWindow(source, rows, { start: 2, row: 1, shape });
  expect(Array.from(rows.x)).toEqual([2, 3, 0, 3, 0, 5]);
  expect(Array.from(rows.condition)).toEqual([16, 17, 18, 19]);
});

test("batches are the same with conditions as without, but for the conditions", () => {
  const plain = seriesOf(new Array(50).fill(1));
  const conditions = Float32Array.from(plain.values, (value) => -value);
  const starts = windowStarts(plain, 4, [0, 50]);
  const [without, withThem] = [undefined, 1].map((condition) => {
    const shape = { window: 4, ...(condition && { condition }) };
    const options = { shape, batch: 16, injection: 0.1, tails: 0.3, random: createRandom(3) };
    const series = condition ? { ...plain, conditions } : plain;
    const rows = createRows(16, shape);
    new BatchStream(series, starts, options).fill(rows, 0);
    return rows;
  });
  expect(withThem!.x).toEqual(without!.x);
  expect(withThem!.mask).toEqual(without!.mask);
  expect(without!.condition).toHaveLength(0);
  for (let row = 0; row < 16; row++) {
    // Window k of a series that counts up from 1 holds k + 1 at its place k.
    const known = Array.from(withThem!.x.subarray(row * 4, row * 4 + 4), (x, i) => (x > 0 ? x - i : 0));
    const first = known.find((value) => value > 0);
    if (first !== undefined) expect(withThem!.condition[row]).toBe(-(first + 3));
  }
});

test("windows lie within stretches, as many of each source, those of a short one repeated", () => {
  const series = seriesOf(new Array(40).fill(1));
  const stretches = [
    { source: 0, from: 0, to: 5 },
    { source: 1, from: 5, to: 15 },
    { source: 1, from: 30, to: 40 },
    { source: 2, from: 15, to: 18 },
  ];
  const starts = Array.from(stretchStarts(series, 4, stretches, 1000));
  const own = (from: number, to: number) => starts.filter((start) => start >= from && start < to);
  expect(new Set(own(0, 5))).toEqual(new Set([0, 1]));
  expect(own(0, 5)).toHaveLength(14);
  expect([...own(5, 15), ...own(30, 40)]).toEqual([5, 6, 7, 8, 9, 10, 11, 30, 31, 32, 33, 34, 35, 36]);
  expect(starts).toHaveLength(28);
  expect(stretchStarts(series, 4, stretches, 10)).toHaveLength(10);
  expect(stretchStarts(series, 4, stretches.slice(3), 10)).toHaveLength(0);
});

test("rows of a buffer have the size that is asked for, in the same memory where it is large enough", () => {
  const buffer = new RowBuffer({ window: 3, condition: 2 });
  const sizes = ({ x, mask, condition }: ReturnType<RowBuffer["take"]>) =>
    [x, mask, condition].map(({ length }) => length);
  const four = buffer.take(4);
  expect(sizes(four)).toEqual([12, 12, 8]);
  const two = buffer.take(2);
  expect(sizes(two)).toEqual([6, 6, 4]);
  expect(two.x.buffer).toBe(four.x.buffer);
  expect(sizes(buffer.take(5))).toEqual([15, 15, 10]);
});
