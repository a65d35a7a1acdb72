// Error budgets: replaced with each new state, listed by what is left while their model is live.
import { beforeEach, expect, test } from "bun:test";
import { removeModels } from "../../src/store/bin/models.ts";
import { countBudgets, listBudgets, type NewBudget, replaceBudgets } from "../../src/store/budgets.ts";
import { budgets } from "../../src/store/db/schema.ts";
import { read, write } from "../../src/store/db/transaction.ts";
import { applySeriesChanges } from "../../src/store/fleets/live-series.ts";
import { stopLive } from "../../src/store/live.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { aSeries, start } from "./fleets/builders.ts";
import { useStore } from "./temporary.ts";

const store = useStore();

function left(remaining: number | undefined, feature = "burn"): NewBudget {
  const rates = { "1h": undefined, "6h": undefined, "1d": undefined, "3d": undefined };
  const counts = { bad: 0, total: 9, missing: 0, impossible: 0 };
  const state = {
    ...{ remaining, ...counts, rates, burn: undefined },
    exhaustion: { outlook: "not_enough_data" },
  } as const;
  return { feature, isKnown: remaining !== undefined, remaining: remaining ?? 0, madeAt: 100, state };
}

async function list(query = {}, page = { from: 0, to: 10 }) {
  const rows = await listBudgets(store, { madeAt: 100, ...query }, page);
  return rows.map(({ model, series, feature }) => [model, series?.host, feature]);
}

beforeEach(async () => {
  for (const model of ["m", "fleet"]) {
    await createModel(store, { name: model, settings: aModel({ name: model }) }, 1);
    await start(store, model);
  }
});

test("the least comes first, what is unknown last, in pages with a total", async () => {
  await replaceBudgets(store, { model: "m" }, [left(undefined, "a"), left(0.5, "b"), left(-2, "c")]);
  expect(await list()).toEqual([
    ["m", undefined, "c"],
    ["m", undefined, "b"],
    ["m", undefined, "a"],
  ]);
  expect(await list({}, { from: 1, to: 2 })).toEqual([["m", undefined, "b"]]);
  expect(await countBudgets(store, { madeAt: 100 })).toBe(3);
});

test("a new state replaces those of the model or the series alone; filters by model and tags", async () => {
  const series = aSeries("a");
  await write(store, (tx) => applySeriesChanges(tx, "fleet", [series]));
  await replaceBudgets(store, { model: "m" }, [left(1)]);
  await replaceBudgets(store, { model: "fleet", series: series.key }, [left(0)]);
  await replaceBudgets(store, { model: "fleet", series: series.key }, [left(2, "new")]);
  await replaceBudgets(store, { model: "fleet", series: '["gone"]' }, [left(0)]);
  expect(await list()).toEqual([
    ["m", undefined, "burn"],
    ["fleet", "a", "new"],
  ]);
  expect(await list({ series: { host: "a" } })).toEqual([["fleet", "a", "new"]]);
  expect(await list({ models: ["m"] })).toEqual([["m", undefined, "burn"]]);
});

test("old ones and those of stopped models are not listed; they go with their model", async () => {
  await replaceBudgets(store, { model: "m" }, [left(1)]);
  expect(await list({ madeAt: 101 })).toEqual([]);
  const ending = { reason: "stopped", describe: () => undefined };
  await stopLive(store, ["m"], { at: 3, ending, strict: true });
  expect(await list()).toEqual([]);
  await removeModels(store, ["m"], 1);
  expect(await read(store, (db) => db.select().from(budgets).all())).toEqual([]);
});
