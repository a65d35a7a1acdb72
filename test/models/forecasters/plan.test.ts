// Plan of a backtest: near horizon, leads near and far, and origins.
import { describe, expect, test } from "bun:test";
import { planBacktest } from "../../../src/models/forecasters/plan.ts";
import { leadsTo } from "./support.ts";

const MINUTE = 60_000;
const halfHours = { length: 1000, heldOutFrom: 700, intervalMs: 30 * MINUTE };
/** Leads beyond the near horizon. */
const farOf = ({ horizon, leads }: ReturnType<typeof planBacktest>) =>
  leads.filter((lead) => lead >= horizon);

test("a day ahead, from 24 instants of the held-out part", () => {
  const { horizon, leads, origins } = planBacktest(halfHours);
  expect(horizon).toBe(48);
  expect(leads.slice(0, 48)).toEqual(leadsTo(48));
  expect(origins).toHaveLength(24);
  // From the last one half a day is known.
  expect([origins[0], origins.at(-1)]).toEqual([700, 976]);
});

test("of a long forecast some intervals are compared, the first and the last among them", () => {
  const plan = planBacktest({ length: 100_000, heldOutFrom: 70_000, intervalMs: MINUTE });
  const near = plan.leads.filter((lead) => lead < plan.horizon);
  expect(plan.horizon).toBe(1440);
  expect([near.length, near[0], near.at(-1)]).toEqual([48, 0, 1439]);
  expect(plan.origins).toHaveLength(16);
});

test.each([
  ["one interval", 1, 1, [9]],
  ["two", 2, 1, [8, 9]],
  ["five: up to half of them are forecast", 5, 3, [5, 6, 7, 8]],
])("held out is %s", (_, room, horizon, origins) => {
  const plan = planBacktest({ length: 10, heldOutFrom: 10 - room, intervalMs: 60 * MINUTE });
  expect(plan).toMatchObject({ horizon, origins });
});

describe("far leads", () => {
  test("lie in days that are further and further ahead, up to two thirds of the held-out part", () => {
    const far = farOf(planBacktest({ ...halfHours, length: 700 + 60 * 48 }));
    const days = new Set(far.map((lead) => Math.floor(lead / 48) + 1));
    expect([...days]).toEqual([2, 3, 5, 7, 10, 14, 21, 28]);
    // First and last interval of each day are among them.
    for (const day of days) expect(far).toContain((day - 1) * 48);
    for (const day of days) expect(far).toContain(day * 48 - 1);
    expect(far).toHaveLength(8 * days.size);
  });

  test.each([
    ["none where hardly anything is held out", { ...halfHours, length: 702 }, []],
    ["up to two thirds of a day that is held out", { ...halfHours, length: 748 }, [24, 27, 31]],
    ["none where a day is asked for", { ...halfHours, asked: 48 }, []],
    ["one interval where no more is asked for", { ...halfHours, asked: 49 }, [48]],
  ] as const)("%s", (_, input, far) => {
    expect(farOf(planBacktest(input))).toEqual([...far]);
  });
});

test("leads ascend, and each of them is observed from the first origin", () => {
  for (let length = 2; length < 300; length++) {
    for (const heldOutFrom of [1, length >> 1, length - 1]) {
      const { origins, horizon, leads } = planBacktest({ length, heldOutFrom, intervalMs: 60 * MINUTE });
      expect(origins[0]).toBe(heldOutFrom);
      expect(leads[0]).toBe(0);
      expect(leads.every((lead, i) => i === 0 || lead > leads[i - 1]!)).toBe(true);
      expect(heldOutFrom + leads.at(-1)!).toBeLessThan(length);
      // At least half of the near horizon is observed from the last one.
      expect(origins.at(-1)! + Math.ceil(horizon / 2)).toBeLessThanOrEqual(length);
    }
  }
});

test("fewer origins are as far apart as they can be", () => {
  expect(planBacktest({ ...halfHours, origins: 3 }).origins).toEqual([700, 838, 976]);
});
