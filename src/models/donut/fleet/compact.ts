// Compact parameters: fitted numbers to the precision that verdicts need, quantiles to that of a percent; pure.

/** Digits of a deviation: those of a 32-bit float. */
const DIGITS = 7;
/** Significant digits of a 64-bit float. */
const MAX_DIGITS = 17;
/** Lists whose numbers need fewer: ranks, terms of sums, and differences beside the usual values. */
const COARSE: Readonly<Record<string, number>> = { quantiles: 5, components: 5, mean: 5, effects: 5 };
/** Quantiles of a tail in steps of a percent: beyond, there is the fitted tail. */
const MAX_QUANTILES = 100;

/** Digits that values of a magnitude need for a deviation to have seven. */
export function digitsFor(magnitude: number, deviation: number): number {
  const further = Math.ceil(Math.log10(Math.max(1, magnitude / deviation)));
  return Number.isFinite(further) ? Math.min(MAX_DIGITS, DIGITS + further) : MAX_DIGITS;
}

/** The JSON value with its fractions rounded to significant digits, and fewer quantiles; whole numbers are kept. */
export function compact<T>(value: T, digits: number): T {
  return compactPart(value, digits) as T;
}

function compactPart(part: unknown, digits: number): unknown {
  if (typeof part === "number") return Number.isInteger(part) ? part : Number(part.toPrecision(digits));
  if (Array.isArray(part)) return part.map((own) => compactPart(own, digits));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, own]) => {
      const list = key === "quantiles" ? halve(own as number[]) : own;
      return [key, compactPart(list, Array.isArray(own) ? (COARSE[key] ?? digits) : digits)];
    }),
  );
}

/** Every other quantile, the mean of two: still at (i + 1/2) / length. */
function halve(quantiles: readonly number[]): readonly number[] {
  if (quantiles.length !== 2 * MAX_QUANTILES) return quantiles;
  return Array.from({ length: MAX_QUANTILES }, (_, i) => (quantiles[2 * i]! + quantiles[2 * i + 1]!) / 2);
}
