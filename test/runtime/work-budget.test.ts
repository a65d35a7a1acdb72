// Work budget: taken before the work, an error that names the cap, pauses by the work since the last one.
import { expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { CapError, type Caps, WorkBudget } from "../../src/runtime/work-budget.ts";

const caps = {
  points: { most: 10, verb: "has", noun: "points", advice: "send smaller batches" },
  width: { most: 3, verb: "has a point of", noun: "fields", advice: "split it" },
} as const satisfies Caps<string>;

test("what exceeds the cap is not taken, and the error names cap, limit and way out", () => {
  const budget = new WorkBudget(caps);
  budget.take("points", 9);
  const refused = () => budget.take("points", 2);
  expect(refused).toThrow(CapError);
  expect(refused).toThrow("body: has more than 10 points: send smaller batches");
  try {
    refused();
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid", details: { path: "body", cap: "points", limit: 10 } });
  }
  expect(budget.taken("points")).toBe(9);
  budget.take("points");
  expect(() => budget.take("points")).toThrow();
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])("%p is refused", (amount) => {
  const budget = new WorkBudget(caps);
  expect(() => budget.take("points", amount)).toThrow();
  expect(() => budget.check("width", amount)).toThrow();
  expect(budget.taken("points")).toBe(0);
});

test("a cap of each is not of all together", () => {
  const budget = new WorkBudget(caps);
  for (let i = 0; i < 100; i++) budget.check("width", 3);
  expect(() => budget.check("width", 4)).toThrow("has a point of more than 3 fields: split it");
});

test("a pause is due after a thousand units of work, of whatever kind, and ends what is aborted", async () => {
  const abort = new AbortController();
  const budget = new WorkBudget({ ...caps, points: { ...caps.points, most: 1e6 } }, { signal: abort.signal });
  budget.take("points", 999);
  expect(budget.isDue).toBe(false);
  budget.spend();
  expect(budget.isDue).toBe(true);
  await budget.pace();
  expect(budget.isDue).toBe(false);
  abort.abort(new TorusError("canceled", "enough"));
  expect(() => budget.pace()).toThrow("enough");
});

test("another error may be made of a cap", () => {
  const budget = new WorkBudget(caps, { refuse: (name, { most }) => new RangeError(`${name} ${most}`) });
  expect(() => budget.take("points", 11)).toThrow(new RangeError("points 10"));
});
