// Line protocol writer: `measurement,tag=value field=1 <ns>`, escaped; names it cannot escape are refused.
import { invalid } from "../../core/errors.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";

/** Text that no escape can express, found by round trips through InfluxDB 1.6, which drops some of it silently. */
const unwritable = {
  measurement: /^#|[\n\r\0]|\\[,= "]|\\$/,
  field: /[\n\r\0]|\\[,= "]|\\$/,
  tag: /[\n\r\0]|\\$/,
} as const;

/** A point that may also hold integers, a type of its own in InfluxDB. */
type LinePoint = Omit<Point, "fields"> & { readonly fields: Readonly<Record<string, FieldValue | bigint>> };

/**
 * Formats a point as one line: numbers as floats, times in ns, without empty tags, which InfluxDB ignores.
 * @returns undefined where all fields are null
 * @param measurement as `escapeMeasurement` gave it
 * @throws TorusError `invalid` for a name or tag that the line protocol cannot hold
 */
export function formatLine(measurement: string, { at, fields, tags }: LinePoint): string | undefined {
  const parts: string[] = [];
  for (const name of Object.keys(fields)) {
    const value = formatValue(fields[name]!);
    if (value !== undefined) parts.push(`${escapePart(name, "field")}=${value}`);
  }
  if (parts.length === 0) return undefined;
  let series = measurement;
  for (const tag of Object.keys(tags)) {
    const value = tags[tag]!;
    if (value !== "") series += `,${escapePart(tag, "tag")}=${escapePart(value, "tag")}`;
  }
  return `${series} ${parts.join(",")} ${formatTime(at)}`;
}

/** @throws TorusError `invalid` for a measurement that the line protocol cannot hold */
export function escapeMeasurement(name: string): string {
  refuseUnwritable(name, "measurement");
  return name.replace(/[, ]/g, "\\$&");
}

function escapePart(text: string, part: "field" | "tag"): string {
  refuseUnwritable(text, part);
  return text.replace(/[,= ]/g, "\\$&");
}

function refuseUnwritable(text: string, part: keyof typeof unwritable): void {
  if (!unwritable[part].test(text)) return;
  throw invalid(
    "",
    `InfluxDB cannot store the ${part} ${JSON.stringify(text.slice(0, 64))}: no line breaks, no backslash at the ` +
      "end or in front of a comma, space, quote or equals sign, no # at the start of a measurement",
  );
}

/** @returns undefined for null and for numbers that are not finite */
function formatValue(value: FieldValue | bigint): string | undefined {
  if (typeof value === "bigint") return `${value}i`;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "string") return `"${value.replace(/[\\"]/g, "\\$&")}"`;
  return value === null ? undefined : String(value);
}

/** Whole milliseconds as ns; appending digits avoids a BigInt. */
function formatTime(at: number): string {
  return `${Math.floor(at)}000000`;
}
