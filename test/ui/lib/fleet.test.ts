// Series in addresses: tags with signs of the address, orders, and where an anomaly is shown.
import { expect, test } from "bun:test";
import {
  addressOfAnomaly,
  addressOfSeries,
  orderOf,
  seriesListQuery,
  seriesParam,
  titleOfSeries,
} from "../../../src/ui/lib/fleet.ts";
import { parseRoute } from "../../../src/ui/lib/route.ts";

test("tags survive an address, whatever their values hold", () => {
  const tags = { host: "a/b?c#d", path: "C:\\x,y", empty: "" };
  const [, , , text = ""] = parseRoute(addressOfSeries("m", tags)).path;
  expect(titleOfSeries(text)).toBe("host=a/b?c#d, path=C:\\x,y, empty=");
  expect(new URLSearchParams(seriesParam(text)).get("series")).toBe(text);
});

test("an anomaly of a series is shown there, one of a fleet on the page of the model", () => {
  expect(addressOfAnomaly({ id: "1", model: "m", series: { host: "a" } })).toBe(
    "#/models/m/series/host%3Aa?at=1",
  );
  expect(addressOfAnomaly({ id: "1", model: "m" })).toBe("#/models/m?at=1");
});

test("the query of a list has the filters of the address; unknown orders are the first", () => {
  expect(seriesListQuery({ state: "silent", q: "a b", sort: "name", page: "2" }, 100)).toBe(
    "sort=tags%3A1&per_page=100&page=2&state=silent&q=a+b",
  );
  expect(orderOf({ sort: "toString" })).toBe("score");
});

test("a text that names no series is its own title, and there is no parameter without one", () => {
  expect(titleOfSeries("host")).toBe("host");
  expect(seriesParam(undefined)).toBe("");
});
