// Advice on names in requests that do not exist.
import { beforeEach, expect, test } from "bun:test";
import { Advice } from "../../src/resources/advice.ts";
import { putBucket } from "../../src/store/buckets.ts";
import { write } from "../../src/store/db/transaction.ts";
import { applySeriesChanges } from "../../src/store/fleets/live-series.ts";
import { createModel } from "../../src/store/models.ts";
import { aSeries, start } from "../store/fleets/builders.ts";
import { useStore } from "../store/temporary.ts";
import { aBucket, aModel } from "../support/builders.ts";

const store = useStore();
let advice: Advice;

beforeEach(async () => {
  advice = new Advice(store);
  const shop = aBucket({ name: "shop" });
  await putBucket(store, { name: "shop", kind: "local", settings: shop, hasFiles: true }, 0);
  const settings = aModel({ name: "orders", default_bucket: "shop" });
  await createModel(store, { name: "orders", settings }, 0);
});

test("buckets of a model, in full settings or a part", async () => {
  expect(await advice.onModel({ default_bucket: "shpo", features: [{ bucket: "x" }, {}] })).toEqual([
    "default_bucket: bucket shpo does not exist; did you mean shop?",
    "features.0.bucket: bucket x does not exist",
  ]);
  for (const body of [aModel({ default_bucket: "shop" }), { features: { io: [] } }, {}, null])
    expect(await advice.onModel(body)).toEqual([]);
});

test("mute windows that match no live series", async () => {
  await start(store, "orders");
  await write(store, (tx) => applySeriesChanges(tx, "orders", [aSeries("db-1")]));
  const mute = ["db-*", "bd-*"].map((host) => ({ from: "22:00", to: "06:00", series: { host } }));
  expect(await advice.onModel({ mute }, ["orders"])).toEqual(["mute.1.series: no series of orders matches"]);
  for (const body of [{ mute: mute.slice(0, 1) }, { mute: [{ calendar: "c" }] }, { mute: null }])
    expect(await advice.onModel(body, ["orders"])).toEqual([]);
  expect(await advice.onModel({ mute })).toEqual([]);
});

test("what the request of a scheduled job is about", async () => {
  const away = "does not exist: each run fails until it does";
  expect(
    await advice.onScheduledJob({
      relative_url: "/models/orders;ordres/_train",
      params: { input_bucket: "shpo", from_template: "t" },
      json: { bucket: "shop" },
    }),
  ).toEqual([
    `relative_url: model ordres ${away}`,
    `params.from_template: template t ${away}`,
    `params.input_bucket: bucket shpo ${away}`,
  ]);
  for (const relative_url of ["/models/orders/_train", "/models", "/jobs/x", "/models/_import"])
    expect(await advice.onScheduledJob({ relative_url })).toEqual([]);
});

test("a selector that matches no model", async () => {
  expect(await advice.onHook(null, { name: "h", selector: { models: ["order"] } })).toHaveLength(1);
  expect(await advice.onHook(null, { name: "h" })).toEqual([]);
});

test("events that a model never makes, and a bucket for annotations", async () => {
  const marks = { type: "annotations", config: { type: "a", bucket: "shpo" } };
  expect(await advice.onHook("orders", { ...marks, events: ["anomaly", "forecast", "silence"] })).toEqual([
    "config.bucket: bucket shpo does not exist",
    "events: forecast is announced where the model has watch_forecast",
    "events: silence is announced where the model has silence",
  ]);
  const settings = aModel({ name: "watched", silence: "auto" });
  await createModel(store, { name: "watched", settings }, 0);
  expect(await advice.onHook("watched", { type: "webhook", events: ["silence"], config: {} })).toEqual([]);
});

test("what is gone by then is not advised on", async () => {
  expect(await advice.onHook("gone", { type: "webhook", events: ["forecast"] })).toEqual([]);
});

test("resources of an apply", async () => {
  const job = (name: string) => ({ name, relative_url: `/models/${name}/_train` });
  expect(
    await advice.onApplied([
      { kind: "bucket", settings: { name: "x", type: "local" } },
      { kind: "model", settings: aModel({ name: "orders", default_bucket: "shpo" }) },
      { kind: "hook", settings: { name: "ops", selector: { models: ["order"] } } },
      { kind: "scheduled_job", settings: job("away") },
      { kind: "scheduled_job", settings: job("{{model_name}}") },
    ]),
  ).toEqual([
    "model orders: default_bucket: bucket shpo does not exist; did you mean shop?",
    "hook ops: selector.models: no model is named order; did you mean orders?",
    "scheduled_job away: relative_url: model away does not exist: each run fails until it does",
  ]);
});
