// Values of a JSON request of OTLP by their type; a mistake is named with its place.
import { invalid } from "../../../core/errors.ts";

export type Json = Readonly<Record<string, unknown>>;

const NS_PER_MS = 1e6;
const NS_DIGITS = 6;
const MAX_DIGITS = 20;

export interface Place {
  readonly value: Json;
  readonly path: string;
}

/** @param range of the entries; default: all */
export function listOf(
  holder: Json,
  key: string,
  prefix: string,
  [from, to]: readonly [number, number?] = [0],
): Place[] {
  const list = toList(holder[key], `${prefix}${key}`).slice(from, to);
  return list.map((value, i) => {
    const path = `${prefix}${key}[${from + i}]`;
    return { value: toObject(value, path), path };
  });
}

/** Null is a field that is not set, as protocol buffers have it in JSON. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function toList(value: unknown, path: string): readonly unknown[] {
  if (!isGiven(value)) return [];
  if (Array.isArray(value)) return value;
  throw invalid(path, "must be a list");
}

export function optionalObject(holder: Json, key: string, path: string): Json | undefined {
  const value = holder[key];
  return isGiven(value) ? toObject(value, `${path}.${key}`) : undefined;
}

export function toObject(value: unknown, path: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw invalid(path, "must be an object");
}

export function toText(value: unknown, path: string): string {
  if (!isGiven(value)) return "";
  if (typeof value === "string") return value;
  throw invalid(path, "must be a text");
}

export function optionalNumber(value: unknown, path: string): number | undefined {
  return isGiven(value) ? toNumber(value, path) : undefined;
}

export function toNumber(value: unknown, path: string): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" && /^(NaN|-?Infinity|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(value))
    return Number(value);
  throw invalid(path, "must be a number");
}

/** Nanoseconds since the epoch, exact as a text, as milliseconds, rounded down; 0 where they are missing. */
export function toInstant(value: unknown, path: string): number {
  if (!isGiven(value)) return 0;
  if (typeof value === "number" && value >= 0) return Math.floor(value / NS_PER_MS);
  if (typeof value === "string" && value.length <= MAX_DIGITS && /^\d+$/.test(value))
    return Number(value.slice(0, -NS_DIGITS));
  throw invalid(path, "must be a time in nanoseconds since the epoch");
}
