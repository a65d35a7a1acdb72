// Payloads of MQTT messages as points: a number, numbers within JSON, or line protocol. Pure.
import { isRecord } from "../../core/input/json.ts";
import type { Point } from "../../core/series/query.ts";
import type { Reading } from "../kind.ts";
import { MAX_INSTANT, type Precision, parseLines, precisions } from "../line-protocol/index.ts";
import { parseJson } from "../shared/connection.ts";
import type { Captured } from "./topic.ts";

export interface PayloadRules {
  readonly format: "number" | "json" | "lines";
  readonly measurement?: string | undefined;
  /** Field of a number; default: `value`. */
  readonly field?: string | undefined;
  /** Paths of JSON to read; absent: all numbers. */
  readonly fields?: readonly string[] | undefined;
  /** Path of JSON to the time. */
  readonly time?: string | undefined;
  /** Unit of times that are numbers. */
  readonly precision?: Precision | undefined;
}

interface Message {
  readonly payload: string;
  readonly captured: Captured;
  /** Arrival, ms since the epoch. */
  readonly nowAt: number;
  /** Whether the broker kept it for new subscribers. */
  readonly isRetained: boolean;
}

const MAX_DEPTH = 8;
const MAX_FIELDS = 1000;
const words: Readonly<Record<string, number>> = { true: 1, on: 1, false: 0, off: 0 };

/** A retained message without a time of its own is of an unknown time: it is stale. */
export function readPayload(message: Message, rules: PayloadRules): Reading {
  if (rules.format === "lines") return readLines(message, rules);
  if (rules.format === "json") return readJson(message, rules);
  if (message.isRetained) return { isStale: true };
  const value = toNumber(message.payload.trim());
  const name = message.captured.field ?? rules.field ?? "value";
  return value === undefined ? { mistake: "is not a number" } : pointOf(message, rules, { [name]: value });
}

function readLines({ payload, nowAt, isRetained }: Message, { precision = "ns" }: PayloadRules): Reading {
  // Lines may have no time either.
  if (isRetained) return { isStale: true };
  const { points, refused, errors } = parseLines(payload, { precision, nowAt });
  const mistake = refused > 0 ? `has ${refused} malformed lines: ${errors[0]!.reason}` : undefined;
  return points.size === 0 && mistake ? { mistake } : { points, ...(mistake && { mistake }) };
}

function readJson(message: Message, rules: PayloadRules): Reading {
  const json = parseJson(message.payload);
  if (json === undefined) return { mistake: "is not JSON" };
  const at = rules.time === undefined ? message.nowAt : toInstant(valueAt(json, rules.time), rules.precision);
  if (at === undefined) return { mistake: `has no time at ${rules.time}` };
  if (rules.time === undefined && message.isRetained) return { isStale: true };
  const fields: Record<string, number> = Object.create(null);
  if (rules.fields)
    for (const path of rules.fields) {
      const value = toNumber(valueAt(json, path));
      if (value !== undefined) fields[path] = value;
    }
  else collect(json, message.captured.field ?? "", { fields, depth: 0, skip: rules.time });
  if (Object.keys(fields).length === 0) return { mistake: "has no number where one is expected" };
  return pointOf({ ...message, nowAt: at }, rules, { ...fields });
}

interface Collection {
  readonly fields: Record<string, number>;
  readonly depth: number;
  /** Path of the time. */
  readonly skip: string | undefined;
}

/** Adds all numbers below a value, by their paths; elements of lists are left out. */
function collect(json: unknown, path: string, { fields, depth, skip }: Collection): void {
  if (path === skip || depth > MAX_DEPTH) return;
  if (isRecord(json)) {
    for (const [key, value] of Object.entries(json))
      collect(value, path === "" ? key : `${path}.${key}`, { fields, depth: depth + 1, skip });
    return;
  }
  const value = typeof json === "string" ? undefined : toNumber(json);
  if (value !== undefined && Object.keys(fields).length < MAX_FIELDS) fields[path || "value"] = value;
}

function pointOf({ captured, nowAt }: Message, rules: PayloadRules, fields: Point["fields"]): Reading {
  const measurement = captured.measurement ?? rules.measurement ?? "";
  return { points: new Map([[measurement, [{ at: nowAt, fields, tags: captured.tags }]]]) };
}

function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Numbers, also as texts; `true` and `on` are 1, `false` and `off` 0. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string") {
    const word = words[value.toLowerCase()];
    if (word !== undefined) return word;
    return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(value) ? finite(Number(value)) : undefined;
  }
  return typeof value === "number" ? finite(value) : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Ms since the epoch of a number in the unit (default: seconds), or of a date in ISO 8601. */
function toInstant(value: unknown, precision: Precision = "s"): number | undefined {
  const number = typeof value === "string" && !/^\d+(\.\d+)?$/.test(value) ? undefined : toNumber(value);
  const at =
    number === undefined
      ? Date.parse(typeof value === "string" ? value : "")
      : number * precisions[precision];
  return Math.abs(at) <= MAX_INSTANT ? Math.floor(at) : undefined;
}
