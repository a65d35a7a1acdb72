// What needs attention now: anomalies worst first, models without data, failures, sources, bounds, what is not judged.
import { beforeEach, describe, expect, test } from "bun:test";
import type { NowView } from "../../src/api/server/now.ts";
import type { FeatureReport } from "../../src/core/anomaly/event.ts";
import { Anomalies } from "../../src/resources/anomalies.ts";
import { Live } from "../../src/resources/live/index.ts";
import { ModelList } from "../../src/resources/models/list.ts";
import { Now } from "../../src/resources/now.ts";
import { changeEpisodes } from "../../src/store/anomalies/episodes.ts";
import { write } from "../../src/store/db/transaction.ts";
import { createModel } from "../../src/store/models.ts";
import { useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const store = useStore();
const MINUTE = 60_000;
const NOW = 1000 * MINUTE;
const clock = { now: () => NOW };

const report: FeatureReport = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };

async function putModel(name: string, state: object, { failures = 0, ...own } = {}): Promise<void> {
  await createModel(store, { name, settings: aModel({ name, ...own }) }, 1);
  store.sqlite.run(
    `insert into live (model, started_at, options, failures, last_error_code, last_error_message, last_error_at, state)
     values (?, 1, '{}', ?, 'bucket_unavailable', 'refused', ${NOW}, ?)`,
    [name, failures, JSON.stringify({ run: "r", ...state })],
  );
}

function openAnomaly(id: string, own: object): Promise<void> {
  const content = { features: { f: report }, peak: { f: report }, severity: "info" as const };
  const episode = { id, model: "m", startAt: NOW - MINUTE, peakScore: 80, ...content, ...own };
  return write(store, (tx) => changeEpisodes(tx, [{ change: "open", episode }]));
}

async function endAnomaly(id: string): Promise<void> {
  await write(store, (tx) => changeEpisodes(tx, [{ change: "close", id, endAt: NOW }]));
}

function read(): Promise<NowView> {
  const live = new Live({ store, clock, output: { problemOf: () => undefined } } as never);
  const models = new ModelList({ store, clock, live, queue: { progressOf: () => undefined } });
  return new Now({ store, clock, models, anomalies: new Anomalies({ store, clock }) }).read();
}

const within = { within: "7d", feature: "v", above: 95 };
const forecastState = (firstAt?: number) => ({
  forecasts: { "forecast v high 95": { madeAt: NOW, clear: 0, ...(firstAt && { firstAt }) } },
});

test("an empty server has nothing", async () => {
  const none = { total: 0, list: [] };
  expect(await read()).toEqual({
    at: NOW / 1000,
    states: {},
    ...{ anomalies: none, unjudged: none, failing: none, silent: none, bounds: none },
    ...{ sources: [], silent_series: [] },
  });
});

test("anomalies in progress: the most severe first, then the rarest; ended ones wait for a judgement", async () => {
  await openAnomaly("small", {});
  await openAnomaly("rare", { peak: { f: { ...report, rarity: 9 } } });
  await openAnomaly("severe", { severity: "critical" });
  await openAnomaly("ended", {});
  await endAnomaly("ended");
  const { anomalies, unjudged } = await read();
  expect([anomalies.total, anomalies.list.map(({ id }) => id)]).toEqual([3, ["severe", "rare", "small"]]);
  expect([unjudged.total, unjudged.list.map(({ id }) => id)]).toEqual([1, ["ended"]]);
});

test("what was judged, is older than a week, or was found by a backtest is not asked for", async () => {
  for (const id of ["judged", "old", "tried"])
    await openAnomaly(id, { ...(id === "old" && { startAt: NOW - 8 * 24 * 60 * MINUTE }) });
  for (const id of ["judged", "tried"]) await endAnomaly(id);
  store.sqlite.run(`update episodes set end_at = start_at + 1 where id = 'old'`);
  store.sqlite.run(`update episodes set origin = 'backtest' where id = 'tried'`);
  store.sqlite.run(`update episodes set feedback = '{"anomaly":true,"at":1}' where id = 'judged'`);
  expect((await read()).unjudged).toEqual({ total: 0, list: [] });
});

test("models that fail, and models and series without data", async () => {
  await putModel("broken", {}, { failures: 2 });
  await putModel("quiet", { quiet: { sinceAt: NOW - 9 * MINUTE, isSilent: true } });
  await putModel("fleet", { fleet: { new: 0, watched: 1, anomalous: 0, silent: 1 } });
  const insert = `insert into live_series (model, key, status, first_seen_at, window_at, tags) values ('fleet', ?, ?, 1, 1, '{}')`;
  store.sqlite.run(insert, ["a", "silent"]);
  store.sqlite.run(insert, ["b", "watched"]);
  store.sqlite.run(
    `insert into failed_sources (bucket, episode, model, started_at, code, reason) values ('b', 'e', 'm', 5000, 'bucket_unavailable', 'refused')`,
  );
  expect(await read()).toMatchObject({
    states: { failing: 1, no_data: 1, learning: 1 },
    failing: {
      total: 1,
      list: [{ model: "broken", code: "bucket_unavailable", message: "refused", since: NOW / 1000 }],
    },
    silent: { total: 1, list: [{ model: "quiet", since: (NOW - 9 * MINUTE) / 1000 }] },
    silent_series: [{ model: "fleet", series: 1 }],
    sources: [{ bucket: "b", since: 5, code: "bucket_unavailable", message: "refused" }],
  });
});

describe("bounds", () => {
  beforeEach(async () => {
    await putModel("late", forecastState(NOW + 9 * MINUTE), { watch_forecast: [within] } as object);
    await putModel("never", forecastState(), { watch_forecast: [within] } as object);
    await putModel("unwatched", forecastState(NOW + MINUTE));
    const fleet = { watch_forecast: [within], group_by: ["host"] };
    await putModel("fleet", {}, fleet as object);
    store.sqlite.run(
      `insert into live_series (model, key, status, first_seen_at, window_at, tags) values ('fleet', 'k', 'watched', 1, 1, '{"host":"a"}')`,
    );
    store.sqlite.run("insert into live_series_states (model, key, state) values ('fleet', 'k', ?)", [
      JSON.stringify(forecastState(NOW + 5 * MINUTE)),
    ]);
  });

  test("of models and series, the earliest first; those that are not watched any more are left out", async () => {
    const { bounds } = await read();
    const common = { feature: "v", type: "high", threshold: 95, active: false } as const;
    expect(bounds.total).toBe(2);
    expect(bounds.list).toMatchObject([
      { model: "fleet", series: { host: "a" }, first: (NOW + 5 * MINUTE) / 1000, ...common },
      { model: "late", first: (NOW + 9 * MINUTE) / 1000, ...common },
    ]);
  });
});
