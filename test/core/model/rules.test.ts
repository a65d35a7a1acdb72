// Model settings: the schema, and the rules between settings.
import { expect, test } from "bun:test";
import { check } from "../../../src/core/input/schema.ts";
import { ModelSettings, type ModelSettings as Settings } from "../../../src/core/model/model.ts";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { errorOf } from "../expect.ts";

const feature = { name: "count_all", metric: "count", field: "all" };
const base: Settings = { name: "m", type: "donut", features: [feature], bucket_interval: "5m" };

function refuse(rest: object) {
  return errorOf(() => checkModelRules(check(ModelSettings, { ...base, ...rest })));
}

test.each([
  {},
  { span: "auto" },
  { span: null },
  { span: 20, min_span: 10, max_span: 40 },
  { interval: 60, offset: 30, bucket_interval: 60 },
  { max_threshold: 90, min_threshold: 50 },
  { max_threshold: 0, min_threshold: 0 },
  { max_threshold: 0, min_threshold: 99 },
  { min_threshold: 99 },
  { threshold: 80 },
  { notify_after: { n: 3, of: 5 } },
  { notify_after: { n: 60, of: 60 }, grace_period: "1h" },
  { grace_period: "1h", seasonality: { daytime: true }, timezone: "Europe/Paris" },
  {
    features: [{ ...feature, default: "previous", anomaly_type: "low", match_all: [{ tag: "a", value: 1 }] }],
  },
  { features: [{ ...feature, min_deviation: { absolute: 2, relative: 0.1 }, only_if: { above: -5 } }] },
  { features: [{ ...feature, only_if: { above: 1, below: 2 } }] },
  { features: [{ ...feature, min: 0, max: 100 }] },
  { features: [{ ...feature, max: -5 }] },
  { features: [{ ...feature, default: 0, match_all: null, measurement: null, transform: "diff" }] },
  { group_by: ["host", "cpu"], max_series: 5000, series_ttl: "7d", peers: true },
  { default_datasource: "b", default_datasink: null, run: { any: "thing" }, routing: null },
])("%j is fine", (rest) => {
  checkModelRules(check(ModelSettings, { ...base, ...rest }));
});

