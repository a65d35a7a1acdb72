// Outlooks: replaced with each new one, listed by date while their model is live and their series is there.
import { beforeEach, expect, test } from "bun:test";
import { removeModels } from "../../src/store/bin/models.ts";
import { outlooks } from "../../src/store/db/schema.ts";
import { read, write } from "../../src/store/db/transaction.ts";
import { applySeriesChanges } from "../../src/store/fleets/live-series.ts";
import { stopLive } from "../../src/store/live.ts";
import { createModel } from "../../src/store/models.ts";
import {
  countOutlooks,
  listOutlooks,
  type NewOutlook,
  type OutlookQuery,
  readFirstDates,
  replaceOutlooks,
} from "../../src/store/outlooks.ts";
import { aModel } from "../support/builders.ts";
import { aSeries, start } from "./fleets/builders.ts";
import { useStore } from "./temporary.ts";

const store = useStore();
const ending = { reason: "stopped", describe: () => undefined };

function at(reachedAt: number, own: Partial<NewOutlook> = {}): NewOutlook {
  return {
    ...{ feature: "f", type: "high", bound: 90, source: "max", value: 50, perDay: 2 },
    ...{ reachedAt, earliestAt: reachedAt - 5, latestAt: null },
    ...{ hits: 3, cases: 4, isPredictable: true, madeAt: 100 },
    ...own,
  };
}

async function list(query: Partial<OutlookQuery> = {}, page = { from: 0, to: 10 }) {
  const rows = await listOutlooks(store, { madeAt: 100, ...query }, page);
  return rows.map(({ model, series, feature, reachedAt }) => [model, series?.host, feature, reachedAt]);
}

async function begin(model: string): Promise<void> {
  await createModel(store, { name: model, settings: aModel({ name: model }) }, 1);
  await start(store, model);
}

/** @returns its key */
async function addSeries(model: string, host: string): Promise<string> {
  const series = aSeries(host);
  await write(store, (tx) => applySeriesChanges(tx, model, [series]));
  return series.key;
}

const countAll = () => read(store, async (db) => (await db.select().from(outlooks).all()).length);

beforeEach(async () => {
  for (const model of ["m", "fleet"]) await begin(model);
});

test("they are listed by date, those that are not predictable last, in pages with a total", async () => {
  await replaceOutlooks(store, { model: "m" }, [
    at(50, { isPredictable: false }),
    at(300, { feature: "g" }),
    at(200, { feature: "h" }),
  ]);
  expect((await list()).map(([, , feature]) => feature)).toEqual(["h", "g", "f"]);
  expect((await list({}, { from: 1, to: 2 })).map(([, , feature]) => feature)).toEqual(["g"]);
  expect(await countOutlooks(store, { madeAt: 100 })).toBe(3);
  expect((await list({ untilAt: 250 })).map(([, , feature]) => feature)).toEqual(["h"]);
});

test("the earliest date of each model, of what is predictable and new", async () => {
  const a = await addSeries("fleet", "a");
  await replaceOutlooks(store, { model: "m" }, [
    at(50, { isPredictable: false }),
    at(300, { feature: "g" }),
    at(200, { feature: "h" }),
  ]);
  await replaceOutlooks(store, { model: "fleet", series: a }, [at(70), at(60, { feature: "g" })]);
  expect(Object.fromEntries(await readFirstDates(store, 100))).toEqual({ m: 200, fleet: 60 });
  expect((await readFirstDates(store, 1e15)).size).toBe(0);
});

test("a new outlook replaces those of the model or the series alone", async () => {
  const a = await addSeries("fleet", "a");
  const b = await addSeries("fleet", "b");
  await replaceOutlooks(store, { model: "m" }, [at(1)]);
  await replaceOutlooks(store, { model: "fleet", series: a }, [at(2)]);
  await replaceOutlooks(store, { model: "fleet", series: b }, [at(3), at(4, { type: "low" })]);
  await replaceOutlooks(store, { model: "fleet", series: b }, [at(5)]);
  await replaceOutlooks(store, { model: "m" }, []);
  expect(await list()).toEqual([
    ["fleet", "a", "f", 2],
    ["fleet", "b", "f", 5],
  ]);
  expect(await list({ series: { host: "b" } })).toEqual([["fleet", "b", "f", 5]]);
  expect(await list({ models: ["m"] })).toEqual([]);
});

test("old ones, those of series that are gone, and of models that are not live are not listed", async () => {
  await replaceOutlooks(store, { model: "m" }, [at(1)]);
  await replaceOutlooks(store, { model: "fleet", series: '["gone"]' }, [at(2)]);
  expect(await list()).toEqual([["m", undefined, "f", 1]]);
  expect(await list({ madeAt: 101 })).toEqual([]);
  await stopLive(store, ["m"], { at: 3, ending, strict: true });
  expect(await list()).toEqual([]);
});

test("they go with their model, and one that is gone gets none", async () => {
  await replaceOutlooks(store, { model: "m" }, [at(1)]);
  await removeModels(store, ["m"], 1);
  expect(await countAll()).toBe(0);
  expect(replaceOutlooks(store, { model: "m" }, [at(1)])).rejects.toMatchObject({ code: "not_found" });
});
