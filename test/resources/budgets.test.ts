// Error budgets: the list of live models, and those of one model as they are now; refusals.
import { beforeEach, expect, test } from "bun:test";
import type { ErrorBudgetView } from "../../src/api/server/budget.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time/time.ts";
import { budgetJudgement } from "../../src/live/budget/judge.ts";
import { Budgets } from "../../src/resources/budgets.ts";
import { createModel } from "../../src/store/models.ts";
import { useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";

const store = useStore();
const NOW = 1000 * DAY_MS;
const { signal } = new AbortController();
const features: ModelSettings["features"] = [
  { name: "requests", metric: "sum", field: "requests" },
  { name: "errors", metric: "sum", field: "errors", default: 0 },
  { name: "burn", budget: { total: "requests", bad: "errors", objective: "99%", window: "10d" } },
];
const settings = (name: string) =>
  aModel({ name, features, default_bucket: "web", bucket_interval: "1h", timezone: "Europe/Paris" });

let bucket: Bucket;
const openBucket = async () => bucket;
const make = () => new Budgets({ store, clock: { now: () => NOW }, openBucket });

beforeEach(async () => {
  bucket = local.open("web", {}, { dataDir: temporaryFolder() });
  // 100 requests an hour for 12 days, of which half fail in the first hour of the window.
  const points = Array.from({ length: 288 }, (_, i) => ({
    at: NOW - (288 - i) * HOUR_MS,
    fields: { requests: 100, ...(i === 48 && { errors: 60 }) },
    tags: { host: i < 144 ? "a" : "b" },
  }));
  await bucket.write!(points, {}, signal);
  await createModel(store, { name: "m", settings: settings("m") }, 1);
});

test("a model has its budgets as they are now, by day in its time zone", async () => {
  const [found, ...more] = await make().ofModel("m", {}, signal);
  expect(more).toEqual([]);
  expect(found).toMatchObject({
    ...{ model: "m", feature: "burn", objective: 0.99, window: 864_000 },
    ...{ remaining: 0.75, bad: 60, total: 24_000, burn: null, missing: 0, impossible: 0 },
    rates: { "1h": 0, "6h": 0, "1d": 0, "3d": 0 },
    exhaustion: { outlook: "not_within_window" },
    reasons: ["75 % of the error budget is left: 60 of 24 k were bad, 240 may be", "at this rate it lasts"],
    made: NOW / 1000,
  });
  // Midnight of Paris is an hour before that of UTC.
  expect(found!.days).toHaveLength(11);
  expect(found!.days[0]).toEqual({ date: "1972-09-17", bad: 60, total: 2300, consumed: 0.25 });
});

test("a fleet is asked for a series, and has that of its points", async () => {
  await createModel(store, { name: "fleet", settings: { ...settings("fleet"), group_by: ["host"] } }, 1);
  const [found] = await make().ofModel("fleet", { series: "host:b" }, signal);
  expect(found).toMatchObject({ series: { host: "b" }, bad: 0, total: 14_400, remaining: 1 });
  expect(found!.missing).toBeCloseTo(0.4, 9);
  expect(make().ofModel("fleet", {}, signal)).rejects.toThrow("series: is required");
  expect(make().ofModel("fleet", { series: "host:none" }, signal)).rejects.toMatchObject({
    code: "not_found",
    message: "series host=none of model fleet has no values in the window: check its tags",
  });
});

test("rates per second count for the length of a step", async () => {
  const points = Array.from({ length: 288 }, (_, i) => {
    const fields = { hits: 3600 * i, failures: 36 * i };
    return { at: NOW - (288 - i) * HOUR_MS, fields, tags: {} };
  });
  await bucket.write!(points, {}, signal);
  const rates: ModelSettings["features"] = [
    { name: "hits", metric: "rate", field: "hits" },
    { name: "failures", metric: "rate", field: "failures" },
    { name: "burn", budget: { total: "hits", bad: "failures", objective: 0.9, window: "10d" } },
  ];
  await createModel(store, { name: "rates", settings: { ...settings("rates"), features: rates } }, 1);
  const [found] = await make().ofModel("rates", {}, signal);
  expect(found!.total).toBeCloseTo(240 * 3600, 3);
  expect(found!.bad).toBeCloseTo(240 * 36, 3);
  expect(found!.remaining).toBe(0.9);
});

test("a model without a budget, and one that is not there, are refused", async () => {
  await createModel(store, { name: "plain", settings: aModel({ name: "plain" }) }, 1);
  expect(make().ofModel("plain", {}, signal)).rejects.toMatchObject({ code: "not_supported" });
  expect(make().ofModel("nobody", {}, signal)).rejects.toMatchObject({ code: "not_found" });
});

test("the list has the states that were kept, in pages with a total", async () => {
  store.sqlite.run("insert into live (model, started_at, options, state) values ('m', 1, '{}', '{}')");
  const subject = { settings: settings("m"), intervalMs: HOUR_MS, toAt: NOW };
  const deps = { store, openBucket } as never;
  await budgetJudgement.judge(deps, { model: "m", series: undefined }, subject, signal);
  const { entries, total } = await make().list({ page: "0", per_page: "1" });
  const page = entries as ErrorBudgetView[];
  expect(page).toMatchObject([{ model: "m", remaining: 0.75, rates: { "1h": 0 }, burn: null }]);
  expect(page[0]).not.toHaveProperty("days");
  expect(total).toBe(1);
  expect(make().list({ model: "n" })).rejects.toMatchObject({ code: "not_found" });
  expect(make().list({ tags: "host" })).rejects.toMatchObject({ code: "invalid" });
});
