// Windowed reads: every point once and in order at any density, no answer beyond its limit.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { streamWindows, toSamples } from "../../../src/buckets/shared/windows.ts";
import { TorusError } from "../../../src/core/errors.ts";

const client = {
  refuse: (code: "bucket_rejected" | "bucket_unavailable" | "bucket_auth", reason: string) =>
    new TorusError(code, reason),
};
type Point = readonly [at: number, value: number];

/** What the windows of a store with these points bring, and how many answers that took. */
async function readAll(points: readonly Point[], limit: number, range: { fromAt: number; toAt: number }) {
  const read: Point[] = [];
  let answers = 0;
  const fetch = async ({ fromAt, toAt }: { fromAt: number; toAt: number }) => {
    answers++;
    const found = points.filter(([at]) => at >= fromAt && at < toAt).toSorted(([a], [b]) => a - b);
    return toSamples(found.slice(0, limit + 1));
  };
  for await (const { times, values } of streamWindows({ range, limit, client }, fetch)) {
    expect(times.length).toBeLessThanOrEqual(limit);
    for (const [i, at] of times.entries()) read.push([at, values[i]!]);
  }
  return { read, answers };
}

describe("windows", () => {
  test("every point comes once, in order of time, for any points and limits", async () => {
    const instants = fc.uniqueArray(fc.integer({ min: -50_000, max: 4_000_000 }), { maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(instants, fc.integer({ min: 1, max: 20 }), async (times, limit) => {
        const points = times.map((at, i) => [at, i] as const);
        const range = { fromAt: 0, toAt: 3_600_000 };
        const { read } = await readAll(points, limit, range);
        const within = points.filter(([at]) => at >= 0 && at < range.toAt).toSorted(([a], [b]) => a - b);
        expect(read).toEqual(within);
      }),
    );
  });

  test("the series of points stay with them, sorted and cut off as they are", async () => {
    const points = [
      [3000, 1, "b"],
      [1000, 2, "a"],
      [3000, 3, "a"],
      [2000, 4, "b"],
    ] as const;
    const fetch = async ({ fromAt, toAt }: { fromAt: number; toAt: number }) =>
      toSamples(points.filter(([at]) => at >= fromAt && at < toAt));
    const read: unknown[] = [];
    const range = { fromAt: 0, toAt: 10_000 };
    for await (const { times, values, series } of streamWindows({ range, limit: 3, client }, fetch))
      for (const i of times.keys()) read.push([times[i], values[i], series![i]]);
    expect(read).toEqual([points[1], points[3], points[0], points[2]].map((point) => [...point!]));
  });

  test("a long range with few points takes few answers", async () => {
    const year = 365 * 86_400_000;
    const { read, answers } = await readAll([[year - 1, 7]], 1000, { fromAt: 0, toAt: year });
    expect(read).toEqual([[year - 1, 7]]);
    expect(answers).toBeLessThan(10);
  });

  test("as many points at one instant as an answer holds are fine, one more is an error", async () => {
    const same = Array.from({ length: 5 }, (_, i) => [1000, i] as const);
    const range = { fromAt: 0, toAt: 10_000 };
    expect((await readAll([...same, [2000, 9]], 5, range)).read).toEqual([...same, [2000, 9]]);
    await expect(readAll(same, 4, range)).rejects.toMatchObject({ code: "bucket_rejected" });
  });
});
