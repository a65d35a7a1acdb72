// Limits of features: the first source counts, and what cannot run out has no floor.
import { expect, test } from "bun:test";
import { limitsOf } from "../../../src/core/capacity/limit.ts";

const high = (own: object, watch_forecast: Parameters<typeof limitsOf>[0]["watch_forecast"] = []) =>
  limitsOf({ features: [{ name: "used", ...own }], watch_forecast }).map(
    ({ type, source, value }) => `${type} ${source} ${value}`,
  );

test("the limit of the feature comes before a watched bound, before max, before the whole of a share", () => {
  const watched = [95, 80].map((above) => ({ feature: "used", above, within: "7d" }));
  expect(high({ limit: "size", max: 90, unit: "%" }, watched)).toEqual(["high limit size"]);
  expect(high({ max: 90, unit: "%" }, watched)).toEqual(["high watched 80"]);
  expect(high({ max: 90, unit: "%" })).toEqual(["high max 90"]);
  expect(high({ unit: "percent" })).toEqual(["high unit 100"]);
  expect(high({ unit: "ratio" })).toEqual(["high unit 1"]);
});

test("without any of them there is no limit", () => {
  expect(high({ unit: "ms" })).toEqual([]);
  expect(high({})).toEqual([]);
});

test("a least value of 0 is a floor of shares and bytes, and of nothing else", () => {
  for (const unit of ["B", "GB", "MiB"]) expect(high({ min: 0, unit })).toEqual(["low min 0"]);
  expect(high({ min: 0, unit: "%" })).toEqual(["high unit 100", "low min 0"]);
  for (const unit of ["{request}/s", "B/s", "1"]) expect(high({ min: 0, unit })).toEqual([]);
  expect(high({ min: 5, unit: "V" })).toEqual(["low min 5"]);
  expect(high({}, [{ feature: "used", below: 10, within: "7d" }])).toEqual(["low watched 10"]);
});
