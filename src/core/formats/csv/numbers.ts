// Numbers in CSV cells: decimal and thousands separators, signs, currencies, percent and units.
import { type CsvOptions, decimals, thousandsMarks } from "./options.ts";

export interface NumberStyle {
  readonly decimal: "." | ",";
  /** Empty: none. */
  readonly thousands: "" | "." | "," | " " | "'";
  /** Of the digits, with their separators. */
  readonly pattern: RegExp;
}

/** A number as written: its digits with separators, its sign, and what stands around it. */
interface Written {
  readonly digits: string;
  readonly sign: 1 | -1;
  /** Currency, percent or unit; empty: none. */
  readonly unit: string;
}

/** The one without groups is the first of each decimal separator. */
const styles: readonly NumberStyle[] = decimals.flatMap((decimal) =>
  thousandsMarks
    .filter((thousands) => thousands !== decimal)
    .map((thousands) => ({ decimal, thousands, pattern: patternOf(decimal, thousands) })),
);
/** Of numbers as programs write them. */
export const plainStyle = styles[0]!;

function patternOf(decimalMark: string, thousands: NumberStyle["thousands"]): RegExp {
  const decimal = decimalMark.replace(".", "\\.");
  const group = { "": "", ".": "\\.", ",": ",", " ": "[ \\u00a0\\u202f]", "'": "['’]" }[thousands];
  const plain = `(?:\\d+(?:${decimal}\\d*)?|${decimal}\\d+)(?:[eE][+-]?\\d{1,3})?`;
  const fraction = `(?:${decimal}\\d+)?`;
  // Commas may stand behind hundreds of thousands and of tens of millions, as in India.
  const pairs = thousands === "," ? `|[1-9]\\d?(?:,\\d\\d)+,\\d{3}${fraction}` : "";
  const grouped = `[1-9]\\d{0,2}(?:${group}\\d{3})*${fraction}|0${fraction}${pairs}`;
  return new RegExp(`^(?:${group === "" ? plain : grouped})$`);
}

const currency = "[A-Z]{0,2}\\p{Sc}|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK";
/** Units that may stand behind a number without a blank. */
const glued = `${currency}|%|‰|°[CFK]?|[kMGT]?i?B|[mkMG]?Wh?|[mµu]s|[kMG]?Hz|h?Pa|[mc]m|km(?:/h)?`;
const number = "(?:\\d[\\d.,'’\\u00a0\\u202f ]*|[.,]\\d+)(?:[eE][+-]?\\d{1,3})?";
/** A unit without a blank must be a known one: `12a` is a name. */
const writtenNumber = new RegExp(
  `^(\\()?(?:([+\\-−]) ?)?(?:(${currency})\\s*)?([+\\-−])?(${number})(-)?(?:\\s*(${glued})|\\s+([\\p{L}µ°²³/·]{1,12}))?(\\))?$`,
  "u",
);
/** Longest number with its unit, in characters. */
const MAX_LENGTH = 64;
/** Factors of a thousand: units only where they are part of one. */
const scales = new Set(["k", "K", "M", "G", "T", "Mio", "Mrd", "Tsd", "million", "billion", "bn"]);

/** @returns undefined for text that is no number in any style */
export function dissect(cell: string): Written | undefined {
  // A blank may belong to the digits, or stand before a unit: of a long run of them each is tried as either.
  const match = cell.length > MAX_LENGTH ? null : writtenNumber.exec(cell);
  if (!match) return undefined;
  const [, open, outer, prefix, inner, digits, behind, suffix, word, close] = match;
  const signs = [open, outer, inner, behind].filter(Boolean);
  if ((open === undefined) !== (close === undefined) || signs.length > 1 || (prefix && (suffix ?? word)))
    return undefined;
  if (word !== undefined && scales.has(word)) return undefined;
  const isNegative = signs.length > 0 && signs[0] !== "+";
  const written = digits!.trim();
  if (!styles.some(({ pattern }) => pattern.test(written))) return undefined;
  return { digits: written, sign: isNegative ? -1 : 1, unit: prefix ?? suffix ?? word ?? "" };
}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** The value of a number in a style. @returns NaN for text that is none; Infinity beyond the range of numbers */
export function readNumber(cell: string, style: NumberStyle): number {
  // Most cells: spares the patterns of units and groups.
  if (style === plainStyle && plainNumber.test(cell)) return Number(cell);
  const written = dissect(cell);
  if (!written || !style.pattern.test(written.digits)) return Number.NaN;
  const { digits, sign } = written;
  const bare =
    style.thousands === "" ? digits : digits.replace(/[^\deE+\-.,]/g, "").replaceAll(style.thousands, "");
  return sign * Number(style.decimal === "," ? bare.replace(",", ".") : bare);
}

/** What the numbers of a column allow. */
export interface NumberStudy {
  /** Styles in which all of them can be read. */
  readonly styles: readonly NumberStyle[];
  /** What stands around the first one. */
  readonly unit: string;
  /** A number in which separators stand, for messages. */
  readonly example: string | undefined;
  /** Whether some have no separator. */
  readonly hasPlain: boolean;
  readonly count: number;
}

/** @param cells without missing ones, numbers or not */
export function studyNumbers(cells: readonly string[]): NumberStudy {
  let possible = styles;
  let [count, hasPlain] = [0, false];
  let unit = "";
  let example: string | undefined;
  for (const cell of cells) {
    const written = dissect(cell);
    if (!written) continue;
    if (count++ === 0) unit = written.unit;
    if (/^\d+$/.test(written.digits)) hasPlain = true;
    else example ??= cell;
    if (possible.length > 0) possible = possible.filter(({ pattern }) => pattern.test(written.digits));
  }
  return { styles: possible, unit, example, hasPlain, count };
}

/**
 * The styles of the columns of a file, which have one decimal separator.
 * @returns the style of each column, or the index of one that can be read in two ways or in none
 */
export function chooseStyles(
  studies: readonly NumberStudy[],
  wanted: Pick<CsvOptions, "decimal" | "thousands">,
  isPointUsual: boolean,
): { readonly unclear?: number; readonly styles: readonly NumberStyle[] } {
  const allowed = studies.map((study) => study.styles.filter((style) => isWanted(style, wanted)));
  const common = decimals.filter((mark) =>
    allowed.every((some) => some.some((style) => style.decimal === mark)),
  );
  // Columns that agree on none: one that shows a separator is named.
  if (common.length === 0) {
    const index = studies.findIndex(({ example }, i) => allowed[i]!.length === 0 || example !== undefined);
    return { unclear: Math.max(0, index), styles: [] };
  }
  const chosen: NumberStyle[] = [];
  for (const [index, { example, hasPlain }] of studies.entries()) {
    const [first, ...others] = allowed[index]!.filter(({ decimal }) => common.includes(decimal));
    const rival = others.find(
      (style) => example !== undefined && readNumber(example, style) !== readNumber(example, first!),
    );
    // Numbers of three decimals each are usual there.
    const isUsual = isPointUsual && first!.decimal === "." && !hasPlain && !example?.includes(",");
    if (rival && !isUsual) return { unclear: index, styles: [first!, rival] };
    chosen.push(first!);
  }
  return { styles: chosen };
}

function isWanted(
  style: NumberStyle,
  { decimal, thousands }: Pick<CsvOptions, "decimal" | "thousands">,
): boolean {
  if (decimal !== undefined && style.decimal !== decimal) return false;
  return thousands === undefined || style.thousands === thousands;
}
