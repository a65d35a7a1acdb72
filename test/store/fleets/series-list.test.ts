// Lists of live series: by key, score or newest point, filtered by status and by part of a tag.
import { beforeEach, expect, test } from "bun:test";
import { writeUncached } from "../../../src/store/db/transaction.ts";
import { applySeriesChanges } from "../../../src/store/fleets/live-series.ts";
import { countLiveSeries, listLiveSeries, type SeriesQuery } from "../../../src/store/fleets/series-list.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { testSqlite, useStore } from "../temporary.ts";
import { aSeries, start } from "./builders.ts";

const store = useStore();
const all = { offset: 0, limit: 50 };
const series = [
  aSeries("db-1", { score: 50, newestAt: 30 }),
  aSeries("Web-1", { score: 90, newestAt: 20, status: "anomalous" }),
  aSeries("web-2", { score: null, newestAt: null, status: "silent" }),
  aSeries("web-3", { score: 50, newestAt: 10 }),
];
beforeEach(async () => {
  for (const name of ["m", "other"]) {
    await createModel(store, { name, settings: aModel({ name }) }, 1);
    await start(store, name);
  }
  await put("m", ...series);
  await put("other", aSeries("web-9"));
});

const put = (model: string, ...changes: typeof series) =>
  writeUncached(store, (tx) => applySeriesChanges(tx, model, changes));
const hosts = async (query: Partial<SeriesQuery> = {}, model = "m") =>
  (await listLiveSeries(store, model, { page: all, ...query })).map(({ tags }) => tags.host!);

test("series of one model, by key, with all that lists show", async () => {
  expect(await hosts()).toEqual(["Web-1", "db-1", "web-2", "web-3"]);
  expect(await hosts({ sort: { by: "key", descending: true } })).toEqual(["web-3", "web-2", "db-1", "Web-1"]);
  expect(await listLiveSeries(store, "m", { page: { offset: 1, limit: 1 } })).toEqual([series[0]!]);
  expect(await hosts({}, "stopped")).toEqual([]);
});

test.each([
  ["score", false, ["db-1", "web-3", "Web-1", "web-2"]],
  ["score", true, ["Web-1", "web-3", "db-1", "web-2"]],
  ["newest", false, ["web-3", "Web-1", "db-1", "web-2"]],
  ["newest", true, ["db-1", "Web-1", "web-3", "web-2"]],
] as const)("sorted by %s, descending %s, series without a value come last", async (by, descending, order) => {
  expect(await hosts({ sort: { by, descending } })).toEqual([...order]);
});

test("a page is part of the order, beyond the end it is empty", async () => {
  const sort = { by: "score", descending: true } as const;
  expect(await hosts({ sort, page: { offset: 1, limit: 2 } })).toEqual(["web-3", "db-1"]);
  expect(await hosts({ sort, page: { offset: 9, limit: 2 } })).toEqual([]);
});

test("filters: status, part of a value in either case, both", async () => {
  expect(await hosts({ status: "watched" })).toEqual(["db-1", "web-3"]);
  expect(await hosts({ q: "WEB" })).toEqual(["Web-1", "web-2", "web-3"]);
  expect(await hosts({ q: "web", status: "watched" })).toEqual(["web-3"]);
  expect(await hosts({ q: "%" })).toEqual([]);
});

test("a filter looks into values, never at what parts them", async () => {
  const key = JSON.stringify(['a"b', "c,[d]\\"]);
  await put("m", aSeries("odd", { key, tags: { host: "odd" } }));
  for (const q of ['a"', ",[", "d]", "\\", '"b']) expect(await hosts({ q })).toEqual(["odd"]);
  for (const q of ['","', '["', '\\"', '"]', '",']) expect(await hosts({ q })).toEqual([]);
});

test("numbers by status, of all or of a filter", async () => {
  expect(await countLiveSeries(store, "m")).toEqual({ watched: 2, anomalous: 1, silent: 1 });
  expect(await countLiveSeries(store, "m", { q: "web" })).toEqual({ watched: 1, anomalous: 1, silent: 1 });
  expect(await countLiveSeries(store, "m", { status: "watched", q: "db" })).toEqual({ watched: 1 });
  expect(await countLiveSeries(store, "stopped")).toEqual({});
});

testSqlite("orders and counts of many series come from indexes", () => {
  const plan = (query: string) =>
    (store.sqlite.query(`explain query plan ${query}`).all() as { detail: string }[])
      .map(({ detail }) => detail)
      .join(" ");
  for (const order of ["key", "score desc, key desc", "newest_at desc, key desc"])
    expect(plan(`select rowid from live_series where model = 'm' order by ${order}`)).toMatch(
      /^SEARCH live_series USING COVERING INDEX \w+ \(model=\?\)$/,
    );
  expect(plan("select status, count(*) from live_series where model = 'm' group by status")).toMatch(
    /^SEARCH live_series USING COVERING INDEX live_series_by_status/,
  );
});
