// Series of models for PromQL: recorded scores, observed values, anomalies and forecasts, at the ends of intervals.
import { beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import type { Compute, ModelKind } from "../../../src/models/kind.ts";
import { Promql } from "../../../src/resources/promql/promql.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { appendScores } from "../../../src/store/anomalies/scores.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { fakeKind } from "../../live/world.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const M = 60_000;
const world = useWorld();
const { signal } = new AbortController();
const compute: Compute = { trainingLanes: 1, run: () => Promise.reject(new Error("nothing to compute")) };
/** Predicts the number of the interval. */
const kind = {
  ...fakeKind,
  forecastHistoryOf: () => 10,
  forecast: async (_: unknown, { history, horizon }: { history: { startAt: number }; horizon: number }) => ({
    grid: { startAt: history.startAt + 10 * M, intervalMs: M, length: horizon, columns: {} },
    predicted: { v: Float64Array.from({ length: horizon }, (_, i) => i) },
  }),
} as unknown as ModelKind;
let promql: Promql;
/** Buckets that queries have opened. */
let opened: string[] = [];

beforeEach(async () => {
  // Anomalies before a model was made are those of an earlier one of its name.
  world.clock.at = 900 * M;
  opened = [];
  const openBucket = async (name: string) => {
    opened.push(name);
    if (name === "down") throw new TorusError("bucket_unavailable", "it refused the connection");
    return world.buckets.open(name);
  };
  promql = new Promql({
    store: world.store,
    clock: world.clock,
    kind: kind,
    compute,
    openBucket,
  });
  await world.buckets.put({ name: "b", type: "local" });
  await world.models.create(aModel());
  await world.models.create(aModel({ name: "fleet", group_by: ["host"] }));
  world.clock.at = 1000 * M + 30_000;
  const bucket = await world.buckets.open("b");
  const points = Array.from({ length: 1000 }, (_, i) => ({ at: i * M, fields: { v: i % 10 }, tags: {} }));
  const ofHost = { at: 990 * M, fields: { v: 7 }, tags: { host: "a" } };
  await bucket.write!([...points.filter(({ at }) => at !== 990 * M), ofHost], {}, signal);
  await record("m", null);
  await record("fleet", '["a"]');
});

/** Minutes 990 to 992: expected 5, band 4 to 6, scores 20, 90 and 80; an anomaly from 991 on. */
async function record(model: string, series: string | null): Promise<void> {
  const values = new Float32Array([5, 4, 6, 20, 5, 4, 6, 90, 5, 4, 6, 80]);
  const run = { version: "00", intervalMs: M, features: ["v"], startAt: 990 * M, values };
  const report = { type: "high" as const, score: 90, observed: 9, predicted: 5, lower: 4, upper: 6 };
  const features = { v: report };
  const episode = {
    ...{ id: crypto.randomUUID(), model, startAt: 991 * M, peakScore: 90 },
    ...{ features, peak: features, severity: "warning" as const },
    ...(series && { series: { host: "a" } }),
  };
  await write(world.store, async (tx) => {
    await appendScores(tx, { model, series }, run);
    await changeEpisodes(tx, [{ change: "open", episode }]);
  });
}

/** Samples by label set, times in minutes. @param range minutes */
async function ask(query: string, [from, to]: readonly [number, number] = [989, 995]) {
  const params = new URLSearchParams({ query, start: `${from * 60}`, end: `${to * 60}`, step: "60" });
  params.set("lookback_delta", "59s");
  const { data } = JSON.parse([...(await promql.queryRange(params, signal))].join(""));
  const series = data.result as { metric: Record<string, string>; values: [number, string][] }[];
  return series.map(({ metric, values }) => [
    metric,
    values.map(([at, value]) => `${at / 60}:${value}`).join(" "),
  ]);
}

const labels = (name: string, more = {}) => ({ __name__: name, model: "m", feature: "v", ...more });

test.each([
  ["torus_expected", "991:5 992:5 993:5"],
  ["torus_lower", "991:4 992:4 993:4"],
  ["torus_upper", "991:6 992:6 993:6"],
  ["torus_score", "991:20 992:90 993:80"],
  ["torus_anomaly", "991:0 992:1 993:1"],
  ["torus_observed", "989:8 990:9 992:1 993:2 994:3 995:4"],
])("%s stands at the ends of intervals", async (name, samples) => {
  const query = `${name}{model="m"}`;
  const found = await ask(query);
  // The point of minute 990 has the tag of a host, which a model without `group_by` reads, too.
  const whole = name === "torus_observed" ? "989:8 990:9 991:7 992:1 993:2 994:3 995:4" : samples;
  expect(found).toEqual([[labels(name), whole]]);
});

test("a fleet has its tags as labels", async () => {
  const own = { model: "fleet", host: "a" };
  expect(await ask('torus_score{model="fleet"}')).toEqual([
    [labels("torus_score", own), "991:20 992:90 993:80"],
  ]);
  expect(await ask('torus_observed{model="fleet", host="a"}')).toEqual([
    [labels("torus_observed", own), "991:7"],
  ]);
  expect(await ask('torus_anomaly{host="a"}')).toEqual([[labels("torus_anomaly", own), "991:0 992:1 993:1"]]);
  expect(await ask('torus_score{host="b"}')).toEqual([]);
});

test("an interval that is not complete has no value", async () => {
  const [[, samples]] = (await ask('torus_observed{model="m"}', [998, 1003])) as [[object, string]];
  expect(samples).toBe("998:7 999:8 1000:9");
});

test("a forecast begins now, whatever part of it is asked for", async () => {
  const query = 'torus_forecast{model="m"}';
  expect(await ask(query, [990, 1003])).toEqual([]);
  await world.finish(await world.models.train("m", { from: "now-1h" }));
  expect(await ask(query, [990, 1003])).toEqual([[labels("torus_forecast"), "1001:0 1002:1 1003:2"]]);
  expect(await ask(query, [1002, 1003])).toEqual([[labels("torus_forecast"), "1002:1 1003:2"]]);
  expect(await ask(query, [900, 1000])).toEqual([]);
  await expect(ask("last_over_time(torus_forecast[1m])", [19_990, 20_000])).rejects.toThrow(
    "would have 19000 intervals, at most 10000 are made",
  );
});

test("models join what their buckets hold", async () => {
  const found = await ask('torus_score{model="m"} > 50 and on () v');
  expect(found).toEqual([[labels("torus_score"), "992:90 993:80"]]);
});

test("a bucket that fails is a warning of a broad query, tried once, and fails one that names the metric", async () => {
  await world.buckets.put({
    name: "down",
    type: "influxdb",
    addr: "127.0.0.1:1",
    database: "x",
    measurement: "m",
  });
  const feature = { name: "v", metric: "avg" as const, field: "v" };
  for (const name of ["d1", "d2"])
    await world.models.create(aModel({ name, default_bucket: "down", features: [feature] }));
  opened = [];
  const range = { start: `${989 * 60}`, end: `${995 * 60}`, step: "60" };
  const answerOf = async (query: string) =>
    JSON.parse([...(await promql.queryRange(new URLSearchParams({ query, ...range }), signal))].join(""));
  const broad = await answerOf('count by (__name__) ({model=~".+"}) or {model="d2"}');
  expect(broad.status).toBe("success");
  expect(broad.warnings).toEqual(["bucket down: it refused the connection"]);
  expect(broad.data.result.map(({ metric }: { metric: object }) => metric)).toContainEqual({
    __name__: "torus_observed",
  });
  expect(opened.filter((name) => name === "down")).toHaveLength(1);
  expect(await answerOf('torus_score{model="m"}')).not.toHaveProperty("warnings");
  await expect(answerOf("torus_observed")).rejects.toThrow("it refused the connection");
});

async function list(method: "labels" | "series", params: Record<string, string>): Promise<unknown> {
  const pieces = await promql[method](new URLSearchParams(params), signal);
  return JSON.parse([...pieces].join("")).data;
}

test("labels, values and series of models", async () => {
  expect(await list("labels", {})).toEqual(["__name__", "bucket", "feature", "host", "model"]);
  const pieces = await promql.labelValues("model", new URLSearchParams(), signal);
  expect(JSON.parse([...pieces].join("")).data).toEqual(["fleet", "m"]);
  expect(await list("series", { "match[]": 'torus_score{model="fleet"}' })).toEqual([
    labels("torus_score", { model: "fleet", host: "a" }),
  ]);
});
