// Watched forecasts and silent fleets in the database: only states that hold a forecast, only series without points.
import { beforeEach, expect, test } from "bun:test";
import { createModel } from "../../src/store/models.ts";
import { listForecastStates, listSilentFleets } from "../../src/store/watched-forecasts.ts";
import { aModel } from "../support/builders.ts";
import { useStore } from "./temporary.ts";

const store = useStore();
const forecasts = { forecasts: { "forecast v high 9": { madeAt: 1, clear: 0, firstAt: 5 } } };

async function putFleet(name: string, statuses: readonly string[], own = {}): Promise<void> {
  await createModel(store, { name, settings: aModel({ name, group_by: ["host"], ...own }) }, 1);
  store.sqlite.run(
    `insert into live (model, started_at, options, state) values (?, 1, '{}', '{"run":"r"}')`,
    [name],
  );
  for (const [i, status] of statuses.entries()) {
    store.sqlite.run(
      "insert into live_series (model, key, status, first_seen_at, window_at, tags) values (?, ?, ?, 1, 1, ?)",
      [name, `k${i}`, status, JSON.stringify({ host: `h${i}` })],
    );
    store.sqlite.run("insert into live_series_states (model, key, state) values (?, ?, ?)", [
      name,
      `k${i}`,
      JSON.stringify(i === 0 ? forecasts : {}),
    ]);
  }
}

beforeEach(async () => {
  const watch = { watch_forecast: [{ feature: "v", above: 9, within: "7d" }] };
  await putFleet("watching", ["watched", "silent", "silent"], watch);
  await putFleet("plain", ["silent", "new"]);
  for (const [name, state] of [
    ["one", { run: "r", ...forecasts }],
    ["two", { run: "r" }],
  ] as const) {
    await createModel(store, { name, settings: aModel({ name }) }, 1);
    store.sqlite.run("insert into live (model, started_at, options, state) values (?, 1, '{}', ?)", [
      name,
      JSON.stringify(state),
    ]);
  }
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
