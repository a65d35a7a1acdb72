// State of an error budget: what is left, burn rates, fast and slow burns, and when it is exhausted.
import { expect, test } from "bun:test";
import { countsOf } from "../../../src/core/budget/burn.ts";
import { stateOf } from "../../../src/core/budget/state.ts";
import { reasonsOf } from "../../../src/core/budget/words.ts";
import { utc } from "../../../src/core/calendar/wall-time.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time/time.ts";

const objective = { objective: 0.99, windowMs: 30 * DAY_MS };
const HOURS = 720;

/** Hours of 100 requests each, ending at day 30. @param badAt of an hour, counted from 0; NaN: no value */
function judge(badAt: (hour: number) => number, total = (_hour: number) => 100) {
  const hours = Array.from({ length: HOURS }, (_, hour) => hour);
  const parts = { bad: Float64Array.from(hours, badAt), total: Float64Array.from(hours, total) };
  return stateOf({ counts: countsOf(parts), startAt: 0, stepMs: HOUR_MS }, objective, utc);
}

test("half of the allowed failures leave half of the budget, and never exhaust it", () => {
  const state = judge(() => 0.5);
  expect(state.remaining).toBeCloseTo(0.5, 9);
  expect(state).toMatchObject({ bad: 360, total: 72_000, missing: 0, impossible: 0, burn: undefined });
  expect(state.rates["6h"]).toBeCloseTo(0.5, 9);
  expect(state.exhaustion).toEqual({ outlook: "not_within_window" });
  expect(state.days).toHaveLength(30);
  expect(state.days[29]).toMatchObject({ day: 29, bad: 12, total: 2400 });
  expect(state.days[29]!.consumed).toBeCloseTo(12 / 720, 9);
});

test("what leaves the window counts: a burn of 2 for the last 8 days lasts until half of the window has it", () => {
  const state = judge((hour) => (hour >= HOURS - 8 * 24 ? 2 : 0));
  // 192 of 360 hours of such failures have passed, and hours without any leave.
  const { exhaustion } = state;
  if (exhaustion.outlook !== "expected") throw new Error(exhaustion.outlook);
  expect(exhaustion.at).toBe(30 * DAY_MS + 168 * HOUR_MS);
  expect(exhaustion.earliestAt).toBe(exhaustion.at);
  expect(exhaustion.latestAt).toBe(exhaustion.at);
});

test("an old outage that leaves the window gives its budget back", () => {
  const outage = judge((hour) => (hour < 6 ? 100 : 0.4));
  expect(outage.remaining).toBeLessThan(0);
  expect(outage.exhaustion).toEqual({ outlook: "exhausted" });
  // All but a little is used, which the outage gives back at once.
  const nearly = judge((hour) => (hour < 4 ? 80 : 0.5));
  expect(nearly.remaining).toBeLessThan(0.1);
  expect(nearly.exhaustion.outlook).toBe("not_within_window");
});

test("days that differ make a band, whose far edge may be later than the window is long", () => {
  const state = judge((hour) => (Math.floor(hour / 24) % 2 === 0 ? 2 : 0.3) * (hour < 480 ? 0.2 : 1));
  const { exhaustion } = state;
  if (exhaustion.outlook === "exhausted" || exhaustion.outlook === "not_enough_data") throw new Error();
  expect(exhaustion.earliestAt!).toBeLessThan(exhaustion.at!);
  expect(exhaustion).not.toHaveProperty("latestAt");
});

test.each([
  ["fast", 1, 15],
  ["fast", 6, 7],
  ["slow", 72, 1.5],
  [undefined, 1, 14],
  [undefined, 72, 0.9],
] as const)("a burn is %p for the last %d hours at %d times the allowed rate", (burn, hours, rate) => {
  expect(judge((hour) => (hour >= HOURS - hours ? rate : 0)).burn).toBe(burn);
});

test("a burn that has stopped is none, and one that goes on dates the exhaustion by its rate", () => {
  expect(judge((hour) => (hour >= HOURS - 3 && hour < HOURS - 1 ? 20 : 0)).burn).toBeUndefined();
  const { exhaustion } = judge((hour) => (hour >= HOURS - 2 ? 50 : 0));
  // 100 of 720 have failed; 50 more do each hour.
  expect(exhaustion).toMatchObject({ outlook: "expected" });
  expect((exhaustion as { at: number }).at).toBe(30 * DAY_MS + 13 * HOUR_MS);
});

test("without requests nothing is known, and the words say so", () => {
  const state = judge(
    () => 0,
    () => 0,
  );
  expect(state).toMatchObject({ remaining: undefined, missing: 0 });
  expect(state.rates["1h"]).toBeUndefined();
  expect(state.exhaustion).toEqual({ outlook: "not_enough_data" });
  expect(reasonsOf(state, objective)[0]).toBe(
    "what is left of the error budget is unknown: nothing was counted in the window",
  );
});

test("missing and impossible intervals are told and do not count", () => {
  const state = judge((hour) => (hour < 360 ? Number.NaN : hour < 370 ? 200 : hour === 370 ? -1 : 0.5));
  expect(state).toMatchObject({ missing: 0.5, impossible: 11, total: 34_900 });
  expect(state.remaining).toBeCloseTo(0.5, 9);
  const reasons = reasonsOf(state, objective);
  expect(reasons).toContain("50 % of the window has no values, and does not count");
  expect(reasons.at(-1)).toStartWith("11 intervals do not count");
});

test("missing values are told where they could change what is left, and one interval is one", () => {
  const state = judge((hour) => (hour === 370 ? -1 : 0.5));
  const told = (missing: number) =>
    reasonsOf({ ...state, missing }, objective).some((reason) => reason.includes("has no values"));
  const { objective: share } = objective;
  expect([told(0), told(0.05 * (1 - share)), told(0.2 * (1 - share))]).toEqual([false, false, true]);
  expect(reasonsOf(state, objective).at(-1)).toStartWith("1 interval does not count");
});

test("two days are not enough for a date", () => {
  const state = judge((hour) => (hour < HOURS - 48 ? Number.NaN : 0.5));
  expect(state.exhaustion).toEqual({ outlook: "not_enough_data" });
  expect(state.remaining).toBeCloseTo(0.5, 9);
});