test.each([
  [{ group_by: [] }, "group_by"],
  [{ group_by: ["host", "host"] }, "group_by"],
  [{ group_by: "host" }, "group_by"],
  [{ max_series: 10 }, "max_series"],
  [{ group_by: ["host"], max_series: 0 }, "max_series"],
  [{ series_ttl: "7d" }, "series_ttl"],
  [{ group_by: ["host"], series_ttl: "1m" }, "series_ttl"],
  [{ peers: true }, "peers"],
  [{ expected_false_alarms_per: "series" }, "expected_false_alarms_per"],
  [{ group_by: ["host"], expected_false_alarms_per: "host" }, "expected_false_alarms_per"],
  [{ name: "a b" }, "name"],
  [{ type: "other" }, "type"],
  [{ features: [] }, "features"],
  [{ features: [{ ...feature, metric: "" }] }, "features.0.metric"],
  [{ features: [{ ...feature, anomaly_type: "up" }] }, "features.0.anomaly_type"],
  [{ features: [{ ...feature, default: "zero" }] }, "features.0.default"],
  [{ features: [{ ...feature, min_deviation: {} }] }, "features.0.min_deviation"],
  [{ features: [{ ...feature, min_deviation: 5 }] }, "features.0.min_deviation"],
  [{ features: [{ ...feature, min_deviation: { absolute: 0 } }] }, "features.0.min_deviation.absolute"],
  [{ features: [{ ...feature, min_deviation: { relative: "10%" } }] }, "features.0.min_deviation.relative"],
  [{ features: [{ ...feature, min_deviation: { abs: 1 } }] }, "features.0.min_deviation.abs"],
  [{ features: [{ ...feature, only_if: {} }] }, "features.0.only_if"],
  [{ features: [{ ...feature, only_if: { above: "x" } }] }, "features.0.only_if.above"],
  [
    { features: [feature, { ...feature, name: "b", only_if: { above: 5, below: 5 } }] },
    "features.1.only_if.above",
  ],
  [{ features: [{ ...feature, min: "low" }] }, "features.0.min"],
  [{ features: [feature, { ...feature, name: "b", min: 5, max: 5 }] }, "features.1.min"],
  [{ features: [{ ...feature, matchall: [] }] }, "features.0.matchall"],
  [{ features: [feature, { ...feature }] }, "features.1.name"],
  [{ features: [feature, { ...feature, name: "lower_count_all" }] }, "features.1.name"],
  [{ features: [feature, { ...feature, name: "score" }] }, "features.1.name"],
  [{ features: [{ ...feature, name: "@count_all" }, feature] }, "features.0.name"],
  [{ features: [{ ...feature, match_all: [{ tag: "a", value: null }] }] }, "features.0.match_all.0.value"],
  [{ offset: 1e300 }, "offset"],
  [{ grace_period: 1e12 }, "grace_period"],
  [{ bucket_interval: "0s" }, "bucket_interval"],
  [{ bucket_interval: "often" }, "bucket_interval"],
  [{ interval: 0 }, "interval"],
  [{ notify_after: 3 }, "notify_after"],
  [{ notify_after: { n: 3 } }, "notify_after.of"],
  [{ notify_after: { n: 0, of: 3 } }, "notify_after.n"],
  [{ notify_after: { n: 3, of: 61 } }, "notify_after.of"],
  [{ notify_after: { n: 1.5, of: 3 } }, "notify_after.n"],
  [{ notify_after: { n: 3, of: 2 } }, "notify_after.of"],
  [{ notify_after: { n: 2, of: 3 }, min_duration: 1 }, "notify_after"],
  [{ span: 0 }, "span"],
  [{ span: 1.5 }, "span"],
  [{ span: 50, max_span: 40 }, "span"],
  [{ span: 5, min_span: 10 }, "span"],
  [{ min_span: 20, max_span: 10 }, "min_span"],
  [{ max_threshold: 101 }, "max_threshold"],
  [{ max_threshold: 50, min_threshold: 60 }, "min_threshold"],
  [{ timezone: "Mars/Olympus" }, "timezone"],
  [{ max_treshold: 5 }, "max_treshold"],
  [{ max_evals: 0 }, "max_evals"],
])("%j is refused at %s", (rest, path) => {
  expect(refuse(rest)).toMatchObject({ code: "invalid", details: { path } });
});

test("bucket_interval is required", () => {
  expect(errorOf(() => check(ModelSettings, { ...base, bucket_interval: undefined })).details.path).toBe(
    "bucket_interval",
  );
});

test("limits that no value can meet are refused with both of them and a remedy", () => {
  const features = [{ ...feature, only_if: { above: 80, below: 20 } }];
  expect(refuse({ features }).message).toBe(
    "features.0.only_if.above: must be smaller than below (20), as no value is higher than above and lower than below; give one of them for one limit",
  );
});

test("possible values that exclude each other are refused with both of them and a remedy", () => {
  expect(refuse({ features: [{ ...feature, min: 100, max: 0 }] }).message).toBe(
    "features.0.min: must be below max (0); give one of them for one limit",
  );
});

test("a limit is a number, or another feature of the model", () => {
  const size = { ...feature, name: "size" };
  expect(() => checkModelRules({ ...base, features: [{ ...feature, limit: "size" }, size] })).not.toThrow();
  for (const limit of ["total", feature.name])
    expect(refuse({ features: [{ ...feature, limit }, size] }).message).toBe(
      "features.0.limit: must be a number, or another feature of the model: size",
    );
});

test("notify_after beside min_duration names both, and how to remove one", () => {
  expect(refuse({ notify_after: { n: 2, of: 3 }, min_duration: 2 }).message).toBe(
    "notify_after: must not be given beside min_duration: {n: k, of: k} means min_duration k; remove one of them, in a PATCH by null",
  );
});
