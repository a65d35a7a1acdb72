// Writing points to InfluxDB in batches; which points a partial write refused.
import { throwIfAborted } from "../../core/abort.ts";
import { TorusError } from "../../core/errors.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { readFieldTypes } from "./explore.ts";
import { escapeMeasurement, formatLine } from "./line.ts";
import type { Store } from "./store.ts";

/** Points of one request, as the documentation of InfluxDB advises. */
const POINTS_PER_REQUEST = 5000;
/** Refused points that a message names. */
const NAMED = 20;

export interface Writing {
  readonly points: readonly Point[];
  readonly measurement: string;
}

/**
 * Writes all points. InfluxDB refuses points that do not fit to what it has and keeps the others of a request: the
 * requests after it are sent too, and the error at the end says which points are missing. Writing the same points again
 * is harmless, they replace themselves.
 * @throws TorusError `invalid` before anything is sent, `bucket_rejected` for points that were refused
 */
export async function writePoints(store: Store, writing: Writing, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  const escaped = escapeMeasurement(writing.measurement);
  // All lines first: a name that cannot be stored is found before anything is sent.
  const pace = createYielder(signal);
  const lines: string[] = [];
  for (const [i, point] of writing.points.entries()) {
    const line = formatLine(escaped, point);
    if (line !== undefined) lines.push(line);
    if (i % 512 === 511) await pace();
  }
  let partial: TorusError | undefined;
  for (let from = 0; from < lines.length; from += POINTS_PER_REQUEST) {
    partial = (await writeBatch(store, lines.slice(from, from + POINTS_PER_REQUEST), signal)) ?? partial;
  }
  if (partial) throw await explainPartial(store, { writing, partial }, signal);
}

/** @returns the error of a partial write; all others are thrown */
async function writeBatch(
  store: Store,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<TorusError | undefined> {
  const text = lines.join("\n");
  const send = () =>
    store.write(text, signal).then(
      () => undefined,
      (error: unknown) => error,
    );
  let error = await send();
  // Of a request that brings a new field in two types InfluxDB 1.x keeps the first type and no point.
  if (isConflict(error) && !isPartial(error)) error = await send();
  if (error === undefined || isPartial(error)) return error;
  throw error;
}

function isConflict(error: unknown): error is TorusError {
  return (
    error instanceof TorusError &&
    error.code === "bucket_rejected" &&
    /field type conflict/.test(error.message)
  );
}

function isPartial(error: unknown): error is TorusError {
  return (
    error instanceof TorusError && error.code === "bucket_rejected" && /partial write/.test(error.message)
  );
}

/** The server names the last field alone, and does not count every point: the points are found by the types it has. */
async function explainPartial(
  store: Store,
  { writing, partial }: { readonly writing: Writing; readonly partial: TorusError },
  signal: AbortSignal,
): Promise<TorusError> {
  if (!isConflict(partial)) return partial;
  const types = await readFieldTypes(store, writing.measurement, signal);
  const refused = types ? findConflicts(writing.points, types) : [];
  if (refused.length === 0) return partial;
  const more = refused.length > NAMED ? ` and ${refused.length - NAMED} more` : "";
  const named = `${refused.slice(0, NAMED).join(", ")}${more} (counted from 0)`;
  const reason = partial.message.replace(/^.*?partial write: /s, "").replace(/ dropped=\d+\s*$/, "");
  return store.client.refuse(
    "bucket_rejected",
    `partial write: refused ${refused.length} of ${writing.points.length} points: ${named}; kept the others: ${reason}`,
  );
}

/** Places of the points with a field of another type than the server has. */
function findConflicts(points: readonly Point[], types: ReadonlyMap<string, ReadonlySet<string>>): number[] {
  const fits = ([name, value]: readonly [string, FieldValue]) =>
    value === null || (types.get(name)?.has(nameType(value)) ?? true);
  return [...points.keys()].filter((i) => !Object.entries(points[i]!.fields).every(fits));
}

/** As InfluxDB calls it; numbers are written as floats. */
function nameType(value: NonNullable<FieldValue>): string {
  return typeof value === "number" ? "float" : typeof value;
}
