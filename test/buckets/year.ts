// A year in one-minute intervals with one point a day: sliced reads, and raw points in bounded memory.
import { expect } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";

const DAYS = 365;

/**
 * @param fromAt start of the year, ms since the epoch
 * @param read reads that many minutes of the field `v`
 */
export async function expectYear(
  bucket: Bucket,
  fromAt: number,
  read: (metric: string, minutes: number) => Promise<Float64Array>,
): Promise<void> {
  const points = Array.from({ length: DAYS }, (_, day) => ({
    at: fromAt + day * 86_400_000 + 30_000,
    fields: { v: day + 1 },
    tags: {},
  }));
  await bucket.write!(points, {}, new AbortController().signal);
  for (const metric of ["max", "last"]) {
    const column = await read(metric, DAYS * 1440);
    expect([...column.entries()].filter(([, value]) => value > 0)).toEqual(
      points.map(({ fields }, day) => [day * 1440, fields.v]),
    );
  }
}
