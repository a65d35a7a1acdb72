// A year in one-minute intervals with one point a day: sliced reads, and raw points in bounded memory.
import { expect } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { Point } from "../../src/core/series/query.ts";
import { idle, readColumn, T0 } from "./support.ts";

const DAYS = 365;

/** Writes the points, by default through the bucket, and reads their field `v`. */
export async function expectYear(
  bucket: Bucket,
  seed: (points: Point[]) => Promise<unknown> = (points) => bucket.write!(points, {}, idle()),
): Promise<void> {
  const points = Array.from({ length: DAYS }, (_, day) => ({
    at: T0 + day * 86_400_000 + 30_000,
    fields: { v: day + 1 },
    tags: {},
  }));
  await seed(points);
  for (const metric of ["max", "last"]) {
    const column = await readColumn(bucket, { metric }, DAYS * 1440);
    expect([...column.entries()].filter(([, value]) => value > 0)).toEqual(
      points.map(({ fields }, day) => [day * 1440, fields.v]),
    );
  }
}
