// Plan of a backtest: horizon, leads and origins.
import { expect, test } from "bun:test";
import { planBacktest } from "../../../src/models/forecasters/plan.ts";

const MINUTE = 60_000;

test("a day ahead, from 24 instants of the held-out part", () => {
  const { horizon, leads, origins } = planBacktest({
    length: 1000,
    heldOutFrom: 700,
    intervalMs: 30 * MINUTE,
  });
  expect(horizon).toBe(48);
  expect(leads).toEqual(Array.from({ length: 48 }, (_, i) => i));
  expect(origins).toHaveLength(24);
  expect([origins[0], origins.at(-1)]).toEqual([700, 952]);
});

test("of a long forecast some intervals are compared, the first and the last among them", () => {
  const { horizon, leads } = planBacktest({ length: 100_000, heldOutFrom: 70_000, intervalMs: MINUTE });
  expect(horizon).toBe(1440);
  expect([leads.length, leads[0], leads.at(-1)]).toEqual([48, 0, 1439]);
});

test.each([
  ["one interval", 1, 1, [9]],
  ["two", 2, 1, [8, 9]],
  ["five: half of them are foretold", 5, 3, [5, 6, 7]],
])("held out is %s", (_, room, horizon, origins) => {
  const plan = planBacktest({ length: 10, heldOutFrom: 10 - room, intervalMs: 60 * MINUTE });
  expect(plan).toMatchObject({ horizon, origins });
});

test("no forecast reaches beyond what is known", () => {
  for (let length = 2; length < 300; length++) {
    for (const heldOutFrom of [1, length >> 1, length - 1]) {
      const { origins, horizon } = planBacktest({ length, heldOutFrom, intervalMs: 60 * MINUTE });
      expect(origins[0]).toBe(heldOutFrom);
      expect(origins.at(-1)! + horizon).toBeLessThanOrEqual(length);
    }
  }
});

test("fewer origins are as far apart as they can be", () => {
  const plan = planBacktest({ length: 1000, heldOutFrom: 700, intervalMs: 30 * MINUTE, origins: 3 });
  expect(plan.origins).toEqual([700, 826, 952]);
});
