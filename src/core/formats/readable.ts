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
  if (size >= SMALLEST_PLAIN && size < 1000) return String(rounded);
  const step = Math.floor(Math.log10(size) / 3 + 1e-9);
  const prefix = step > 0 ? large[step] : small[-step];
  if (prefix === undefined) return rounded.toExponential();
  return `${Number((rounded / 1000 ** step).toPrecision(3))} ${prefix}`;
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
