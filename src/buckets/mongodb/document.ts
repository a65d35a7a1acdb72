// Names, times and filters of MongoDB documents; client input is never interpreted as an operator.
import { invalid } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import type { Document } from "./connection.ts";
import type { MongoSettings } from "./settings.ts";

/** ms of the last representable date. */
const LAST_DATE_MS = 8.64e15;

/** The field that holds the time, and its unit. */
export interface TimeField {
  readonly name: string;
  readonly unit: "s" | "ms" | "date";
}

/** @throws TorusError `invalid` for an invalid field name */
export function readTimeField({ timestamp_field, time_unit }: MongoSettings): TimeField {
  return { name: requirePath(timestamp_field ?? "timestamp"), unit: time_unit ?? "s" };
}

/** A field, or a path into documents. @throws TorusError `invalid` for operators and empty names */
export function requirePath(path: string): string {
  if (!/^\$|\.\$|^\.|\.$|\.\.|\0|^$/.test(path)) return path;
  throw invalid(
    "",
    `MongoDB has no field ${JSON.stringify(path.slice(0, 64))}: it may not begin with $ or a dot, nor end with a dot`,
  );
}

/** Checks the name of a stored field. @throws TorusError `invalid` */
export function requireName(name: string): string {
  if (!requirePath(name).includes(".") && name !== "_id") return name;
  throw invalid(
    "",
    `MongoDB cannot hold ${JSON.stringify(name.slice(0, 64))} as a name: no dots, and not _id`,
  );
}

/** An instant (ms) in the unit of the field. */
export function toTime(at: number, unit: TimeField["unit"]): number | Date {
  if (unit === "date") return new Date(at);
  return unit === "s" ? at / 1000 : at;
}

/** The value of the field as ms; undefined where it is not a time. */
export function fromTime(value: unknown, unit: TimeField["unit"]): number | undefined {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== "number") return undefined;
  // Fractional seconds are inexact: half a microsecond more restores the millisecond.
  const at = unit === "s" ? Math.floor(value * 1000 + 0.0005) : Math.floor(value);
  // If the settings name a wrong unit, it may exceed the range of dates.
  return Math.abs(at) <= LAST_DATE_MS ? at : undefined;
}

/** The value at a path; undefined where there is none. */
export function readPath(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Document)[part]
        : undefined,
    document,
  );
}

/** Documents of a feature in a range. */
export function matchFeature(
  { field, tags }: FeatureQuery,
  { fromAt, toAt }: Range,
  { name, unit }: TimeField,
): Document {
  return {
    $and: [
      { [name]: { $gte: toTime(fromAt, unit), $lt: toTime(toAt, unit) } },
      { [requirePath(field)]: { $exists: true, $ne: null } },
      ...tags.map(({ tag, value }) => ({ [requirePath(tag)]: { $in: spellings(value) } })),
    ],
  };
}

/** The values of tags in an expression, as texts; "" for null, for a missing field, and for lists and objects. */
export function selectGroups(groupBy: readonly string[]): Document[] {
  return groupBy.map((tag) => ({
    $convert: { input: `$${requirePath(tag)}`, to: "string", onError: "", onNull: "" },
  }));
}

/** Tags are compared as text, whatever their stored type. */
function spellings(value: string): (string | number | boolean)[] {
  const number = Number(value);
  if (value === "true" || value === "false") return [value, value === "true"];
  return String(number) === value && Number.isFinite(number) ? [value, number] : [value];
}
