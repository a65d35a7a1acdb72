// Blocks: packing, merging and splitting are lossless.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  BLOCK_POINTS,
  clipBlock,
  decodeBlock,
  encodeBlock,
  type FieldPoints,
  mergePoints,
  splitIntoBlocks,
  timesOf,
  viewBlock,
} from "../../src/tsdb/block.ts";

type Value = number | string | boolean;

function makeRun(points: ReadonlyMap<number, Value>): FieldPoints {
  const times = [...points.keys()].sort((a, b) => a - b);
  const others = new Map<number, string | boolean>();
  for (const [at, value] of points) if (typeof value !== "number") others.set(at, value);
  const values = times.map((at) => (others.has(at) ? Number.NaN : (points.get(at) as number)));
  return { times: Float64Array.from(times), values: Float64Array.from(values), others };
}

function listPoints({ times, values, others }: FieldPoints): [number, Value][] {
  return Array.from(times, (at, i) => [at, others.get(at) ?? values[i]!]);
}

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const value: fc.Arbitrary<Value> = fc.oneof({ weight: 5, arbitrary: number }, fc.boolean(), fc.string());
const instant = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1e13, max: 1e13 }));
const points = (minLength = 0) =>
  fc
    .array(fc.tuple(instant, value), { minLength, maxLength: 1600, size: "max" })
    .map((list) => new Map(list));

describe("blocks", () => {
  test("a cut run, packed and unpacked, is the run; no block is too large or too long", () => {
    fc.assert(
      fc.property(points(1), fc.boolean(), (map, atEnd) => {
        const run = makeRun(map);
        const pieces = splitIntoBlocks(run, atEnd);
        for (const { times } of pieces) {
          expect(times.length).toBeGreaterThan(0);
          expect(times.length).toBeLessThanOrEqual(BLOCK_POINTS);
          expect(times[times.length - 1]! - times[0]!).toBeLessThan(2 ** 32);
        }
        const unpacked = pieces.flatMap((piece) => listPoints(decodeBlock(encodeBlock(piece))));
        expect(unpacked).toEqual(listPoints(run));
      }),
      { numRuns: 50 },
    );
  });

  test("evenly spaced points take eight bytes each, and as many as fit a page a block", () => {
    const gap = fc.integer({ min: 0, max: 1500 });
    const step = fc.integer({ min: 1, max: 1e7 });
    fc.assert(
      fc.property(gap, step, fc.boolean(), (skipped, stepMs, atEnd) => {
        const instants = Array.from({ length: 1501 }, (_, i) => i).filter((i) => i !== skipped);
        const run = makeRun(new Map(instants.map((i) => [i * stepMs - 7, i])));
        const rows = splitIntoBlocks(run, atEnd).map(encodeBlock);
        expect(rows.flatMap((row) => listPoints(decodeBlock(row)))).toEqual(listPoints(run));
        // A page of 4096 bytes has room for 4061 of a row, its other columns included.
        for (const { data } of rows) expect(data.length).toBeLessThanOrEqual(4040);
        const bytes = rows.reduce((sum, { data }) => sum + data.length, 0);
        if (skipped === 0 || skipped === 1500) expect(bytes).toBe(1500 * 8 + rows.length * 5);
      }),
      { numRuns: 50 },
    );
  });

  test("merged, the newer point of an instant counts", () => {
    fc.assert(
      fc.property(points(), points(), (older, newer) => {
        const merged = mergePoints(makeRun(older), makeRun(newer));
        expect(listPoints(merged)).toEqual(listPoints(makeRun(new Map([...older, ...newer]))));
        expect([...merged.others.keys()].every((at) => merged.times.includes(at))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("clipping keeps what lies in the range, from inclusive, to exclusive", () => {
    const near = fc.integer({ min: -1100, max: 1100 });
    fc.assert(
      fc.property(fc.uniqueArray(near, { minLength: 1 }), near, near, (instants, from, to) => {
        const run = makeRun(new Map(instants.map((at) => [at, at])));
        const clipped = clipBlock(viewBlock(encodeBlock(run)), from, to);
        const expected = [...run.times].filter((at) => at >= from && at < to);
        expect([...timesOf(clipped)]).toEqual(expected);
        expect([...clipped.values]).toEqual(expected);
      }),
    );
  });
});
