// Human-readable numbers, durations and probabilities: three significant digits, SI prefixes.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/time.ts";

const large = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];
const small = ["", "m", "µ", "n", "p", "f", "a"];
/** Smaller numbers get an SI prefix. */
const SMALLEST_PLAIN = 0.001;

/** `1.23 k`, `3.4 M`, `93.4`, `0.012`, `250 µ`: an SI prefix from 1000 on and below 0.001. */
export function formatSi(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : value > 0 ? "infinite" : "-infinite";
  const rounded = Number(value.toPrecision(3));
  const size = Math.abs(rounded);
  if (size === 0) return "0";
  const step = stepOf(size);
  const prefix = prefixOf(step);
  if (prefix === "") return String(rounded);
  if (prefix === undefined) return rounded.toExponential();
  return `${Number((rounded / 1000 ** step).toPrecision(3))} ${prefix}`;
}

/** Power of 1000 whose prefix a number gets. @param size above 0 */
function stepOf(size: number): number {
  if (size >= SMALLEST_PLAIN && size < 1000) return 0;
  return Math.floor(Math.log10(size) / 3 + 1e-9);
}

/** Undefined where there is none. */
function prefixOf(step: number): string | undefined {
  return step >= 0 ? large[step] : small[-step];
}

/** Significant digits of a difference, and at most of a number. */
const DIFFERENCE_DIGITS = 2;
const MOST_DIGITS = 7;
/** Share of the scale below which a number is 0. */
const NEGLIGIBLE = 0.001;

/**
 * Numbers of one sentence, as in `1.014 M, not 1 M`: three digits each, and as many as tell it from the nearest other;
 * numbers of like size have one prefix.
 * @param scale of the series, where it is known: far smaller numbers are 0
 */
export function formatTogether(values: readonly number[], scale = 0): string[] {
  const shown = values.map((value) => (Math.abs(value) < NEGLIGIBLE * scale ? 0 : value));
  const size = Math.max(0, ...shown.filter(Number.isFinite).map(Math.abs));
  return shown.map((value) => {
    const own = Math.abs(value);
    if (!Number.isFinite(value) || own === 0) return formatSi(value);
    const step = stepOf(10 * own >= size ? size : own);
    const prefix = prefixOf(step);
    if (prefix === undefined) return formatSi(value);
    const gaps = shown.map((other) => Math.abs(other - value)).filter((gap) => gap > 0);
    const wanted = decadeOf(own) - decadeOf(Math.min(own, ...gaps)) + DIFFERENCE_DIGITS;
    const digits = Math.min(MOST_DIGITS, Math.max(3, wanted));
    const text = Number((value / 1000 ** step).toPrecision(digits));
    return `${text}${prefix && ` ${prefix}`}`;
  });
}

/** Power of 10, of a number above 0. */
function decadeOf(value: number): number {
  return Math.floor(Math.log10(value) + 1e-9);
}

const units: readonly (readonly [name: string, ms: number])[] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1000],
];

/** `2 h 5 min`, `45 s`: the two largest units, whole numbers. */
export function formatSpan(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const first = units.findIndex(([, unit]) => rest >= unit);
  if (first < 0) return "0 s";
  const parts: string[] = [];
  for (const [name, unit] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ");
}

/** Largest exponent that is written out. */
const MAX_DECADES = 12;

/** `about one normal point in 40 000`. @param decades -log10 of the share of normal points at least as anomalous */
export function formatRarity(decades: number): string {
  if (decades > MAX_DECADES) return `fewer than one normal point in 10^${MAX_DECADES}`;
  const count = Number((10 ** Math.max(0, decades)).toPrecision(1));
  return `about one normal point in ${String(count).replace(/\B(?=(\d{3})+$)/g, " ")}`;
}
