// Compact values of answers: five digits, instants as ISO 8601, nothing that is absent.
import { isRecord } from "../../core/input/json.ts";
import { formatDate } from "../../core/time/time.ts";

const DIGITS = 5;

/** @param seconds since the epoch */
export function isoOf(seconds: number): string {
  return formatDate(seconds * 1000).replace(".000Z", "Z");
}

/** As `isoOf`; undefined and null stay. */
export function maybeIso<T extends null | undefined>(seconds: number | T): string | T {
  return typeof seconds === "number" ? isoOf(seconds) : seconds;
}

/** With five significant digits; whole numbers stay. */
export function round(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
}

/** A copy in which every number is rounded. */
export function roundAll<T>(value: T): T {
  if (typeof value === "number") return round(value) as T;
  if (Array.isArray(value)) return value.map(roundAll) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, roundAll(part)])) as T;
}

/** A copy without the keys that are null or undefined, at the top level. */
export function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null && part !== undefined));
}

/** `1 model`, `3 models`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
