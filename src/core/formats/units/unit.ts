// Units of values: texts of UCUM, Prometheus and people, parsed into the sizes that numbers are shown in.
import {
  binaryBytes,
  countSteps,
  familyOfSymbol,
  familyOfWord,
  longPrefixes,
  prefixOf,
  prefixPowers,
  type Step,
  stepsOf,
  timeOf,
  times,
} from "./vocabulary.ts";

export type { Step } from "./vocabulary.ts";

/** Characters of the text of a unit. */
export const MAX_UNIT = 32;
/** Without control characters, and those that change the direction of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
export const isPrintable = /^[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+$/;

export interface Unit {
  /** The one text for it, which parses to the same unit: `MB/s` of `MBy/s`. */
  readonly text: string;
  /** Base units of a value of 1. */
  readonly factor: number;
  /** Ascending. */
  readonly steps: readonly Step[];
}

/** Texts of numbers that have no unit. */
const unitless: ReadonlySet<string> = new Set(["", "1", "none", "number", "count", "{}"]);
const ratioWords: ReadonlySet<string> = new Set(["ratio", "fraction"]);

/**
 * Parses `By`, `ms`, `{request}/s`, `GB`, `°C`, `bytes`, `ratio`; what is unknown is a unit of its own, as `€`.
 * @returns undefined for what says that there is none, as `1`
 */
export function parseUnit(text: string): Unit | undefined {
  const typed = text.trim().replace(/^([kKMGTP]?)([bB])ps$/, (_, prefix, letter) => {
    return `${prefix}${letter === "b" ? "bit" : "B"}/s`;
  });
  const [, counted = typed, per] = /^(.*?)(?:\s*\/\s*|\s+per\s+)(.+)$/.exec(typed) ?? [];
  const whole = parseWhole(counted);
  if (per === undefined) return whole;
  const suffix = `/${timeOf(per)?.symbol ?? per}`;
  if (!whole) return { text: `1${suffix}`, factor: 1, steps: withSuffix(countSteps, suffix) };
  return { ...whole, text: `${whole.text}${suffix}`, steps: withSuffix(whole.steps, suffix) };
}

function withSuffix(steps: readonly Step[], suffix: string): Step[] {
  return steps.map((step) => ({
    ...step,
    symbol: `${step.symbol}${suffix}`,
    ...(step.one && { one: `${step.one}${suffix}` }),
  }));
}

/** A unit without `/`. */
function parseWhole(text: string): Unit | undefined {
  if (unitless.has(text.toLowerCase())) return undefined;
  const annotation = /^1?\{([^{}]+)\}$/.exec(text)?.[1];
  if (annotation) return countOf(`{${annotation}}`, annotation, pluralOf(annotation));
  const bare = text.replace(/\s*\{[^{}]*\}$/, "");
  if (bare !== text) return parseWhole(bare);
  return parseRatio(bare) ?? parseTime(bare) ?? parseBinary(bare) ?? parseScaled(bare) ?? countOf(bare);
}

function parseRatio(text: string): Unit | undefined {
  if (!ratioWords.has(text.toLowerCase())) return undefined;
  return { text: "ratio", factor: 100, steps: [{ from: 0, factor: 1, symbol: "%" }] };
}

function parseTime(text: string): Unit | undefined {
  const time = timeOf(text);
  return time && { text: time.symbol, factor: time.factor, steps: times };
}

/** `MiB`, `MiBy` */
function parseBinary(text: string): Unit | undefined {
  const multiple = /^[KMGTPE]iB(?=y?$)/.exec(text)?.[0];
  const step = binaryBytes.find(({ symbol }) => symbol === multiple);
  return step && { text: step.symbol, factor: step.factor, steps: binaryBytes };
}

/** `kB`, `MBy`, `volts`, `kilobytes`, `%` */
function parseScaled(text: string): Unit | undefined {
  const [, long = "", word = ""] =
    /^(kilo|mega|giga|tera|peta|milli|micro|nano)(.+)$/.exec(text.toLowerCase()) ?? [];
  const candidates = [
    [0, familyOfSymbol(text) ?? familyOfWord(text)],
    [prefixPowers.get(text.slice(0, 1)), familyOfSymbol(text.slice(1))],
    [longPrefixes.get(long), familyOfWord(word)],
  ] as const;
  for (const [power, family] of candidates) {
    const prefix = power !== undefined && family ? prefixOf(family, power) : undefined;
    if (prefix !== undefined)
      return { text: `${prefix}${family!.symbol}`, factor: 1000 ** power!, steps: stepsOf(family!) };
  }
  return undefined;
}

/** What is counted, or a unit that is not known: shown as typed, behind the prefix of the number. */
function countOf(text: string, one = text, many = text): Unit {
  const steps = countSteps.map(({ symbol, ...step }) => {
    const prefix = symbol && `${symbol} `;
    return {
      ...step,
      symbol: `${prefix}${many}`,
      ...(one !== many && { one: prefix ? `${prefix}${many}` : one }),
    };
  });
  return { text, factor: 1, steps };
}

/** English plural of what an annotation names, which is in the singular. */
function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[a-z]$/.test(word) ? `${word}s` : word;
}

/** The one text of a unit; undefined of what has none. */
export function unitText(text: string | null | undefined): string | undefined {
  return text ? parseUnit(text)?.text : undefined;
}

/** Unit of the change per second of values; undefined where it has no plain name, as of times. */
export function perSecond(text: string): string | undefined {
  const unit = parseUnit(text);
  if (!unit || unit.text.includes("/") || timeOf(unit.text)) return undefined;
  return unit.text.endsWith("J") ? `${unit.text.slice(0, -1)}W` : `${unit.text}/s`;
}
