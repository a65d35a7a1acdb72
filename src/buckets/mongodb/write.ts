// Writing points to MongoDB: a document per series and instant, whose id follows from both, so that it replaces.
import { throwIfAborted } from "../../core/abort.ts";
import { invalid } from "../../core/errors.ts";
import type { Point } from "../kind.ts";
import type { Connection, Document } from "./connection.ts";
import { requireName, type TimeField, toTime } from "./document.ts";

const POINTS_PER_REQUEST = 1000;

/** All documents first: a name that cannot be stored is found before anything is sent. */
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

/** Undefined where all fields are null. */
function toUpdate({ at, fields, tags }: Point, time: TimeField): { id: string; $set: Document } | undefined {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== null && (typeof value !== "number" || Number.isFinite(value)),
  );
  if (given.length === 0) return undefined;
  const labels = Object.entries(tags);
  const names = [time.name, ...[...labels, ...given].map(([name]) => requireName(name))];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw invalid(
      "",
      `${JSON.stringify(twice.slice(0, 64))} names two of field, tag and time; a document holds it once`,
    );
  const instant = Math.floor(at);
  return {
    id: new Bun.CryptoHasher("sha1").update(JSON.stringify([instant, labels.toSorted()])).digest("hex"),
    $set: Object.fromEntries([[time.name, toTime(instant, time.unit)], ...labels, ...given]),
  };
}
