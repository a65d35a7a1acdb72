// Payloads of MQTT messages as points: a number, numbers within JSON, or line protocol. Pure.
import { instantOf, type OffsetAt, utc } from "../../core/calendar/wall-time.ts";
import { createWrittenTimeReader } from "../../core/formats/csv-time.ts";
import { isRecord } from "../../core/input/json.ts";
import { MAX_NAME, MAX_TAG_VALUE, nameMistake } from "../../core/series/names.ts";
import type { Point } from "../../core/series/query.ts";
import { CapError, type Caps, WorkBudget } from "../../runtime/work-budget.ts";
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
  /** Local time of dates that name no zone; absent: UTC. */
  readonly offsetAt?: OffsetAt | undefined;
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
const advice = "name those to take in `fields` of the topic";
/** What one payload of JSON may hold. */
export const payloadCaps = {
  numbers: { most: 1000, verb: "has", noun: "numbers", advice },
  values: { most: 10_000, verb: "has", noun: "values", advice },
} as const satisfies Caps<string>;
const readIsoDate = createWrittenTimeReader("iso");
/** What JSON takes for a number: an id with zeros before it is none. */
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
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
  const at = rules.time === undefined ? message.nowAt : toInstant(valueAt(json, rules.time), rules);
  if (at === undefined) return { mistake: `has no time at ${rules.time}` };
  if (rules.time === undefined && message.isRetained) return { isStale: true };
  const fields: Record<string, number> = Object.create(null);
  const mistake = rules.fields ? undefined : collectAll(json, message, { fields, skip: rules.time });
  if (mistake !== undefined) return { mistake };
  if (rules.fields)
    for (const path of rules.fields) {
      const value = toNumber(valueAt(json, path));
      if (value !== undefined) fields[path] = value;
    }
  if (Object.keys(fields).length === 0) return { mistake: "has no number where one is expected" };
  return pointOf({ ...message, nowAt: at }, rules, { ...fields });
}

interface Collection {
  readonly fields: Record<string, number>;
  readonly work: WorkBudget<keyof typeof payloadCaps>;
  readonly depth: number;
  /** Path of the time. */
  readonly skip: string | undefined;
}

/** Adds all numbers of a payload. @returns what is wrong with it */
function collectAll(
  json: unknown,
  { captured }: Message,
  into: Pick<Collection, "fields" | "skip">,
): string | undefined {
  const work = new WorkBudget(payloadCaps);
  try {
    collect(json, captured.field ?? "", { ...into, work, depth: 0 });
    return undefined;
  } catch (error) {
    if (error instanceof CapError) return error.rule;
    throw error;
  }
}

/** Adds all numbers below a value, also those in texts, by their paths; elements of lists are left out. @throws CapError */
function collect(json: unknown, path: string, { depth, ...collection }: Collection): void {
  const { fields, work, skip } = collection;
  if (path === skip || depth > MAX_DEPTH) return;
  if (isRecord(json)) {
    const within = { ...collection, depth: depth + 1 };
    for (const key in json) {
      if (!Object.hasOwn(json, key)) continue;
      work.take("values");
      collect(json[key], path === "" ? key : `${path}.${key}`, within);
    }
    return;
  }
  const value = typeof json !== "string" || jsonNumber.test(json) ? toNumber(json) : undefined;
  if (value === undefined) return;
  work.take("numbers");
  fields[path || "value"] = value;
}

/** A point of the fields whose names are valid. */
function pointOf({ captured, nowAt }: Message, rules: PayloadRules, fields: Point["fields"]): Reading {
  const measurement = captured.measurement ?? rules.measurement ?? "";
  if (measurement.length > MAX_NAME)
    return { mistake: `has a measurement of more than ${MAX_NAME} characters` };
  if (Object.values(captured.tags).some((value) => value.length > MAX_TAG_VALUE))
    return { mistake: `has a level of more than ${MAX_TAG_VALUE} characters` };
  const valid = Object.entries(fields).filter(([name]) => nameMistake(name) === undefined);
  const mistake = explainNames(Object.keys(fields));
  if (valid.length === 0) return { mistake: mistake ?? "has no number where one is expected" };
  const point = { at: nowAt, fields: Object.fromEntries(valid), tags: captured.tags };
  return { points: new Map([[measurement, [point]]]), ...(mistake !== undefined && { mistake }) };
}

/** What is wrong with the first name that is not valid. */
function explainNames(names: readonly string[]): string | undefined {
  const name = names.find((each) => nameMistake(each) !== undefined);
  if (name === undefined) return undefined;
  const kind = nameMistake(name);
  if (kind === "empty") return "has a field without a name";
  return kind === "long"
    ? `has a field whose name is longer than ${MAX_NAME} characters`
    : `has the field ${name}, a name that is reserved`;
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
function toInstant(value: unknown, { precision = "s", offsetAt }: PayloadRules): number | undefined {
  const number = typeof value === "string" && !/^\d+(\.\d+)?$/.test(value) ? undefined : toNumber(value);
  const at = number === undefined ? dateOf(value, offsetAt) : number * precisions[precision];
  return at !== undefined && Math.abs(at) <= MAX_INSTANT ? Math.floor(at) : undefined;
}

function dateOf(value: unknown, offsetAt: OffsetAt = utc): number | undefined {
  const date = typeof value === "string" ? readIsoDate(value) : undefined;
  return date && (date.hasOffset ? date.ms : instantOf(date.ms, offsetAt));
}
