// Grouped reads in the contract of bucket kinds: one grid per combination of tag values, as a read of its tags.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { GroupedGrid } from "../../src/core/series/grouped-grid.ts";
import type { FeatureQuery, FieldValue, GroupedQuery, Point } from "../../src/core/series/query.ts";
import { hostileNames, NONE } from "./cases.ts";
import type { Contract, Subject } from "./contract.ts";
import { aFeature, aQuery, expectColumn, featuresOf, idle, MINUTE, T0 } from "./support.ts";

type Tags = Readonly<Record<string, string>>;

function makePoint(atMs: number, fields: Record<string, FieldValue>, tags: Tags): Point {
  return { at: T0 + atMs, fields, tags };
}

const hosts = ["a", "b", "c"];
const cpus = ["0", "1"];

/** Counters of three hosts with two cores, each with its own gap; one more before the range alone. */
function fleetPoints(): Point[] {
  const points: Point[] = [];
  for (const [i, host] of hosts.entries())
    for (const [j, cpu] of cpus.entries())
      for (let at = -MINUTE; at < 4 * MINUTE; at += 20_000) {
        if (Math.floor(at / MINUTE) === i) continue;
        const v = (i + 1) * 100 + j * 10 + at / 1000 + ((at / 20_000) % 3);
        points.push(makePoint(at + 1000 * j, { v, w: i + j }, { host, cpu, dc: i < 2 ? "fra" : "muc" }));
      }
  points.push(makePoint(-30_000, { v: 5 }, { host: "early", cpu: "0" }));
  return points;
}

/** Some that stores compute and some that they do not; `rate` looks back. */
const metrics = ["count", "avg", "min", "max", "spread", "stddev", "median", "mode", "last", "rate"];

const tagsOf = ({ series }: GroupedGrid) => series.map(({ tags }) => tags);

async function readGroups(bucket: Bucket, own: Partial<GroupedQuery>, minutes = 4): Promise<GroupedGrid> {
  const query = { ...aQuery([aFeature()], minutes), groupBy: ["host", "cpu"], maxSeries: 1000, ...own };
  return bucket.readGrouped!(query, idle());
}

/** Each series is what a read of its tags answers. */
async function expectAsRead(
  bucket: Bucket,
  { series }: GroupedGrid,
  features: readonly FeatureQuery[],
  minutes = 4,
) {
  for (const { tags, grid } of series) {
    const own = Object.entries(tags).map(([tag, value]) => ({ tag, value }));
    const narrowed = features.map((feature) => ({ ...feature, tags: [...feature.tags, ...own] }));
    const { columns, ...rest } = await bucket.read(aQuery(narrowed, minutes), idle());
    expect(grid).toMatchObject(rest);
    expect(Object.keys(grid.columns)).toEqual(features.map(({ name }) => name));
    for (const [name, column] of Object.entries(columns)) expectColumn(grid.columns[name]!, [...column]);
  }
}

