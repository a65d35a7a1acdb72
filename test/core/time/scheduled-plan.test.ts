// Scheduled jobs of the configuration: one per model, in sync with the models, beside jobs of clients.
import { describe, expect, test } from "bun:test";
import type { ScheduledJob } from "../../../src/core/time/scheduled-job.ts";
import {
  checkDefinitions,
  type JobDefinition,
  type JobOrigin,
  type KnownJob,
  planModels,
  planStart,
} from "../../../src/core/time/scheduled-plan.ts";
import { errorOf } from "../expect.ts";

const every = { unit: "day" };
const plain: JobDefinition = { name: "tidy", method: "get", relative_url: "/jobs", every };
const perModel: JobDefinition = {
  name: "train {{model_name}}",
  method: "post",
  relative_url: "/models/{{model_name}}/_train",
  params: { from: "now-30d" },
  every,
};
const made = (model: string): ScheduledJob => ({
  ...(perModel as ScheduledJob),
  name: `train ${model}`,
  relative_url: `/models/${model}/_train`,
});
const known = (job: unknown, origin: JobOrigin = "config"): KnownJob => ({
  name: (job as ScheduledJob).name,
  origin,
  definition: job as ScheduledJob,
});
const names = (jobs: readonly { name: string }[]) => jobs.map(({ name }) => name);

describe("checkDefinitions", () => {
  test("accepts what can become jobs", () => {
    expect(() => checkDefinitions([plain, perModel], "scheduled_jobs")).not.toThrow();
  });

  const cases: [string, JobDefinition[], string, string][] = [
    [
      "a rule broken",
      [plain, { ...perModel, every: { unit: "hour", at: "x" } }],
      "scheduled_jobs.1.every.at",
      "hours",
    ],
    [
      "a slip in the placeholder",
      [{ ...perModel, json: { a: "{{model_nam}}" } }],
      "scheduled_jobs.0",
      "did you mean {{model_name}}?",
    ],
    [
      "another placeholder",
      [{ ...plain, name: "{{host_and_more}}" }],
      "scheduled_jobs.0",
      "the only one is {{model_name}}",
    ],
    ["a name twice", [plain, plain], "scheduled_jobs.1.name", "unique"],
    ["no name", [{ ...perModel, name: null }], "scheduled_jobs.0.name", "printable"],
    [
      "scheduled jobs as the target",
      [{ ...plain, relative_url: "/scheduled_jobs" }],
      "scheduled_jobs.0.relative_url",
      "must not be",
    ],
  ];
  test.each(cases)("refuses %s", (_name, definitions, path, rule) => {
    const error = errorOf(() => checkDefinitions(definitions, "scheduled_jobs"));
    expect(error.details.path).toBe(path);
    expect(error.message).toContain(rule);
  });
});

describe("at start", () => {
  test("every definition becomes a job, or one per model", () => {
    const host = "web-1.example.org:9100";
    expect(planStart([plain, perModel], ["a", host], [])).toEqual({
      put: [plain as ScheduledJob, made("a"), made(host)],
      remove: [],
    });
    expect(planStart([perModel], [], []).put).toEqual([]);
  });

  test("a placeholder outside of the name makes names that differ", () => {
    const same = { ...perModel, name: "nightly" };
    expect(names(planStart([same], ["a", "b"], []).put)).toEqual(["nightly(a)", "nightly(b)"]);
  });

  test("keeps existing jobs, removes obsolete ones, leaves those of clients alone", () => {
    const there = [
      known(plain),
      known(made("a")),
      known(made("gone")),
      known({ ...plain, name: "mine" }, "api"),
    ];
    expect(planStart([plain, perModel], ["a", "b"], there)).toEqual({
      put: [made("b")],
      remove: ["train gone"],
    });
    expect(planStart([], ["a"], there)).toEqual({ put: [], remove: ["tidy", "train a", "train gone"] });
  });

  test("the configuration has the last word on its own names", () => {
    const changed = known({ ...plain, method: "head" });
    expect(planStart([plain], [], [changed]).put).toEqual([plain as ScheduledJob]);
    expect(planStart([plain], [], [known(plain, "api")]).put).toEqual([plain as ScheduledJob]);
  });

  test("a model whose name makes a job's name too long has none, and the others have theirs", () => {
    expect(names(planStart([perModel], ["m".repeat(256), "b"], []).put)).toEqual(["train b"]);
  });
});

describe("when models come and go", () => {
  test("their jobs come and go, and nothing else changes", () => {
    const there = [known(made("b")), known(made("c"))];
    expect(planModels([plain, perModel], { created: ["a"], deleted: ["b"] }, there)).toEqual({
      put: [made("a")],
      remove: ["train b"],
    });
  });

  test("a job of that name that a client made stays as it is", () => {
    const there = [known(made("a"), "api"), known(made("b"), "api")];
    expect(planModels([perModel], { created: ["a"], deleted: ["b"] }, there)).toEqual({
      put: [],
      remove: [],
    });
  });

  test("a job that is there already is not put again", () => {
    const patched = known({ ...made("a"), every: { unit: "hour" } });
    expect(planModels([perModel], { created: ["a"], deleted: [] }, [patched])).toEqual({
      put: [],
      remove: [],
    });
  });
});
