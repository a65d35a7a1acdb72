// Writes to InfluxDB in batches; reports which points a partial write refused.
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";
import { createYielder } from "../../runtime/steps.ts";
import { PartialWriteError } from "../kind.ts";
import { readFieldTypes } from "./explore.ts";
import { escapeMeasurement, formatLine } from "./line.ts";
import type { Store } from "./store.ts";

/** Points per request, as the documentation of InfluxDB recommends. */
const POINTS_PER_REQUEST = 5000;
/** Refused points that a message names. */
const NAMED = 20;

interface Writing {
  readonly points: readonly Point[];
  readonly measurement: string;
}

/**
 * Writes all points. InfluxDB refuses points of conflicting types and keeps the others of a request, so the remaining
 * requests are sent too, and the error at the end lists the missing points. Writes are idempotent.
 * @throws TorusError `invalid` before anything is sent; PartialWriteError for points that were refused
 */
export async function writePoints(store: Store, writing: Writing, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  const escaped = escapeMeasurement(writing.measurement);
  // All lines first: an invalid name is found before anything is sent.
  const yieldNow = createYielder(signal);
  const lines: string[] = [];
  for (const [i, point] of writing.points.entries()) {
    const line = formatLine(escaped, point);
    if (line !== undefined) lines.push(line);
    if (i % 512 === 511) await yieldNow();
  }
  let partial: TorusError | undefined;
  for (let from = 0; from < lines.length; from += POINTS_PER_REQUEST) {
    partial = (await writeBatch(store, lines.slice(from, from + POINTS_PER_REQUEST), signal)) ?? partial;
  }
  if (partial) {
    const { message, details } = await explainPartial(store, { writing, partial }, signal);
    throw new PartialWriteError(message, details);
  }
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
  // If a request introduces a field with two types, InfluxDB 1.x registers the first and stores no point.
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

/** InfluxDB reports a partial write in the text of its answer alone. */
function isPartial(error: unknown): error is TorusError {
  return (
    error instanceof TorusError && error.code === "bucket_rejected" && /partial write/.test(error.message)
  );
}

/** The server names only the last field, so refused points are found by the field types on the server. */
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

/** Indexes of points with a field of another type than on the server. */
function findConflicts(points: readonly Point[], types: ReadonlyMap<string, ReadonlySet<string>>): number[] {
  const fits = ([name, value]: readonly [string, FieldValue]) =>
    value === null || (types.get(name)?.has(nameType(value)) ?? true);
  return [...points.keys()].filter((i) => !Object.entries(points[i]!.fields).every(fits));
}

/** Type name in InfluxDB; numbers are written as floats. */
function nameType(value: NonNullable<FieldValue>): string {
  return typeof value === "number" ? "float" : typeof value;
}
