// Input of `_write` (points) and `_read` (features), parsed and validated.
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { MAX_FIELDS, MAX_NAME, MAX_TAG_VALUE, MAX_TAGS, nameMistake } from "../../core/series/names.ts";
import type { FeatureQuery, FieldValue, Point } from "../../core/series/query.ts";
import { parseDate } from "../../core/time/time.ts";
import { checkMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/steps.ts";

const MAX_TEXT_LENGTH = 65_536;
const MAX_FEATURES = 64;
/** Points checked between two calls of the yielder. */
const POINTS_PER_YIELD = 256;

/**
 * Parses the body of `_write`: `[{timestamp, <field>: number|string|bool|null, ..., tags?: {k: v}}]`.
 * @param nowAt current time in ms, for timestamps such as `now-5m`
 * @throws TorusError `invalid` with the index of the first malformed point in its path (`3.timestamp`)
 */
export async function parsePoints(body: unknown, nowAt: number): Promise<Point[]> {
  if (!Array.isArray(body))
    throw invalid("body", "must be an array of points: [{timestamp, <field>: value, ...}]");
  const yieldNow = createYielder(new AbortController().signal);
  const points: Point[] = [];
  for (const [index, row] of body.entries()) {
    points.push(parsePoint(row, index, nowAt));
    if (index % POINTS_PER_YIELD === POINTS_PER_YIELD - 1) await yieldNow();
  }
  return points;
}

function parsePoint(row: unknown, index: number, nowAt: number): Point {
  if (!isRecord(row)) throw invalid(`${index}`, "must be an object {timestamp, <field>: value, ...}");
  const { timestamp, tags, ...fields } = row;
  if (timestamp === undefined || timestamp === null) throw invalid(`${index}.timestamp`, "is required");
  const at = parseDate(timestamp, nowAt, `${index}.timestamp`);
  const names = Object.keys(fields);
  if (names.length === 0) throw invalid(`${index}`, "needs at least one field beside timestamp and tags");
  if (names.length > MAX_FIELDS) throw invalid(`${index}`, `has at most ${MAX_FIELDS} fields`);
  for (const name of names) checkField(name, fields[name], index);
  return { at, fields: fields as Record<string, FieldValue>, tags: parseTags(tags, index) };
}

function checkName(name: string, path: string): void {
  const mistake = nameMistake(name);
  if (mistake === "empty") throw invalid(path, "an empty name is not allowed; give the field or tag a name");
  if (mistake === "reserved" && name === "time")
    throw invalid(path, "time is reserved; the time of a point goes into timestamp");
  if (mistake === "reserved") throw invalid(path, "this name is reserved; choose another");
  if (mistake === "long") throw invalid(path, `a name has at most ${MAX_NAME} characters`);
}

function checkField(name: string, value: unknown, index: number): void {
  const path = `${index}.${name.slice(0, MAX_NAME)}`;
  checkName(name, path);
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw invalid(path, "must be a finite number");
    return;
  }
  if (typeof value !== "string") throw invalid(path, "must be a number, a string, a boolean or null");
  if (value.length > MAX_TEXT_LENGTH) throw invalid(path, `a text has at most ${MAX_TEXT_LENGTH} characters`);
}

const noTags: Readonly<Record<string, string>> = Object.freeze({});

function parseTags(tags: unknown, index: number): Readonly<Record<string, string>> {
  if (tags === undefined || tags === null) return noTags;
  if (!isRecord(tags)) throw invalid(`${index}.tags`, "must be an object {<tag>: value}");
  const pairs = Object.entries(tags);
  if (pairs.length > MAX_TAGS) throw invalid(`${index}.tags`, `a point has at most ${MAX_TAGS} tags`);
  return Object.fromEntries(
    pairs.map(([tag, value]) => {
      const path = `${index}.tags.${tag.slice(0, MAX_NAME)}`;
      checkName(tag, path);
      return [tag, parseTagValue(value, path)];
    }),
  );
}

function parseTagValue(value: unknown, path: string): string {
  if (typeof value !== "string" && typeof value !== "boolean" && !Number.isFinite(value))
    throw invalid(path, "must be a string, a number or a boolean");
  const text = String(value);
  if (text.length > MAX_TAG_VALUE)
    throw invalid(path, `the value of a tag has at most ${MAX_TAG_VALUE} characters`);
  return text;
}

/** Applied to trimmed text; blanks within the brackets are trimmed afterwards, which avoids backtracking. */
const featurePattern = /^([^\s()]+)\s*\((.+)\)$/s;

/**
 * Parses `avg(x);count(m.y)` of `_read` into queries named `avg_x`, `count_y`. Text before the first dot is the
 * measurement; a field with dots and no measurement is written with a leading dot: `avg(.cpu.load)`.
 * @throws TorusError `invalid` for malformed text, an unknown metric or two features of the same name
 */
export function parseFeatures(text: unknown): FeatureQuery[] {
  if (typeof text !== "string" || text.trim() === "")
    throw invalid("features", "is required: a list such as avg(x);count(measurement.y)");
  const items = text.split(";").filter((item) => item.trim() !== "");
  if (items.length > MAX_FEATURES)
    throw invalid("features", `at most ${MAX_FEATURES} at a time; split the request`);
  const queries = items.map((item, index) => parseFeature(item, `features.${index}`));
  const seen = new Set<string>();
  for (const [index, { name }] of queries.entries()) {
    if (seen.has(name))
      throw invalid(`features.${index}`, `${name} occurs twice; read it in another request`);
    seen.add(name);
  }
  return queries;
}

function parseFeature(item: string, path: string): FeatureQuery {
  const [, metric = "", inner = ""] = featurePattern.exec(item.trim()) ?? [];
  const source = inner.trim();
  if (source === "")
    throw invalid(path, "must be <metric>(<field>) or <metric>(<measurement>.<field>), as in avg(x)");
  checkMetric(metric, path);
  const dot = source.indexOf(".");
  const measurement = source.slice(0, Math.max(dot, 0));
  const field = source.slice(dot + 1);
  if (field === "") throw invalid(path, "must name a field: <metric>(<field>)");
  return { name: `${metric}_${field}`, metric, field, tags: [], ...(measurement && { measurement }) };
}
