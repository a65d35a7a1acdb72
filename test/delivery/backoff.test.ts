// Exponential backoff: bounds, doubling, jitter.
import { expect, test } from "bun:test";
import { backoffMs } from "../../src/delivery/backoff.ts";

test.each([
  [1, 1000, 2000],
  [2, 2000, 4000],
  [3, 4000, 8000],
  [8, 128_000, 256_000],
  [9, 150_000, 300_000],
  [10, 150_000, 300_000],
  [10_000, 150_000, 300_000],
  [0, 1000, 2000],
])("after %d attempts from %d to %d ms", (attempts, shortest, longest) => {
  expect(backoffMs(attempts, 0)).toBe(shortest);
  expect(backoffMs(attempts, 1)).toBe(longest);
  expect(backoffMs(attempts, 0.5)).toBe((shortest + longest) / 2);
});

test("an hour of failures is 12 to 40 attempts", () => {
  for (const chance of [0, 0.3, 0.999]) {
    let attempts = 0;
    for (let at = 0; at < 3600_000; at += backoffMs(attempts, chance)) attempts++;
    expect(attempts).toBeGreaterThanOrEqual(12);
    expect(attempts).toBeLessThanOrEqual(40);
  }
});
