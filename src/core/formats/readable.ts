// Human-readable numbers with units, durations and probabilities: three significant digits, prefixes of powers of 1000.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/time.ts";
import { parseUnit, type Step, type Unit } from "./units/unit.ts";
import { numberSteps } from "./units/vocabulary.ts";

/** How numbers are shown. */
export interface NumberFormat {
  /** Of the values, as `GB` or `By/s`; absent: a plain number. */
  readonly unit?: string | undefined;
  /** BCP 47 tag; default English. */
  readonly language?: string;
  /** Of the series, where it is known: far smaller numbers are 0. */
  readonly scale?: number;
  /** Difference up to which two numbers may read the same. */
  readonly alike?: number;
}

const noUnit: Unit = { text: "", factor: 1, steps: numberSteps };
const unitOf = (unit: string | undefined) => (unit && parseUnit(unit)) || noUnit;

/** Significant digits of a difference, and at least and at most of a number. */
const DIFFERENCE_DIGITS = 2;
const LEAST_DIGITS = 3;
const MOST_DIGITS = 7;
/** Share of the scale below which a number is 0. */
const NEGLIGIBLE = 0.001;
/** Numbers of a sentence within this factor of the greatest have one prefix. */
const LIKE_SIZE = 10;
/** Numbers beyond are written with an exponent. */
const SMALLEST = 1e-7;
const LARGEST = 1e9;

/** `1.23 k`, `93.4`, `250 µ`; with a unit `3.2 GB`, `85 %`, `12 ms`, `2,5 GB` in German. */
export function formatSi(value: number, format: Omit<NumberFormat, "scale"> = {}): string {
  return formatTogether([value], format)[0]!;
}

/**
 * Numbers of one sentence, as in `1.014 MB, not 1 MB`: three digits each, and as many as tell it from the nearest other;
 * numbers of like size have the prefix of the least, as in `950 kB, not 1,057 kB`.
 */
export function formatTogether(
  values: readonly number[],
  { unit, language = "en", scale = 0, alike = 0 }: NumberFormat = {},
): string[] {
  const { factor, steps } = unitOf(unit);
  const shown = values.map((value) => (Math.abs(value) < NEGLIGIBLE * scale ? 0 : value * factor));
  const sizes = shown.map(rounded);
  const least = Math.max(0, ...sizes) / LIKE_SIZE;
  const like = Math.min(...sizes.filter((own) => own > 0 && own >= least));
  return shown.map((value, i) => {
    const own = sizes[i]!;
    if (!Number.isFinite(value)) return formatNumber(value, LEAST_DIGITS, language);
    const step = stepOf(steps, own === 0 ? 1 : own >= least ? like : own);
    return join(formatNumber(value / step.factor, digitsOf(value, shown, alike * factor), language), step);
  });
}

/** Labels of an axis, all in one unit. */
export interface TickLabels {
  readonly labels: readonly string[];
  /** Behind each number. */
  readonly symbol: string;
}

/** @param ticks ascending values of an axis */
export function formatTicks(
  ticks: readonly number[],
  { unit, language = "en" }: Omit<NumberFormat, "scale"> = {},
): TickLabels {
  const { factor, steps } = unitOf(unit);
  const shown = ticks.map((tick) => tick * factor);
  const step = stepOf(steps, sizeOf(shown) || 1);
  const labels = shown.map((value) => formatNumber(value / step.factor, digitsOf(value, shown), language));
  return { labels, symbol: step.symbol };
}

/** Value of 1 on an axis of values up to `size`: its ticks are at round multiples of it. */
export function tickFactor(size: number, unit: string | undefined): number {
  const { factor, steps } = unitOf(unit);
  return stepOf(steps, rounded(size * factor) || 1).factor / factor;
}

/** A number with its symbol: `12 MB`, `12/s`. */
export function join(number: string, { symbol, one = symbol }: Pick<Step, "symbol" | "one">): string {
  const shown = number === "1" ? one : symbol;
  return /^($|[/°]$|\/)/.test(shown) ? `${number}${shown}` : `${number} ${shown}`;
}

/** Size as three digits show it: 999.7 is 1000. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.abs(Number(value.toPrecision(LEAST_DIGITS))) : 0;
}

function sizeOf(values: readonly number[]): number {
  return Math.max(0, ...values.map(rounded));
}

/** The last step that begins at or below the size. */
function stepOf(steps: readonly Step[], size: number): Step {
  return steps.findLast(({ from }) => from <= size * (1 + 1e-9)) ?? steps[0]!;
}

/** Digits that tell a number from the nearest other one. @param least smaller differences do not matter */
function digitsOf(value: number, all: readonly number[], least = 0): number {
  const own = Math.abs(value);
  if (!Number.isFinite(value) || own === 0) return LEAST_DIGITS;
  const gaps = all.map((other) => Math.abs(other - value)).filter((gap) => gap > least);
  const wanted = decadeOf(own) - decadeOf(Math.min(own, ...gaps)) + DIFFERENCE_DIGITS;
  return Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, wanted));
}

/** Power of 10, of a number above 0. */
function decadeOf(value: number): number {
  return Math.floor(Math.log10(value) + 1e-9);
}

/** In the digits and with the separators of the language. */
function formatNumber(value: number, digits: number, language: string): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : value > 0 ? "infinite" : "-infinite";
  if (value === 0) return "0";
  const short = Number(value.toPrecision(digits));
  const size = Math.abs(short);
  return size >= LARGEST || size < SMALLEST ? short.toExponential() : separatorsOf(language).format(short);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Made once per language, as that is slow. */
function separatorsOf(language: string): Intl.NumberFormat {
  const known =
    formats.get(language) ?? new Intl.NumberFormat(language, { maximumSignificantDigits: MOST_DIGITS });
  formats.set(language, known);
  return known;
}

const spans: readonly (readonly [name: string, ms: number])[] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1000],
];

/** `2 h 5 min`, `45 s`: the two largest units, whole numbers. */
export function formatSpan(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const first = spans.findIndex(([, unit]) => rest >= unit);
  if (first < 0) return "0 s";
  const parts: string[] = [];
  for (const [name, unit] of spans.slice(first, first + 2)) {
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
