// Watched forecasts and silent fleets in the database: only states that hold a forecast, only series without points.
import { beforeEach, expect, test } from "bun:test";
import type { SeriesStatus } from "../../src/core/series/series-status.ts";
import { live, liveSeries, liveSeriesStates } from "../../src/store/db/schema.ts";
import { write } from "../../src/store/db/transaction.ts";
import { createModel } from "../../src/store/models.ts";
import { listForecastStates, listSilentFleets } from "../../src/store/watched-forecasts.ts";
import { aModel } from "../support/builders.ts";
import { useStore } from "./temporary.ts";

const store = useStore();
const forecasts = { forecasts: { "forecast v high 9": { madeAt: 1, clear: 0, firstAt: 5 } } };

async function putLive(name: string, own: object, state: Readonly<Record<string, unknown>>): Promise<void> {
  await createModel(store, { name, settings: aModel({ name, ...own }) }, 1);
  await write(store, async (tx) => {
    await tx.insert(live).values({ model: name, startedAt: 1, options: {}, state }).run();
  });
}

async function putFleet(name: string, statuses: readonly SeriesStatus[], own = {}): Promise<void> {
  await putLive(name, { group_by: ["host"], ...own }, { run: "r" });
  await write(store, async (tx) => {
    for (const [i, status] of statuses.entries()) {
      const row = { model: name, key: `k${i}`, firstSeenAt: 1, windowAt: 1 };
      await tx
        .insert(liveSeries)
        .values({ ...row, status, tags: { host: `h${i}` } })
        .run();
      const state = i === 0 ? forecasts : {};
      await tx
        .insert(liveSeriesStates)
        .values({ model: name, key: `k${i}`, state })
        .run();
    }
  });
}

beforeEach(async () => {
  const watch = { watch_forecast: [{ feature: "v", above: 9, within: "7d" }] };
  await putFleet("watching", ["watched", "silent", "silent"], watch);
  await putFleet("plain", ["silent", "new"]);
  await putLive("one", {}, { run: "r", ...forecasts });
  await putLive("two", {}, { run: "r" });
});

test("states with a forecast, of models and of series of fleets that watch one", async () => {
  expect(await listForecastStates(store, 10)).toEqual([
    { model: "one", state: { run: "r", ...forecasts } },
    { model: "watching", series: { host: "h0" }, state: forecasts },
  ]);
});

test("fleets with silent series, the most of them first", async () => {
  expect(await listSilentFleets(store, 10)).toEqual([
    { model: "watching", series: 2 },
    { model: "plain", series: 1 },
  ]);
  expect(await listSilentFleets(store, 1)).toHaveLength(1);
});
