// Capacity: views with dates and reasons, filters, and their refusals.
import { beforeEach, expect, test } from "bun:test";
import type { CapacityView } from "../../src/api/server/capacity.ts";
import { DAY_MS } from "../../src/core/time/time.ts";
import { Capacity } from "../../src/resources/capacity.ts";
import { createModel } from "../../src/store/models.ts";
import { type NewOutlook, replaceOutlooks } from "../../src/store/outlooks.ts";
import { useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const store = useStore();
const NOW = 1000 * DAY_MS;
const capacity = () => new Capacity({ store, clock: { now: () => NOW } });
const list = async (params = {}) => (await capacity().list(params)).entries as CapacityView[];

const fills: NewOutlook = {
  ...{ feature: "v", type: "high", bound: 100, source: "unit", value: 81.2, perDay: 1.6 },
  ...{ reachedAt: NOW + 12 * DAY_MS, earliestAt: NOW + 10 * DAY_MS, latestAt: null },
  ...{ hits: 14, cases: 16, isPredictable: true, madeAt: NOW },
};

beforeEach(async () => {
  for (const name of ["m", "n"]) {
    const features = [{ name: "v", metric: "avg", field: "v", unit: "%" }];
    await createModel(store, { name, settings: aModel({ name, features }) }, 1);
    store.sqlite.run("insert into live (model, started_at, options, state) values (?, 1, '{}', '{}')", [
      name,
    ]);
  }
});

test("an outlook has its date and band in seconds, what it was judged by, and reasons", async () => {
  await replaceOutlooks(store, { model: "m" }, [fills]);
  expect(await list()).toEqual([
    {
      ...{ model: "m", feature: "v", unit: "%", limit: { value: 100, type: "high", source: "unit" } },
      ...{ now: 81.2, per_day: 1.6, predictable: true },
      ...{ date: 1012 * 86_400, earliest: 1010 * 86_400, latest: null },
      backtest: { right: 14, of: 16 },
      reasons: [
        "rises by 1.6 % a day: 12 days left",
        "earlier dates were right within 20 % of the lead in 14 of 16 cases",
      ],
      made: 1000 * 86_400,
    },
  ]);
});

test("reasons have the prefixes of units, and hours where few are left", async () => {
  const soon = { perDay: -21.4e9, reachedAt: NOW + 1.25 * DAY_MS };
  const features = [{ name: "v", metric: "min", field: "v", unit: "B" }];
  await createModel(store, { name: "bytes", settings: aModel({ name: "bytes", features }) }, 1);
  store.sqlite.run("insert into live (model, started_at, options, state) values ('bytes', 1, '{}', '{}')");
  await replaceOutlooks(store, { model: "bytes" }, [{ ...fills, ...soon, bound: 0, type: "low" }]);
  const [found] = await list();
  expect(found!.reasons[0]).toBe("falls by 21 GB a day: 1 d 6 h left");
});

test("one that is not predictable has no date, and says so", async () => {
  await replaceOutlooks(store, { model: "m" }, [{ ...fills, hits: 1, isPredictable: false, perDay: -2 }]);
  const [found] = await list();
  expect(found).not.toHaveProperty("date");
  expect(found!.reasons).toEqual([
    "falls by 2 % a day",
    "not predictable: earlier dates were right within 20 % of the lead in 1 of 16 cases",
  ]);
});

test("filters by model and by time from now, in pages with a total", async () => {
  await replaceOutlooks(store, { model: "m" }, [fills]);
  await replaceOutlooks(store, { model: "n" }, [{ ...fills, reachedAt: NOW + 40 * DAY_MS }]);
  expect((await list({ within: "30d" })).map(({ model }) => model)).toEqual(["m"]);
  expect((await list({ model: "n" })).map(({ model }) => model)).toEqual(["n"]);
  expect(await capacity().list({ page: "1", per_page: "1" })).toMatchObject({
    entries: [{ model: "n" }],
    total: 2,
  });
});

test("a model that does not exist is no model without limits", async () => {
  await expect(list({ model: "none" })).rejects.toThrow("model none does not exist");
});

test("filters that cannot be are refused with their name", async () => {
  for (const [name, value] of Object.entries({ within: "soon", tags: "host", per_page: "0" }))
    expect(list({ [name]: value })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(name),
    });
});
