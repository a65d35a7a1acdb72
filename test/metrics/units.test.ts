// Units in force: of the settings, of the source, of the name, by metric.
import { expect, test } from "bun:test";
import type { Feature } from "../../src/core/model/feature.ts";
import { listUnits, withUnits } from "../../src/metrics/units.ts";

const unitOf = (feature: Partial<Feature>, stated?: string) => {
  const { features } = withUnits(
    { features: [{ name: "a", metric: "avg", field: "used_bytes", ...feature } as Feature] },
    stated === undefined ? {} : { a: stated },
  );
  return features[0]!.unit;
};

test.each([
  [{}, undefined, "B"],
  [{}, "GB", "GB"],
  [{ unit: "MiB" }, "GB", "MiB"],
  [{ unit: "KBy" }, undefined, "kB"],
  [{ unit: "€" }, undefined, "€"],
  [{ unit: "1" }, "GB", undefined],
  [{ field: "load1" }, undefined, undefined],
  [{ field: "load1" }, "{process}", "{process}"],
  [{ query: "rate(x_bytes_total[5m])", metric: undefined, field: undefined }, undefined, undefined],
  [{ query: "up", metric: undefined, field: undefined, unit: "%" }, undefined, "%"],
])("%j with %p of the source is in %p", (feature, stated, unit) => {
  expect(unitOf(feature as Partial<Feature>, stated)).toBe(unit as string);
});

test.each([
  ...[
    "avg",
    "mean",
    "sum",
    "min",
    "max",
    "median",
    "p95",
    "95percentile",
    "stddev",
    "spread",
    "first",
    "last",
  ].map((metric) => [metric, "B"]),
  ["mode", "B"],
  ["rate", "B/s"],
  ["deriv", "B/s"],
  ["count", undefined],
  ["variance", undefined],
  ["sum_of_squares", undefined],
  ["integral", undefined],
])("%s of bytes is in %p", (metric, unit) => {
  expect(unitOf({ metric: metric! })).toBe(unit as string);
});

test("the unit of the settings is that after the metric", () => {
  expect(unitOf({ metric: "rate", unit: "req/s" })).toBe("req/s");
  expect(unitOf({ metric: "rate", field: "cpu_seconds_total" })).toBeUndefined();
});

test("features without a unit are not listed", () => {
  const features = [{ name: "a", unit: "B" }, { name: "b" }];
  expect(listUnits({ features })).toEqual({ a: "B" });
});
