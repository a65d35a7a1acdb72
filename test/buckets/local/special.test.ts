// Special values in a local bucket: to all but PromQL they are not there, whatever was written before or after.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { createLocalKind } from "../../../src/buckets/local/index.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { metrics } from "../../../src/metrics/index.ts";
import { checkFile, pathOf } from "../../../src/tsdb/index.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { roundsOf } from "../../support/rounds.ts";
import { aQuery, idle, MINUTE, T0 } from "../support.ts";

let dataDir: string;
let opened: Bucket[];
beforeEach(() => {
  dataDir = temporaryFolder();
  opened = [];
});
afterEach(() => {
  for (const bucket of opened) bucket.close();
});

function open(name: string, settings = {}, now = () => T0): Bucket {
  const bucket = createLocalKind({ now }).open(name, settings, { dataDir });
  opened.push(bucket);
  return bucket;
}

const features = metrics.map(({ name: metric }) => ({ name: metric, metric, field: "v", tags: [] }));
const limits = { measurements: 10, names: 10, values: 10 };
const plain = (at: number, v: number | string): Point => ({ at, fields: { v }, tags: { h: "a" } });
const special = (at: number, v?: number): Point => ({
  ...{ at, fields: { v: v ?? Number.NaN }, tags: { h: "a" } },
  special: v === undefined ? "stale" : "value",
});

/** All that a bucket answers beside samples, as text: typed arrays are compared by the bits of their NaN. */
async function answersOf(bucket: Bucket): Promise<string> {
  const grouped = { ...aQuery(features, 5), groupBy: ["h"], maxSeries: 10 };
  const answers = {
    read: await bucket.read(aQuery(features, 5), idle()),
    grouped: await bucket.readGrouped!(grouped, idle()),
    newest: (await bucket.probe!(idle())).newestAt,
    explored: await bucket.explore!({ limits }, idle()),
  };
  return JSON.stringify(answers, (key, value) => {
    // Of texts and numbers in one field the type is that of its newest block.
    if (key === "type") return undefined;
    return value instanceof Float64Array ? [...value].map(String) : value;
  });
}

test("reads, groups, exploring and probing answer as if only the other points had been written", async () => {
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
    fc.constantFrom("NaN", "Inf", "-Inf", "stale", "text"),
  );
  const point = fc.tuple(fc.integer({ min: -MINUTE, max: 5 * MINUTE }), value);
  const batches = fc.array(fc.array(point, { maxLength: 900, size: "max" }), { minLength: 1, maxLength: 3 });
  const numbers: Record<string, number | undefined> = { NaN: Number.NaN, Inf: Infinity, "-Inf": -Infinity };
  let number = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (writes) => {
      const [mixed, wanted] = [open(`mixed-${number}`), open(`wanted-${number++}`)];
      const left = new Map<number, Point>();
      for (const batch of writes) {
        const points = batch.map(([ms, v]) =>
          typeof v === "number" || v === "text" ? plain(T0 + ms, v) : special(T0 + ms, numbers[v]),
        );
        for (const one of points) left.set(one.at, one);
        await mixed.write!(points, {}, idle());
      }
      const others = [...left.values()].filter((one) => one.special === undefined);
      fc.pre(others.length > 0);
      await wanted.write!(others, {}, idle());
      expect(await answersOf(mixed)).toEqual(await answersOf(wanted));
      expect(checkFile(pathOf(`mixed-${number - 1}`, dataDir)).damage).toEqual([]);
    }),
    { numRuns: roundsOf(25) },
  );
}, 60_000);

test("a field of special values alone is no field to explore, and its bucket has no newest point", async () => {
  const bucket = open("b");
  await bucket.write!([special(T0), special(T0 + 1000, Number.NaN)], {}, idle());
  expect(await bucket.probe!(idle())).toMatchObject({ newestAt: null });
  expect(await bucket.explore!({ limits }, idle())).toMatchObject({ measurements: [] });
  expect([...(await bucket.read(aQuery(features, 1), idle())).columns.count!]).toEqual([0]);
});

test("special values expire with the retention", async () => {
  let now = T0;
  const bucket = open("aged", { retention: "1h" }, () => now);
  await bucket.write!([special(T0, Number.NaN), special(T0 + 1000)], {}, idle());
  now += 2 * 60 * MINUTE;
  await bucket.write!([{ ...plain(now, 1), tags: { h: "b" } }], {}, idle());
  bucket.close();
  const db = new Database(pathOf("aged", dataDir));
  expect(db.query("SELECT count(*) AS n FROM blocks").get()).toEqual({ n: 1 });
  db.close();
});

test("a file of version 3 takes special values once it is written to, and is version 5 then", async () => {
  let bucket = open("old");
  await bucket.write!([plain(T0, 1)], {}, idle());
  bucket.close();
  const db = new Database(pathOf("old", dataDir));
  db.run("DROP TABLE metadata");
  db.run("DROP TABLE head");
  db.run("PRAGMA user_version = 3");
  bucket = open("old");
  expect([...(await bucket.read(aQuery(features, 1), idle())).columns.sum!]).toEqual([1]);
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 3 });
  await bucket.write!([special(T0 + 1000)], {}, idle());
  expect([...(await bucket.read(aQuery(features, 1), idle())).columns.count!]).toEqual([1]);
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 5 });
  db.close();
});
