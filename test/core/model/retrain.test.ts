// Model setting `retrain`: its scheduled job, and the sync of jobs with models.
import { expect, test } from "bun:test";
import { planRetrain, type Retrain, retrainJob } from "../../../src/core/model/retrain.ts";
import type { JobOrigin, KnownJob } from "../../../src/core/time/scheduled-plan.ts";
import { parseDate } from "../../../src/core/time/time.ts";

const retrain: Retrain = { every: { unit: "day", at: "03:00" }, range: "30d" };
const DAY = 86_400_000;

test.each([
  ["30d", 30],
  ["1.5d", 1.5],
  [86_400, 1],
  ["86400", 1],
  ["2w", 14],
])("a range of %p begins that long ago", (range, days) => {
  const { params } = retrainJob("m", { ...retrain, range });
  expect(parseDate(params!.from!, 100 * DAY, "from")).toBe((100 - days) * DAY);
});

const known = (name: string, origin: JobOrigin, over: Partial<Retrain> = {}): KnownJob => ({
  name: `retrain ${name}`,
  origin,
  definition: retrainJob(name, { ...retrain, ...over }),
});
const cases: [string, KnownJob[], names: string[] | undefined, put: string[], remove: string[]][] = [
  ["all that lack a job get one", [], undefined, ["a", "b"], []],
  ["one that has the right job keeps it", [known("a", "model")], undefined, ["b"], []],
  [
    "one that has another gets the right one",
    [known("a", "model", { range: "1d" })],
    undefined,
    ["a", "b"],
    [],
  ],
  [
    "jobs of others are left alone",
    [known("a", "api"), known("b", "config"), known("x", "api")],
    undefined,
    [],
    [],
  ],
  [
    "jobs of models that were deleted or dropped the setting are removed",
    [known("c", "model"), known("x", "model")],
    undefined,
    ["a", "b"],
    ["c", "x"],
  ],
  ["of some models, others are not looked at", [known("x", "model")], ["b", "c"], ["b"], []],
  ["of some models, those that are gone are", [known("x", "model"), known("y", "model")], ["x"], [], ["x"]],
];

test.each(cases)("%s", (_, jobs, names, put, remove) => {
  const models = [{ name: "a", retrain }, { name: "b", retrain }, { name: "c" }];
  expect(planRetrain(models, jobs, names)).toEqual({
    put: put.map((name) => retrainJob(name, retrain)),
    remove: remove.map((name) => `retrain ${name}`),
  });
});

test.each([
  [undefined, true],
  [true, true],
  [false, undefined],
])("guard %p: the trainings are guarded: %p", (guard, expected) => {
  const { params } = retrainJob("m", { ...retrain, ...(guard !== undefined && { guard }) });
  expect(params!.guard).toBe(expected as true);
});
