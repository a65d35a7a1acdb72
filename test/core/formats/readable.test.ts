// Human-readable numbers, durations and probabilities.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatRarity, formatSi, formatSpan, formatTogether } from "../../../src/core/formats/readable.ts";

test.each([
  [0, "0"],
  [93.4, "93.4"],
  [6.193806193806195, "6.19"],
  [999.4, "999"],
  [999.7, "1 k"],
  [1234, "1.23 k"],
  [-3_400_000, "-3.4 M"],
  [8.05e9, "8.05 G"],
  [0.5, "0.5"],
  [0.0123, "0.0123"],
  [0.001, "0.001"],
  [0.00025, "250 µ"],
  [0.00099999, "0.001"],
  [1e-9, "1 n"],
  [5e-324, "5e-324"],
  [1.5e300, "1.5e+300"],
  [Number.NaN, "-"],
  [Number.POSITIVE_INFINITY, "infinite"],
])("%p is %s", (value, text) => {
  expect(formatSi(value)).toBe(text);
});

test("a formatted number is within half a percent of the number", () => {
  const factors: Record<string, number> = {
    k: 3,
    M: 6,
    G: 9,
    T: 12,
    P: 15,
    E: 18,
    Z: 21,
    Y: 24,
    m: -3,
    µ: -6,
    n: -9,
    p: -12,
    f: -15,
    a: -18,
  };
  fc.assert(
    fc.property(fc.double({ min: 1e-17, max: 1e26, noNaN: true }), (value) => {
      const [number, prefix] = formatSi(value).split(" ");
      const read = Number(number) * 10 ** (prefix ? factors[prefix]! : 0);
      expect(Math.abs(read - value) / value).toBeLessThan(0.0051);
    }),
  );
});

test.each([
  [0, "0 s"],
  [45_400, "45 s"],
  [59_999, "1 min"],
  [720_000, "12 min"],
  [7_500_000, "2 h 5 min"],
  [90_061_000, "1 d 1 h"],
  [86_400_000, "1 d"],
])("%p ms is %s", (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

test.each([
  [4.6, "about one normal point in 40 000"],
  [0, "about one normal point in 1"],
  [6, "about one normal point in 1 000 000"],
  [250, "fewer than one normal point in 10^12"],
])("a rarity of %p decades: %s", (decades, text) => {
  expect(formatRarity(decades)).toBe(text);
});

test.each([
  [[1_014_000, 1_000_000], "1.014 M, 1 M"],
  [[12_345.7, 5, 4, 6], "12.3 k, 5, 4, 6"],
  [[999.99, 1000.2], "0.99999 k, 1.0002 k"],
  [[5.45, 1.4, -11.4, 5.45], "5.45, 1.4, -11.4, 5.45"],
  [[99.97, 99.99, 100], "99.97, 99.99, 100"],
  [[1_234_567, 1_234_568], "1.234567 M, 1.234568 M"],
  [[0.000_25, 0.0003], "250 µ, 300 µ"],
  [[1.4, 1.4], "1.4, 1.4"],
  [[0, 0], "0, 0"],
  [[Number.NaN, 3], "-, 3"],
  [[1e30, 2], "1e+30, 2"],
  [[], ""],
])("%p in one sentence: %s", (values, text) => {
  expect(formatTogether(values).join(", ")).toBe(text);
});

test("a number far below the scale of the series is 0", () => {
  expect(formatTogether([368, 0.000_387], { scale: 40 })).toEqual(["368", "0"]);
  expect(formatTogether([368, 0.000_387])).toEqual(["368", "387 µ"]);
});

test("numbers that may read the same need no digits for their difference", () => {
  expect(formatTogether([21.883, 21.867], { alike: 0.1 })).toEqual(["21.9", "21.9"]);
  expect(formatTogether([21.883, 21.867], { alike: 0.01 })).toEqual(["21.883", "21.867"]);
  expect(formatTogether([21.883, 21.867], { scale: 4.5 })).toEqual(["21.883", "21.867"]);
});

test("numbers of one sentence that differ by a millionth or more have different texts", () => {
  const number = fc.double({ min: 1e-12, max: 1e24, noNaN: true });
  const factor = fc.double({ min: 1.000_002, max: 900, noNaN: true });
  fc.assert(
    fc.property(number, factor, (value, by) => {
      const [first, second] = formatTogether([value, value * by]);
      expect(first).not.toBe(second);
    }),
  );
});
