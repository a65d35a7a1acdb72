// Compact parameters: fitted numbers to the precision that verdicts need, quantiles to that of a percent; pure.

/** Digits of a deviation: those of a 32-bit float. */
const DIGITS = 7;
/** Significant digits of a 64-bit float. */
const MAX_DIGITS = 17;
/** Lists whose numbers need fewer digits: ranks, and terms of sums. */
const COARSE: Readonly<Record<string, number>> = {
  quantiles: 5,
  components: 5,
  mean: 5,
  shares: 3,
  biases: 4,
  scales: 4,
};
/** Lists of usual values and their differences, and the digits of a deviation that they need. */
const LOCATIONS = ["values", "effects", "monthStart", "monthEnd"];
const LOCATION_DIGITS = 4;
/** Quantiles of a tail in steps of a percent: beyond, there is the fitted tail. */
const MAX_QUANTILES = 100;

/** Of the series that the parameters are fitted to. */
export interface Precision {
  /** Largest absolute value. */
  readonly magnitude: number;
  readonly deviation: number;
}

/** Precision of a fit to the column, of which NaN is missing. */
export function precisionOf(column: Float64Array, deviation: number): Precision {
  const larger = (most: number, value: number) =>
    Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most;
  return { magnitude: column.reduce(larger, 0), deviation };
}

/** The JSON value with its fractions rounded, and fewer quantiles; whole numbers are kept. */
export function compact<T>(value: T, { magnitude, deviation }: Precision): T {
  const digits = digitsFor(magnitude, deviation);
  const round = (number: number) => toDigits(number, digits);
  const locate = (number: number) => toDigits(number, locationDigits(Math.abs(number), deviation));
  return compactPart(value, { round, locate }) as T;
}

/** Digits that values of a magnitude need for a deviation to have seven. */
export function digitsFor(magnitude: number, deviation: number): number {
  return boundDigits(DIGITS + Math.max(0, Math.ceil(Math.log10(magnitude / deviation))));
}

/** As `digitsFor`, of one value and four digits of the deviation: fewer where it is below the deviation. */
export function locationDigits(magnitude: number, deviation: number): number {
  return boundDigits(LOCATION_DIGITS + Math.ceil(Math.log10(magnitude / deviation)));
}

function boundDigits(digits: number): number {
  return Number.isNaN(digits) ? MAX_DIGITS : Math.max(1, Math.min(MAX_DIGITS, digits));
}

function toDigits(number: number, digits: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(digits));
}

interface Rounding {
  readonly round: (number: number) => number;
  readonly locate: (number: number) => number;
}

function compactPart(part: unknown, rounding: Rounding): unknown {
  if (typeof part === "number") return rounding.round(part);
  if (Array.isArray(part)) return part.map((own) => compactPart(own, rounding));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, own]) => {
      if (!Array.isArray(own)) return [key, compactPart(own, rounding)];
      const list = key === "quantiles" ? halve(own) : own;
      return [key, compactPart(list, { ...rounding, round: roundingOf(key, rounding) })];
    }),
  );
}

function roundingOf(key: string, { round, locate }: Rounding): Rounding["round"] {
  const coarse = COARSE[key];
  if (coarse !== undefined) return (number) => toDigits(number, coarse);
  return LOCATIONS.includes(key) ? locate : round;
}

/** Every other quantile, the mean of two: still at (i + 1/2) / length. */
function halve(quantiles: readonly number[]): readonly number[] {
  if (quantiles.length !== 2 * MAX_QUANTILES) return quantiles;
  return Array.from({ length: MAX_QUANTILES }, (_, i) => (quantiles[2 * i]! + quantiles[2 * i + 1]!) / 2);
}
