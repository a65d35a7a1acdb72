// Blocks: packing, merging and splitting are lossless, to the bits of special values.
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
import { dropSpecial, dropTexts } from "../../src/tsdb/special/kept-points.ts";
import { roundsOf } from "../support/rounds.ts";

/** Bits of NaN as a value, and of a stale marker. */
const [NAN, STALE] = [0x7ff8000000000001n, 0x7ff0000000000002n];
type Value = number | string | boolean | typeof NAN | typeof STALE;

function makeRun(points: ReadonlyMap<number, Value>): FieldPoints {
  const times = [...points.keys()].sort((a, b) => a - b);
  const others = new Map<number, string | boolean>();
  const values = new Float64Array(times.length);
  const bits = new BigUint64Array(values.buffer);
  for (const [i, at] of times.entries()) {
    const value = points.get(at)!;
    if (typeof value === "bigint") bits[i] = value;
    else if (typeof value === "number") values[i] = value;
    else {
      values[i] = Number.NaN;
      others.set(at, value);
    }
  }
  return { times: Float64Array.from(times), values, others };
}

function listPoints({ times, values, others }: FieldPoints): [number, Value][] {
  const bits = new BigUint64Array(values.buffer, values.byteOffset, values.length);
  const readValue = (i: number) => (Number.isNaN(values[i]) ? (bits[i] as Value) : values[i]!);
  return Array.from(times, (at, i) => [at, others.get(at) ?? readValue(i)]);
}

const isSpecial = (value: Value) =>
  typeof value === "bigint" || value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const special = fc.constantFrom<Value>(NAN, STALE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
const text = fc.oneof(fc.boolean(), fc.string());
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 1, arbitrary: special },
  text,
);
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
      { numRuns: roundsOf(50) },
    );
  });

  test("of special values and texts readers take what they need, and a block without special values says nothing of them", () => {
    const value = fc.oneof(number, special, text);
    const plain = fc.oneof(number, text);
    const run = (arbitrary: fc.Arbitrary<Value>) =>
      fc.array(arbitrary, { minLength: 1, maxLength: 20 }).map((list) => new Map(list.entries()));
    fc.assert(
      fc.property(fc.oneof(run(value), run(plain), run(special)), (map) => {
        const row = encodeBlock(makeRun(map));
        const all = [...map];
        const view = viewBlock(row);
        const ofView = (kept: typeof view) =>
          listPoints({ times: timesOf(kept), values: kept.values, others: decodeBlock(row).others });
        const counted = all.filter(([, value]) => !isSpecial(value));
        expect(ofView(dropSpecial(view))).toEqual(counted);
        const numbers = all.filter(([, value]) => typeof value === "number" || typeof value === "bigint");
        expect(ofView(dropTexts(view))).toEqual(numbers);
        const finite = counted.filter(([, value]) => typeof value === "number");
        const plainView = dropTexts(dropSpecial(view));
        expect(ofView(plainView)).toEqual(finite);
        expect([view.isNumeric, plainView.isNumeric, plainView.hasSpecial]).toEqual([
          finite.length === all.length,
          true,
          false,
        ]);
        expect(view.hasSpecial).toBe(counted.length < all.length);
        if (counted.length === all.length && finite.length < all.length)
          expect(row.others).toBe(JSON.stringify(counted.filter(([, value]) => typeof value !== "number")));
      }),
    );
  });

  test("a full block with special values fits a page", () => {
    const even = Array.from({ length: 503 }, (_, i) => [i * 1000, i === 250 ? NAN : i] as const);
    const ended = Array.from({ length: 503 }, (_, i) => [i * 1000, STALE] as const);
    for (const points of [even, ended])
      expect(encodeBlock(makeRun(new Map<number, Value>(points))).others!.length).toBe(2);
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
      { numRuns: roundsOf(50) },
    );
  });

  test("a block ends at the text that exceeds its characters, and each has the texts of its own instants", () => {
    const texts = Array.from({ length: 40 }, (_, i) => [i * 1000, `${i}`.repeat(5000)] as const);
    for (const atEnd of [true, false]) {
      const pieces = splitIntoBlocks(makeRun(new Map<number, Value>(texts)), atEnd);
      for (const { times, others } of pieces) {
        expect([...others.keys()]).toEqual([...times]);
        const characters = [...others.values()].reduce((sum, text) => sum + `${text}`.length, 0);
        expect(characters).toBeLessThan(65_536 + 10_000);
      }
      expect(pieces.flatMap(listPoints)).toEqual(texts.map(([at, text]) => [at, text]));
    }
  });

  test("merged, the newer point of an instant counts", () => {
    fc.assert(
      fc.property(points(), points(), (older, newer) => {
        const merged = mergePoints(makeRun(older), makeRun(newer));
        expect(listPoints(merged)).toEqual(listPoints(makeRun(new Map([...older, ...newer]))));
        expect([...merged.others.keys()].every((at) => merged.times.includes(at))).toBe(true);
      }),
      { numRuns: roundsOf(50) },
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
