// Changes that may have caused an anomaly, by what the store holds of its model, series and past.
import { expect, test } from "bun:test";
import type { FeatureReport } from "../../../src/core/anomaly/event.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time/time.ts";
import { findAttributions } from "../../../src/live/episodes/attribution.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { recordChanges } from "../../../src/store/changes/changes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { useStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const store = useStore();
const startAt = Date.parse("2026-01-31T12:00:00Z");
const report: FeatureReport = { type: "high", score: 99, observed: 9, predicted: 5, lower: 4, upper: 6 };
const features = { v: { ...report, tags: { service: "web" } } };

const record = (id: string, at: number, tags: Record<string, string> = {}) =>
  recordChanges(store, [{ id, at, endAt: null, kind: "deploy", title: id, url: null, tags }], { at });
const raise = (id: string, at: number, series?: Record<string, string>) =>
  write(store, (tx) => {
    const of = { id, model: "m", startAt: at, peakScore: 99, severity: null, ...(series && { series }) };
    return changeEpisodes(tx, [
      { change: "open", episode: { ...of, features, peak: features } },
      { change: "close", id, endAt: at + MINUTE_MS },
    ]);
  });
const find = (own: object = {}) => findAttributions(store, { model: "m", startAt, features, ...own });

test("a change before it, with what followed earlier ones", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  for (const week of [1, 2, 3]) await record(`w${week}`, startAt - 7 * week * DAY_MS, { service: "web" });
  await raise("e1", startAt - 7 * DAY_MS + MINUTE_MS);
  await record("now", startAt - 4 * MINUTE_MS, { service: "web", version: "7" });
  await record("other", startAt - MINUTE_MS, { service: "db" });
  expect(await find()).toMatchObject([
    { id: "now", delayMs: 4 * MINUTE_MS, shared: { service: "web" }, history: { followed: 1, of: 3 } },
  ]);
});

test("the interval is that of the model; of a deleted one, a minute", async () => {
  await record("before", startAt - 2 * HOUR_MS);
  await record("within", startAt + HOUR_MS);
  expect(await find()).toEqual([]);
  await createModel(store, { name: "m", settings: aModel({ bucket_interval: "2h" }) }, 1);
  expect((await find()).map(({ id }) => id)).toEqual(["within", "before"]);
});

test("of a fleet, the series has its own tags and its own past", async () => {
  await createModel(store, { name: "m", settings: aModel({ group_by: ["host"] }) }, 1);
  await record("a", startAt - MINUTE_MS, { host: "a" });
  await record("b", startAt - MINUTE_MS, { host: "b" });
  for (let i = 1; i <= 400; i++) await raise(`e${i}`, startAt - i * HOUR_MS, { host: "b" });
  expect(await find({ series: { host: "a" } })).toMatchObject([{ id: "a" }]);
  expect(await find({ series: { host: "b" } })).toEqual([]);
});