/** @param replace puts another subject in place of that of the running test */
export function runGroupedContract(
  contract: Contract,
  replace: (settings: { series_by: string[] }) => Promise<Subject>,
): void {
  describe("by group", () => {
    let bucket: Bucket;
    let seed: Subject["seed"];
    beforeEach(async () => {
      ({ bucket, seed } = await replace({ series_by: ["host", "cpu"] }));
    });

    test("one grid per combination of tag values, each as a read of its tags, in order", async () => {
      await seed(fleetPoints());
      const features = [...featuresOf(metrics), aFeature({ name: "w", field: "w" })];
      const found = await readGroups(bucket, { features });
      expect(found.truncated).toBe(false);
      expect(tagsOf(found)).toEqual(hosts.flatMap((host) => cpus.map((cpu) => ({ host, cpu }))));
      await expectAsRead(bucket, found, features);
      expectColumn(found.series[2]!.grid.columns.count!, [3, 0, 3, 3]);
      expect(found.series[2]!.grid.columns.avg![1]).toBeNaN();
    });

    test("by one of two tags: the series of a value together, `rate` of each added up", async () => {
      await seed(fleetPoints());
      const features = featuresOf(metrics);
      const found = await readGroups(bucket, { features, groupBy: ["host"] });
      expect(tagsOf(found)).toEqual(hosts.map((host) => ({ host })));
      await expectAsRead(bucket, found, features);
      expectColumn(found.series[1]!.grid.columns.count!, [6, 0, 6, 6]);
    });

    test("in the order that is asked for, and by a tag that no point has", async () => {
      await seed(fleetPoints());
      const swapped = await readGroups(bucket, { groupBy: ["cpu", "host"] });
      expect(tagsOf(swapped)).toEqual(cpus.flatMap((cpu) => hosts.map((host) => ({ cpu, host }))));
      const features = featuresOf(["count", "mode"]);
      const { series } = await readGroups(bucket, { groupBy: ["nope"], features });
      expect(series.map(({ tags }) => tags)).toEqual([{ nope: "" }]);
      expectColumn(series[0]!.grid.columns.count!, [12, 12, 12, 18]);
    });

    test("points without a tag are a series of their own", async () => {
      const at = (atMs: number, value: number, tags: Tags) => makePoint(atMs, { v: value }, tags);
      await seed([at(0, 1, { host: "a", cpu: "0" }), at(1000, 2, { host: "a" }), at(2000, 4, { cpu: "0" })]);
      const features = featuresOf(["sum", "mode", "rate"]);
      const { series } = await readGroups(bucket, { features }, 1);
      expect(series.map(({ tags, grid }) => [tags, grid.columns.sum![0], grid.columns.mode![0]])).toEqual([
        [{ host: "", cpu: "0" }, 4, 4],
        [{ host: "a", cpu: "" }, 2, 2],
        [{ host: "a", cpu: "0" }, 1, 1],
      ]);
    });

    test("features narrowed by tags; a series has a point of some feature", async () => {
      await seed(fleetPoints());
      const tags = [{ tag: "dc", value: "fra" }];
      const narrow = featuresOf(["sum", "median", "count"]).map((feature) => ({ ...feature, tags }));
      const found = await readGroups(bucket, { features: narrow });
      expect(tagsOf(found)).toEqual(["a", "b"].flatMap((host) => cpus.map((cpu) => ({ host, cpu }))));
      await expectAsRead(bucket, found, narrow);
      const only = [{ tag: "cpu", value: "1" }];
      const features = [...narrow, aFeature({ name: "w", field: "w", tags: only })];
      const both = await readGroups(bucket, { features });
      await expectAsRead(bucket, both, features);
      expect(tagsOf(both)).toEqual([...tagsOf(found), { host: "c", cpu: "1" }]);
      expectColumn(both.series[4]!.grid.columns.count!, [0, 0, 0, 0]);
      expectColumn(both.series[4]!.grid.columns.sum!, [NONE, NONE, NONE, NONE]);
    });

    test("beyond `maxSeries` the first ones by their values, and says so", async () => {
      await seed(fleetPoints());
      await seed([makePoint(0, { late: 1 }, { host: "a", cpu: "2" })]);
      const all = hosts.flatMap((host) => cpus.map((cpu) => ({ host, cpu })));
      for (const metric of ["sum", "mode"]) {
        const features = [aFeature({ metric }), aFeature({ name: "late", field: "late", metric })];
        for (const maxSeries of [1, 2, 3, 6]) {
          const found = await readGroups(bucket, { features, maxSeries });
          const expected = [...all.slice(0, 2), { host: "a", cpu: "2" }, ...all.slice(2)].slice(0, maxSeries);
          expect([found.truncated, tagsOf(found)]).toEqual([true, expected]);
          await expectAsRead(bucket, found, features);
        }
        const { truncated, series } = await readGroups(bucket, { features, maxSeries: 7 });
        expect([truncated, series.length]).toEqual([false, 7]);
      }
    });

    test("nothing there, no intervals, no points in the range: no series", async () => {
      const none = { series: [], truncated: false };
      const features = featuresOf(["count", "median", "rate"]);
      expect(await readGroups(bucket, { features })).toEqual(none);
      await seed(fleetPoints());
      expect(await readGroups(bucket, { features }, 0)).toEqual(none);
      const range = { fromAt: T0 + 10 * MINUTE, toAt: T0 + 12 * MINUTE };
      expect(await readGroups(bucket, { features, range })).toEqual(none);
      const unknown = features.map((feature) => ({ ...feature, field: "unknown" }));
      expect(await readGroups(bucket, { features: unknown })).toEqual(none);
      const apart = features.map((feature) => ({ ...feature, tags: [{ tag: "host", value: "nobody" }] }));
      expect(await readGroups(bucket, { features: apart })).toEqual(none);
    });

    test.if(contract.texts !== false)("texts make a series for `count` alone", async () => {
      await seed([makePoint(0, { t: "up" }, { host: "a" }), makePoint(0, { v: 1 }, { host: "b" })]);
      const text = (metric: string) => aFeature({ name: metric, field: "t", metric });
      const query = { groupBy: ["host"], features: [text("max"), text("median"), text("rate")] };
      expect(tagsOf(await readGroups(bucket, query))).toEqual([]);
      const counted = await readGroups(bucket, { ...query, features: [...query.features, text("count")] });
      expect(tagsOf(counted)).toEqual([{ host: "a" }]);
      expectColumn(counted.series[0]!.grid.columns.count!, [1, 0, 0, 0]);
    });

    test("hostile values, in the order of their code points", async () => {
      const allows = (value: string) => (contract.allowsValue ?? contract.allowsName)?.(value) ?? true;
      const values = [...hostileNames, "\uff21", "\u{1f680}", "Z", "z"].filter(allows);
      await seed(values.map((value, i) => makePoint(i, { v: i }, { host: value, cpu: "x" })));
      const features = featuresOf(["sum", "median"]);
      const expected = values.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      for (const maxSeries of [1000, 3]) {
        const { series } = await readGroups(bucket, { features, maxSeries, groupBy: ["host"] });
        expect(series.map(({ tags }) => tags.host!)).toEqual(expected.slice(0, maxSeries));
        for (const { tags, grid } of series)
          for (const column of Object.values(grid.columns))
            expect([tags.host, column[0]]).toEqual([tags.host, values.indexOf(tags.host!)]);
      }
    });

    test("more intervals and series than one answer has", async () => {
      const [length, count] = [250, 12];
      const points = Array.from({ length: length * count }, (_, i) => {
        const host = `h${String(i % count).padStart(2, "0")}`;
        return makePoint(Math.floor(i / count) * MINUTE + 500, { v: i }, { host });
      });
      await seed(points);
      const features = featuresOf(["max", "count", "mode"]);
      const { series } = await readGroups(bucket, { features, groupBy: ["host"] }, length);
      expect(series).toHaveLength(count);
      for (const [i, { tags, grid }] of series.entries()) {
        const expected = Array.from({ length }, (_, slot) => slot * count + i);
        expect(tags.host).toBe(`h${String(i).padStart(2, "0")}`);
        expectColumn(grid.columns.max!, expected);
        expectColumn(grid.columns.mode!, expected);
        expectColumn(grid.columns.count!, new Array(length).fill(1));
      }
    });

    test("an aborted read ends with an error", async () => {
      const query = { ...aQuery([aFeature()]), groupBy: ["host"], maxSeries: 9 };
      await expect(bucket.readGrouped!(query, AbortSignal.abort())).rejects.toMatchObject({
        code: "canceled",
      });
    });
  });
}
