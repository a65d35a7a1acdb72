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

/** Digits of a time below a millisecond. */
const droppedDigits = { ns: 6, n: 6, us: 3, u: 3, µ: 3, ms: 0, s: 0, m: 0, h: 0 } satisfies Record<
  Precision,
  number
>;
const MAX_DIGITS = 19;
const [MINUS, POINT, ZERO, NINE, SMALL_I] = [45, 46, 48, 57, 105];

/**
 * A time as ms since the epoch, rounded down; exact, unlike nanoseconds in a float64.
 * @returns `malformed` where it is no whole number of at most 19 digits, `outside` beyond 1677 to 2262
 */
export function readInstant(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  precision: Precision,
): number | "malformed" | "outside" {
  const isNegative = text.charCodeAt(from) === MINUS;
  const start = isNegative ? from + 1 : from;
  if (to <= start || to - start > MAX_DIGITS) return "malformed";
  const dropped = droppedDigits[precision];
  let [whole, rest] = [0, 0];
  for (let i = start; i < to; i++) {
    const char = text.charCodeAt(i);
    if (char < ZERO || char > NINE) return "malformed";
    if (i < to - dropped) whole = whole * 10 + (char - ZERO);
    else rest = rest * 10 + (char - ZERO);
  }
  const unitMs = precisions[precision];
  if (unitMs >= 1) whole *= unitMs;
  else if (isNegative) whole += rest > 0 ? 1 : 0;
  else if (whole === MAX_INSTANT && rest * unitMs * 1e6 > LAST_NS) return "outside";
  if (whole > MAX_INSTANT) return "outside";
  return isNegative ? 0 - whole : whole;
}

/** Digits up to which a number is exact, and so is its quotient by a power of ten. */
const EXACT_DIGITS = 15;
const powers = Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => 10 ** i);

/** A number of few digits, as nearly all are, perhaps with `i` behind it; undefined for any other text. */
export function readDecimal(text: string, from: number, to: number): number | undefined {
  const isNegative = text.charCodeAt(from) === MINUS;
  const isWhole = text.charCodeAt(to - 1) === SMALL_I;
  const end = isWhole ? to - 1 : to;
  let [digits, value, point] = [0, 0, -1];
  for (let i = isNegative ? from + 1 : from; i < end; i++) {
    const char = text.charCodeAt(i);
    if (char >= ZERO && char <= NINE) {
      value = value * 10 + (char - ZERO);
      digits++;
    } else if (char === POINT && point < 0 && !isWhole) point = digits;
    else return undefined;
  }
  if (digits === 0 || digits > EXACT_DIGITS) return undefined;
  const scaled = point < 0 ? value : value / powers[digits - point]!;
  if (!isNegative) return scaled;
  return isWhole ? 0 - scaled : -scaled;
}

const numberText = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const integerText = /^(-?)0*(\d{1,20})([iu])$/;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["t", "T", "true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["f", "F", "false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** @returns the number or boolean, or an error message */
export function parseScalar(raw: string): number | boolean | string {
  if (raw === "") return "missing field value";
  const known = booleans.get(raw);
  if (known !== undefined) return known;
  const [, sign, digits, unit] = integerText.exec(raw) ?? [];
  if (digits !== undefined) return parseWhole(`${sign}${digits}`, unit === "u");
  if (!numberText.test(raw)) return /^[-\d.N]/.test(raw) ? "invalid number" : "invalid boolean";
  const value = Number(raw);
  return Number.isFinite(value) ? value : "invalid float";
}

/** 64 bits, signed (`i`) or not (`u`). @param digits at most 20, perhaps after a minus */
function parseWhole(digits: string, isUnsigned: boolean): number | string {
  // Short integers are exact as numbers; adding 0 turns -0 into 0.
  if (digits.length <= 15 && !(isUnsigned && digits.startsWith("-"))) return Number(digits) + 0;
  const value = BigInt(digits);
  const bits = isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
  return bits === value ? Number(value) : `unable to parse integer ${digits}: value out of range`;
}
