// Field values and timestamps of line protocol.
import { HOUR_MS, MINUTE_MS } from "../../core/time/time.ts";

/** Units of a time in ms, by their names in both versions of the write API. */
export const precisions = {
  ns: 1e-6,
  n: 1e-6,
  us: 1e-3,
  u: 1e-3,
  µ: 1e-3,
  ms: 1,
  s: 1000,
  m: MINUTE_MS,
  h: HOUR_MS,
} as const;
export type Precision = keyof typeof precisions;

/** 1677 to 2262, as nanoseconds in 64 bits. */
export const MAX_INSTANT = 9_223_372_036_854;
/** Nanoseconds of the last millisecond, of which InfluxDB leaves out the last one. */
const LAST_NS = 775_806;

/** Digits of a time as ms since the epoch, rounded down; exact, unlike nanoseconds in a float64. NaN beyond the last one. */
export function toMilliseconds(digits: string, precision: Precision): number {
  const unitMs = precisions[precision];
  if (unitMs >= 1) return Number(digits) * unitMs;
  const drop = unitMs === 1e-6 ? -6 : -3;
  const whole = Number(digits.slice(0, drop)) || 0;
  const unitNs = unitMs * 1e6;
  if (whole === MAX_INSTANT && Number(digits.slice(drop)) * unitNs > LAST_NS) return Number.NaN;
  const isBelow = digits.startsWith("-") && /[1-9]/.test(digits.slice(drop));
  return isBelow ? whole - 1 : whole;
}

const numberText = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const integerText = /^-?\d{1,20}[iu]$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["t", "T", "true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["f", "F", "false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** @returns the number or boolean, or an error message */
export function parseScalar(raw: string): number | boolean | string {
  if (raw === "") return "missing field value";
  const known = booleans.get(raw);
  if (known !== undefined) return known;
  if (integerText.test(raw)) return parseWhole(raw);
  if (!numberText.test(raw)) return /^[-\d.N]/.test(raw) ? "invalid number" : "invalid boolean";
  const value = Number(raw);
  return Number.isFinite(value) ? value : "invalid float";
}

/** 64 bits, signed (`i`) or not (`u`). */
function parseWhole(raw: string): number | string {
  const digits = raw.slice(0, -1);
  const isUnsigned = raw.endsWith("u");
  // Short integers are exact as numbers; adding 0 turns -0 into 0.
  if (digits.length <= 15 && !(isUnsigned && digits.startsWith("-"))) return Number(digits) + 0;
  const value = BigInt(digits);
  const bits = isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
  return bits === value ? Number(value) : `unable to parse integer ${digits}: value out of range`;
}
