// Numbers, times and durations as people read them: three digits, 24 hours, the chosen zone; pure.
import { formatSi, formatSpan, formatTogether, type NumberFormat } from "../../core/formats/readable.ts";

export { formatSpan };

/** `5 min` of `5m` or of seconds, as settings have it; other texts, as `auto`, stay. */
export function formatDuration(value: unknown): string {
  if (typeof value === "number") return formatSpan(value * 1000);
  return String(value)
    .replace(/^\d+(?=[smhd]$)/, "$& ")
    .replace(/ m$/, " min");
}

/** `1.8 sec` in the words of a language. */
export function formatSeconds(seconds: number, language: string): string {
  // A clock that is hardly behind is not `-0 sec`.
  const sign = { signDisplay: "negative" } as const;
  const style = { style: "unit", unit: "second", maximumFractionDigits: 1, ...sign } as const;
  return new Intl.NumberFormat(language, style).format(seconds);
}

/** Age of something, or how long it goes on: whole minutes from the first one on. */
export function formatAge(seconds: number): string {
  return formatSpan((seconds < 60 ? seconds : seconds - (seconds % 60)) * 1000);
}

/** Decades of a score of 100. */
const DECADES = 6;
/** Seconds. */
const DAY = 86_400;
/** The shortest. */
const MONTH = 28 * DAY;

/** Moments in one zone. */
export interface Moments {
  /** `27 Jan 2015, 03:30`; today's without the date. */
  readonly moment: (seconds: number, now: number) => string;
  /** `Tue 27 Jan 2015, 03:30`; with the seconds where there are some. */
  readonly whole: (seconds: number) => string;
  /** Label of an axis: `03:30`, `27 Jan` at midnight and in steps of days, `Jan 2015` of months. @param step seconds */
  readonly tick: (seconds: number, step: number) => string;
  /** `27 Jan`. */
  readonly date: (seconds: number) => string;
  /** Seconds east of UTC. */
  readonly offset: (seconds: number) => number;
}

/** A number, or none. */
type Value = number | null | undefined;

/** Numbers in one language. */
export interface Numbers {
  readonly language: string;
  /** `3.2 GB`, `85 %`; a dash for none. */
  readonly one: (value: Value, unit?: string) => string;
  /** Numbers of one sentence, in the digits in which they differ; a dash for none. */
  readonly together: (values: readonly Value[], format?: Omit<NumberFormat, "language">) => string[];
  /** `1.3`, with that many decimals. */
  readonly fixed: (value: number, decimals: number) => string;
}

const NONE = "–";
/** A number and its unit stay on one line. */
const unbroken = (text: string) => text.replaceAll(" ", "\u00a0");
const isNumber = (value: Value): value is number => typeof value === "number" && !Number.isNaN(value);

export function createNumbers(language: string): Numbers {
  return {
    language,
    one: (value, unit) => (isNumber(value) ? unbroken(formatSi(value, { unit, language })) : NONE),
    together: (values, format) => {
      const texts = formatTogether(values.filter(isNumber), { ...format, language }).map(unbroken);
      return values.map((value) => (isNumber(value) ? texts.shift()! : NONE));
    },
    fixed: (value, decimals) =>
      value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  };
}

/** @param timeZone IANA name; undefined: that of the browser */
export function createMoments(language: string, timeZone: string | undefined): Moments {
  const zone = timeZone === undefined ? {} : { timeZone };
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const dayOfYear = { day: "numeric", month: "short" } as const;
  const date = { ...dayOfYear, year: "numeric" } as const;
  const make = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...zone, ...parts });
  const time = make(clock);
  const full = make({ ...date, ...clock });
  const thisYear = make({ ...dayOfYear, ...clock });
  const day = make(date);
  const year = make({ year: "numeric" });
  const whole = { weekday: "short", ...date, ...clock } as const;
  const minute = make(whole);
  const second = make({ ...whole, second: "2-digit" });
  const short = make(dayOfYear);
  const month = make({ month: "short", year: "numeric" });
  const offsets = new Intl.DateTimeFormat("en", { ...zone, timeZoneName: "longOffset" });
  const offset = (seconds: number) => {
    const [, sign, hours = 0, minutes = 0] =
      /GMT([+-])(\d+):(\d+)/.exec(offsets.format(seconds * 1000)) ?? [];
    return (sign === "-" ? -60 : 60) * (60 * Number(hours) + Number(minutes));
  };
  return {
    tick: (seconds, step) => {
      if (step >= MONTH) return month.format(seconds * 1000);
      const clockText = step >= DAY ? "00:00" : time.format(seconds * 1000);
      return clockText === "00:00" ? short.format(seconds * 1000) : clockText;
    },
    offset,
    date: (seconds) => short.format(seconds * 1000),
    moment: (seconds, now) => {
      const isSame = (part: Intl.DateTimeFormat) => part.format(seconds * 1000) === part.format(now * 1000);
      return (isSame(day) ? time : isSame(year) ? thisYear : full).format(seconds * 1000);
    },
    whole: (seconds) => (seconds % 60 < 1 ? minute : second).format(seconds * 1000),
  };
}

/** Normal points per one as rare as a score: `3 700` of score 59. */
export function rarityOfScore(score: number, language: string): string {
  return countOf((Math.max(0, Math.min(100, score)) / 100) * DECADES, 2, language);
}

/** Largest exponent that is written out. */
const MAX_DECADES = 12;

/** `8 000 000`: one normal point in as many is as odd. @param decades -log10 of that share */
export function rarityOf(decades: number, language: string): string {
  return countOf(Math.max(0, Math.min(MAX_DECADES, decades)), 1, language);
}

function countOf(decades: number, digits: number, language: string): string {
  return new Intl.NumberFormat(language).format(Number((10 ** decades).toPrecision(digits)));
}

/** `Berlin, +01:00`. @param zone IANA name @param offset seconds east of UTC */
export function formatZone(zone: string, offset: number): string {
  return `${zone.split("/").at(-1)!.replaceAll("_", " ")}, ${formatOffset(offset)}`;
}

/** `+01:00`. @param offset seconds east of UTC */
export function formatOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}
