// The setting of an error budget: its parts, objective and window, and what is refused.
import { expect, test } from "bun:test";
import { type Budget, objectiveOf, withParts } from "../../../src/core/budget/budget.ts";
import { check } from "../../../src/core/input/schema.ts";
import { tidyModel } from "../../../src/core/model/input.ts";
import { ModelSettings } from "../../../src/core/model/model.ts";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { DAY_MS } from "../../../src/core/time/time.ts";

const requests = { name: "requests", metric: "sum", field: "requests" };
const errors = { name: "errors", metric: "count", field: "error" };
const latency = { name: "latency", metric: "avg", field: "latency" };
const parts = { total: "requests", bad: "errors", objective: 0.999 };

interface Rest {
  /** Default: three with a metric. */
  readonly features?: readonly object[];
  readonly group_by?: readonly string[];
}

function make(budget: object, { features: own, ...rest }: Rest = {}, burn: object = {}): ModelSettings {
  const features = [...(own ?? [requests, errors, latency]), { name: "burn", budget, ...burn }];
  const body = { name: "web", type: "donut", bucket_interval: "5m", features, ...rest };
  const settings = check(ModelSettings, tidyModel(body));
  checkModelRules(settings);
  return settings;
}

test("an objective is a share or a percentage, over 30 days unless told otherwise", () => {
  const [share, text] = [0.999, "99.9%"].map((objective) => {
    const { features } = make({ ...parts, objective, ...(objective !== 0.999 && { window: "7d" }) });
    return objectiveOf(features.at(-1)!.budget as Budget);
  });
  expect(share).toEqual({ objective: 0.999, windowMs: 30 * DAY_MS });
  expect(text).toEqual({ objective: 0.999, windowMs: 7 * DAY_MS });
});

test.each<[object, string, Rest?, object?]>([
  [{ ...parts, good: "errors" }, "features.3.budget.good: or bad is required, and not both"],
  [{ total: "requests", objective: 0.9 }, "features.3.budget.good: or bad is required, and not both"],
  [
    { ...parts, bad: "failures" },
    "features.3.budget.bad: must be a feature of the model with values of its own",
  ],
  [
    { ...parts, total: "burn" },
    "features.3.budget.total: must be a feature of the model with values of its own",
  ],
  [{ ...parts, total: "errors" }, "features.3.budget.total: must be another feature than good or bad"],
  [
    { ...parts, bad: "latency" },
    "features.3.budget: must be made of features with sum or count, or both with rate",
  ],
  [
    { ...parts, objective: 1 },
    "features.3.budget.objective: must be above 0 and below 1, as 0.999, or a percentage",
  ],
  [{ ...parts, objective: "0%" }, "features.3.budget.objective: must be above 0 % and below 100 %"],
  [{ ...parts, objective: "most" }, "features.3.budget.objective: must be above 0 and below 1"],
  [{ ...parts, window: "1h" }, "features.3.budget.window: must be from 24 intervals of the model to 100d"],
  [{ ...parts, window: "101d" }, "features.3.budget.window: must be from 24 intervals of the model to 100d"],
  [
    { total: "up", bad: "errors", objective: 0.9 },
    "features.3.budget: must be made of features with metric and field, not of queries",
    { group_by: ["host"], features: [requests, errors, { name: "up", query: "up" }] },
  ],
  [parts, "features.3.metric: must be absent beside budget", {}, { metric: "sum" }],
  [parts, "features.3.bucket: must be absent beside budget", {}, { bucket: "b" }],
])("%j is refused: %s", (budget, message, rest = {}, burn = {}) => {
  expect(() => make(budget, rest, burn)).toThrow(message);
});

test("features are read with those that their budgets are made of", () => {
  const { features } = make(parts);
  const names = (some: readonly string[]) =>
    withParts(
      features.filter(({ name }) => some.includes(name)),
      features,
    ).map(({ name }) => name);
  expect(names(["burn"])).toEqual(["burn", "requests", "errors"]);
  expect(names(["latency"])).toEqual(["latency"]);
});
