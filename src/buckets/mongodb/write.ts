// Writes to MongoDB: one document per series and instant, with an id derived from both.
import { throwIfAborted } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import { toPointDocument } from "../shared/document.ts";
import type { Connection, Document } from "./connection.ts";
import { requireName, type TimeField, toTime } from "./document.ts";

const POINTS_PER_REQUEST = 1000;

/** All documents first: an invalid name is found before anything is sent. */
export async function writePoints(
  connection: Connection,
  { points, time }: { readonly points: readonly Point[]; readonly time: TimeField },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  const updates = points.flatMap((point) => toUpdate(point, time) ?? []);
  for (let from = 0; from < updates.length; from += POINTS_PER_REQUEST) {
    const some = updates.slice(from, from + POINTS_PER_REQUEST).map(({ id, $set }) => ({
      updateOne: { filter: { _id: id as never }, update: { $set }, upsert: true },
    }));
    await connection.run((collection) => collection.bulkWrite(some, { ordered: true }), signal);
  }
}

/** @returns undefined where all fields are null */
function toUpdate(point: Point, time: TimeField): { id: string; $set: Document } | undefined {
  const document = toPointDocument(point, { timeName: time.name, requireName });
  if (!document) return undefined;
  const { id, instant, entries } = document;
  return { id, $set: Object.fromEntries([[time.name, toTime(instant, time.unit)], ...entries]) };
}
