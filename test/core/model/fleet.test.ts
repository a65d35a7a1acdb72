// Fleets: rules of grouping, and tags of series in texts.
import { expect, test } from "bun:test";
import { fleetRulesOf, parseSeries, seriesKeyOf } from "../../../src/core/model/fleet.ts";
import { formatSeries } from "../../../src/core/model/series-text.ts";
import { DAY_MS } from "../../../src/core/time/time.ts";
import { errorOf } from "../expect.ts";

test("a model without group_by is no fleet; one with it has defaults", () => {
  expect(fleetRulesOf({})).toBeUndefined();
  expect(fleetRulesOf({ group_by: ["host"] })).toEqual({
    groupBy: ["host"],
    maxSeries: 1000,
    ttlMs: 30 * DAY_MS,
    comparesPeers: false,
  });
});

test.each([
  { host: "a", cpu: "0" },
  { host: "a,b:c\\d", cpu: "" },
  { host: "with space", cpu: "Ω\n" },
])("%j survives its text", (tags) => {
  expect(parseSeries(formatSeries(tags), ["host", "cpu"])).toEqual(tags);
});

test("tags are put into the order of group_by, which keys depend on", () => {
  const tags = parseSeries("cpu:0,host:a", ["host", "cpu"]);
  expect(Object.keys(tags)).toEqual(["host", "cpu"]);
  expect(seriesKeyOf(["host", "cpu"], tags)).toBe('["a","0"]');
});

test.each([
  ["host:a", "cpu is missing"],
  ["host:a,cpu:0,rack:3", "no tag rack"],
  ["host", "as in host:a,cpu:0"],
  ["", "as in host:a,cpu:0"],
  [",", "as in host:a,cpu:0"],
])("the series %j is refused: %s", (text, reason) => {
  const error = errorOf(() => parseSeries(text, ["host", "cpu"]));
  expect(error).toMatchObject({ code: "invalid" });
  expect(error?.message).toContain("series");
  expect(error?.message).toContain(reason);
});
