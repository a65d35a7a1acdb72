// Sub-buckets: no shorter than a millisecond, numbered by exact integers.
import { expect, test } from "bun:test";
import { divideRange } from "../../src/tsdb/sub-buckets.ts";

const MANY = 1_000_000;

test("no sub-bucket is shorter than a millisecond", () => {
  const divided = divideRange({ fromAt: 0, toAt: 1000 }, 10, MANY);
  expect(divided).toEqual({ intervalMs: 10, perInterval: 10, count: 1000 });
});

test("sub-buckets of a long range are numbered by exact integers", () => {
  const spanMs = 2 ** 45;
  const { perInterval } = divideRange({ fromAt: 0, toAt: spanMs }, spanMs, MANY);
  expect(perInterval).toBeGreaterThan(1);
  expect(perInterval * spanMs).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});
