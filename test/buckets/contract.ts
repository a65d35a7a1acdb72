// Contract of bucket kinds: cases that the test file of each kind runs.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket, Exploration, ExploreOptions } from "../../src/buckets/kind.ts";
import { parsePattern } from "../../src/core/input/name-pattern.ts";
import type { Grid } from "../../src/core/series/grid.ts";
import type { FeatureQuery, FieldValue, Point } from "../../src/core/series/query.ts";
import {
  counterAnswers,
  counterPoints,
  hostileNames,
  NONE,
  otherNames,
  sampleAnswers,
  samplePoints,
} from "./cases.ts";
import { runGroupedContract } from "./grouped.ts";
import { aFeature, aQuery, expectColumn, featuresOf, idle, MINUTE, T0 } from "./support.ts";

/** A fresh, empty bucket of the kind under test, and how to fill it and put it away. */
export interface Subject {
  readonly bucket: Bucket;
  /** Makes the points readable: by `bucket.write`, or behind the bucket's back where the kind is read-only. */
  seed(points: readonly Point[], measurement?: string): Promise<void>;
  dispose(): void | Promise<void>;
}

export interface Contract {
  readonly kind: string;
  /** @param settings to open the bucket with, where the kind has them */
  create(settings?: { readonly series_by?: string[] }): Promise<Subject>;
  /** False where the store has no measurements of its own. */
  readonly measurements?: boolean;
  /** False where the store keeps numbers only. */
  readonly texts?: boolean;
  /** False where writing the same point again adds to it. */
  readonly replaces?: boolean;
  /** False where the store cannot hold instants before 1970. */
  readonly ancient?: boolean;
  /** Names the store can hold; default: all of `hostileNames`. The others must be refused. */
  allowsName?(name: string): boolean;
  /** True where a point has one set of names for fields and tags together. */
  readonly oneNamespace?: boolean;
  /** Values of tags the store can hold; default: as `allowsName`. */
  allowsValue?(value: string): boolean;
}

function makePoint(atMs: number, fields: FieldValue | Record<string, FieldValue>, tags = {}): Point {
  return {
    at: T0 + atMs,
    fields: typeof fields === "object" && fields !== null ? fields : { v: fields },
    tags,
  };
}

/** Runs all cases against one kind. */
export function runContract(contract: Contract): void {
  describe(`contract of ${contract.kind}`, () => {
    let subject: Subject;
    beforeEach(async () => {
      subject = await contract.create();
    });
    afterEach(() => subject.dispose());
    runGroupedContract(contract, async (settings) => {
      await subject.dispose();
      subject = await contract.create(settings);
      return subject;
    });

    /** Reads one column; the range is in minutes from T0. */
    async function read(
      feature: Partial<FeatureQuery>,
      [from, to] = [0, 4],
      intervalMs = MINUTE,
    ): Promise<number[]> {
      const full = { name: "f", metric: "count", field: "v", tags: [], ...feature };
      const range = { fromAt: T0 + from! * MINUTE, toAt: T0 + to! * MINUTE };
      const grid = await subject.bucket.read({ range, intervalMs, features: [full] }, idle());
      expect(grid).toMatchObject({
        startAt: range.fromAt,
        intervalMs,
        length: (range.toAt - range.fromAt) / intervalMs,
      });
      return [...grid.columns.f!];
    }

    test.each(sampleAnswers.map((row) => [row]))("metric %j", async ([metric, expected]) => {
      await subject.seed(samplePoints.map(([at, value]) => makePoint(at, value)));
      expectColumn(await read({ metric }), expected);
    });

    test("all metrics in one read, merged by time", async () => {
      await subject.seed(samplePoints.map(([at, value]) => makePoint(at, value)));
      const features = sampleAnswers.map(([metric]) => ({
        name: `f_${metric}`,
        metric,
        field: "v",
        tags: [],
      }));
      const query = aQuery(features, 4);
      const grid: Grid = await subject.bucket.read(query, idle());
      expect(Object.keys(grid.columns)).toEqual(features.map(({ name }) => name));
      for (const [metric, expected] of sampleAnswers) expectColumn(grid.columns[`f_${metric}`]!, expected);
    });

    test("other names of a metric mean the same, and any percentile may be asked for", async () => {
      await subject.seed(samplePoints.map(([at, value]) => makePoint(at, value)));
      const features = otherNames.flatMap(([name, metric], i) => [
        { name: `other${i}`, metric: name, field: "v", tags: [] },
        { name: `f${i}`, metric, field: "v", tags: [] },
      ]);
      const query = aQuery(features, 4);
      const { columns } = await subject.bucket.read(query, idle());
      for (const i of otherNames.keys()) expectColumn(columns[`other${i}`]!, [...columns[`f${i}`]!]);
      expectColumn(await read({ metric: "0percentile" }), [1, NONE, 3, 7]);
      expectColumn(await read({ metric: "p100" }), [4, NONE, 10, 7]);
    });

    test("nothing there: counts of 0, all else missing, over the whole range and into the future", async () => {
      expectColumn(await read({}, [0, 3]), [0, 0, 0]);
      expectColumn(await read({ metric: "avg" }, [0, 3]), [NONE, NONE, NONE]);
      await subject.seed([makePoint(0, 5)]);
      expectColumn(await read({ field: "unknown" }, [0, 2]), [0, 0]);
      expectColumn(await read({ metric: "max" }, [-1, 3]), [NONE, 5, NONE, NONE]);
      expectColumn(await read({}, [0, 0]), []);
    });

    test("from is inclusive, to is exclusive, to the millisecond", async () => {
      await subject.seed([-1, 0, 59_999, 60_000, 119_999, 120_000].map((at) => makePoint(at, 1)));
      expectColumn(await read({}, [0, 2]), [2, 2]);
    });

    test("several series together, and each by its tags", async () => {
      await subject.seed([
        makePoint(0, 1, { host: "a", region: "eu" }),
        makePoint(1000, 3, { host: "b", region: "eu" }),
        makePoint(2000, 8, { host: "b", region: "us" }),
        makePoint(3000, 20),
      ]);
      const sumOf = async (...tags: { tag: string; value: string }[]) =>
        (await read({ metric: "sum", tags }, [0, 1]))[0];
      expect(await sumOf()).toBe(32);
      expect(await sumOf({ tag: "host", value: "a" })).toBe(1);
      expect(await sumOf({ tag: "region", value: "eu" })).toBe(4);
      expect(await sumOf({ tag: "host", value: "b" }, { tag: "region", value: "us" })).toBe(8);
      expect(await sumOf({ tag: "host", value: "c" })).toBeNaN();
      expect(await sumOf({ tag: "nope", value: "a" })).toBeNaN();
    });

    test("metrics that look back take each series on its own, and add up what they give", async () => {
      await subject.dispose();
      subject = await contract.create({ series_by: ["host"] });
      await subject.seed(counterPoints.map(([at, value, host]) => makePoint(at, value, { host })));
      for (const [metric, hosts, expected] of counterAnswers) {
        const tags = hosts.map((value) => ({ tag: "host", value }));
        expectColumn(await read({ metric, tags }, [0, 3]), expected);
      }
      // Beside a metric that takes all points together, in one read.
      const features = featuresOf(["rate", "last", "count"]);
      const query = aQuery(features, 2);
      const { columns } = await subject.bucket.read(query, idle());
      expectColumn(columns.rate!, [20 / 60, 24 / 60]);
      expectColumn(columns.last!, [2, 14]);
      expectColumn(columns.count!, [4, 5]);
    });

    test("tags are compared as text: numbers and booleans too", async () => {
      await subject.seed([
        makePoint(0, 1, { port: "1", up: "true" }),
        makePoint(1, 2, { port: "01", up: "false" }),
      ]);
      expect(await read({ metric: "sum", tags: [{ tag: "port", value: "1" }] }, [0, 1])).toEqual([1]);
      expect(await read({ metric: "sum", tags: [{ tag: "up", value: "false" }] }, [0, 1])).toEqual([2]);
    });

    test.if(contract.measurements !== false)("two measurements with the same field", async () => {
      await subject.seed([makePoint(0, 1)], "cpu");
      await subject.seed([makePoint(0, 2)], "disk");
      expect(await read({ metric: "sum", measurement: "cpu" }, [0, 1])).toEqual([1]);
      expect(await read({ metric: "sum", measurement: "disk" }, [0, 1])).toEqual([2]);
      expectColumn(await read({ metric: "sum", measurement: "none" }, [0, 1]), [NONE]);
    });

    test("a null field is not stored, and fields of a point are apart", async () => {
      await subject.seed([makePoint(0, { v: 1, w: null }), makePoint(1, { v: null, w: 5 })]);
      expect(await read({}, [0, 1])).toEqual([1]);
      expect(await read({ field: "w", metric: "sum" }, [0, 1])).toEqual([5]);
    });

    test.if(contract.texts !== false)(
      "count counts texts and booleans, other metrics use numbers only",
      async () => {
        await subject.seed([
          makePoint(0, { t: "up" }),
          makePoint(1000, { t: "down" }),
          makePoint(2000, { b: false }),
        ]);
        expect(await read({ field: "t" }, [0, 2])).toEqual([2, 0]);
        expect(await read({ field: "b" }, [0, 1])).toEqual([1]);
        expectColumn(await read({ field: "t", metric: "max" }, [0, 1]), [NONE]);
      },
    );

    test.if(contract.replaces !== false)("the same series, field and time again replaces", async () => {
      await subject.seed([makePoint(0, { v: 1, w: 1 }, { h: "a" }), makePoint(0, 5, { h: "b" })]);
      await subject.seed([makePoint(0, 10, { h: "a" })]);
      await subject.seed([makePoint(0, 20, { h: "a" }), makePoint(0, 30, { h: "a" })]);
      expect(await read({ metric: "sum" }, [0, 1])).toEqual([35]);
      expect(await read({ field: "w" }, [0, 1])).toEqual([1]);
    });

    test("points in any order, within a batch and between batches", async () => {
      await subject.seed([50_000, 10_000, 130_000].map((at) => makePoint(at, at)));
      await subject.seed([30_000, 70_000, 20_000].map((at) => makePoint(at, at)));
      expectColumn(await read({ metric: "count" }, [0, 3]), [4, 1, 1]);
      expectColumn(await read({ metric: "first" }, [0, 3]), [10_000, 70_000, 130_000]);
      expectColumn(await read({ metric: "last" }, [0, 3]), [50_000, 70_000, 130_000]);
    });

    test("intervals that do not divide a day are aligned on the epoch", async () => {
      const intervalMs = 7 * MINUTE;
      const fromAt = Math.floor(T0 / intervalMs) * intervalMs;
      const range = { fromAt, toAt: fromAt + 300 * intervalMs };
      const points = Array.from({ length: 300 }, (_, i) => ({
        at: fromAt + i * intervalMs + 1000,
        fields: { v: i },
        tags: {},
      }));
      await subject.seed(points);
      const features = [aFeature()];
      const grid = await subject.bucket.read({ range, intervalMs, features }, idle());
      expectColumn(
        grid.columns.f!,
        points.map((_, i) => i),
      );
    });

    test.if(contract.ancient !== false)("instants before 1970", async () => {
      await subject.seed([
        { at: -5 * MINUTE, fields: { v: 1 }, tags: {} },
        { at: -1, fields: { v: 2 }, tags: {} },
      ]);
      const features = [aFeature()];
      const range = { fromAt: -5 * MINUTE, toAt: MINUTE };
      const grid = await subject.bucket.read({ range, intervalMs: MINUTE, features }, idle());
      expectColumn(grid.columns.f!, [1, NONE, NONE, NONE, 2, NONE]);
    });

    test("a range of many intervals, nearly all of them empty", async () => {
      const length = 25_000;
      const step = 2_500;
      const points = Array.from({ length: length / step }, (_, i) => makePoint(i * step * MINUTE, i));
      await subject.seed([...points, makePoint(length * MINUTE - 1, 99)]);
      const features = featuresOf(["avg", "count", "mode"]);
      const { columns } = await subject.bucket.read(aQuery(features, length), idle());
      for (const [name, column] of Object.entries(columns)) {
        expect(column.length).toBe(length);
        const found = [...column.entries()].filter(([, value]) => value > 0);
        const expected = points.map(({ fields }, i) => [i * step, Number(fields.v)] as [number, number]);
        const all = [...expected, [length - 1, 99] as [number, number]];
        const wanted = name === "count" ? all.map(([at]): [number, number] => [at, 1]) : all.slice(1);
        expect([name, found]).toEqual([name, wanted]);
      }
    });

    test("the time zone of this machine shifts nothing", async () => {
      const { TZ } = process.env;
      // The clocks of New York go back at 06:00 UTC on that day.
      const fromAt = Date.UTC(2023, 10, 5, 4);
      const points = Array.from({ length: 4 }, (_, i) => ({
        at: fromAt + i * 60 * MINUTE + 1,
        fields: { v: i + 1 },
        tags: {},
      }));
      try {
        process.env.TZ = "America/New_York";
        await subject.seed(points);
        const features = featuresOf(["sum", "last"]);
        const range = { fromAt, toAt: fromAt + 240 * MINUTE };
        const grid = await subject.bucket.read({ range, intervalMs: 60 * MINUTE, features }, idle());
        for (const { name } of features) expectColumn(grid.columns[name]!, [1, 2, 3, 4]);
      } finally {
        if (TZ === undefined) delete process.env.TZ;
        else process.env.TZ = TZ;
      }
    });

    const names = hostileNames.filter((name) => contract.allowsName?.(name) ?? true);
    test.each(names)("hostile name %j as field, tag, value and measurement", async (name) => {
      const measurement = contract.measurements === false ? {} : { measurement: name };
      const tag = contract.oneNamespace ? `${name} of a tag` : name;
      await subject.seed([makePoint(0, { [name]: 1, v: 50 }, { [tag]: name })], measurement.measurement);
      await subject.seed(
        [makePoint(1000, { [name]: 2, v: 60 }, { [tag]: "other" })],
        measurement.measurement,
      );
      const tags = [{ tag, value: name }];
      expect(await read({ metric: "sum", field: name, tags, ...measurement }, [0, 1])).toEqual([1]);
      expect(await read({ metric: "sum", field: name, ...measurement }, [0, 1])).toEqual([3]);
      expect(await read({ metric: "sum", field: "v", tags, ...measurement }, [0, 1])).toEqual([50]);
    });

    const values = hostileNames.filter(
      (name) => (contract.allowsValue ?? contract.allowsName)?.(name) ?? true,
    );
    test.each(values)("hostile value %j of a tag", async (value) => {
      await subject.seed([makePoint(0, 1, { t: value }), makePoint(1000, 2, { t: "other" })]);
      expect(await read({ metric: "sum", tags: [{ tag: "t", value }] }, [0, 1])).toEqual([1]);
      expect(await read({ metric: "last", tags: [{ tag: "t", value }] }, [0, 1])).toEqual([1]);
    });

    const impossible = hostileNames.filter((name) => !names.includes(name));
    test.each(impossible)("name %j, which it cannot hold, is refused or finds nothing", async (name) => {
      await subject.seed([makePoint(0, 1, { t: "x" })]);
      const refusedOr = (empty: number[]) => (outcome: number[] | Error) => {
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "invalid" });
        else expect(outcome).toEqual(empty);
      };
      const tryRead = (feature: Partial<FeatureQuery>) =>
        read(feature, [0, 1]).catch((error: Error) => error);
      await tryRead({ field: name }).then(refusedOr([0]));
      await tryRead({ tags: [{ tag: name, value: "x" }] }).then(refusedOr([0]));
      if (subject.bucket.write)
        await expect(subject.bucket.write([makePoint(0, { [name]: 1 })], {}, idle())).rejects.toMatchObject({
          code: "invalid",
        });
      expect(await read({}, [0, 1])).toEqual([1]);
    });

    test("asked, it says what is there; explored, it names what can be read", async () => {
      const { bucket } = subject;
      if (!bucket.probe || !bucket.explore) return;
      const options = { limits: { measurements: 10, names: 10, values: 3 } };
      await subject.seed([makePoint(0, { v: 1, w: 2 }, { host: "a" }), makePoint(90_000, 5, { host: "b" })]);
      const { newestAt, version } = await bucket.probe(idle());
      if (newestAt !== undefined) expect(newestAt).toBe(T0 + 90_000);
      if (version !== undefined) expect(version).toMatch(/\w+ v?\d/);
      const { measurements, truncated } = await bucket.explore(options, idle());
      expect([measurements.length, truncated]).toEqual([1, false]);
      const { fields, tags, firstAt, lastAt } = measurements[0]!;
      const fieldNames = fields.map(({ name }) => name);
      expect(fieldNames).toEqual(expect.arrayContaining(["v", "w"]));
      expect(tags.find(({ name }) => name === "host")?.values.toSorted()).toEqual(["a", "b"]);
      if (firstAt !== undefined) expect([firstAt, lastAt]).toEqual([T0, T0 + 90_000]);
    });

    test("explored, it stops at the limits and says so", async () => {
      const { bucket } = subject;
      if (!bucket.explore) return;
      const fields = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, i]));
      await subject.seed(Array.from({ length: 9 }, (_, i) => makePoint(i, fields, { host: `h${i}` })));
      const limits = { measurements: 2, names: 5, values: 4 };
      const { measurements, truncated } = await bucket.explore({ limits }, idle());
      expect(truncated).toBe(true);
      expect(measurements[0]!.fields.length).toBeLessThanOrEqual(5);
      for (const { values } of measurements[0]!.tags) expect(values.length).toBeLessThanOrEqual(4);
    });

    test("explored, every field and every value of a tag can be reached by search and by page", async () => {
      const { bucket } = subject;
      if (!bucket.explore) return;
      const names = Array.from({ length: 150 }, (_, i) => `metric_${String(i).padStart(3, "0")}`);
      const hosts = Array.from({ length: 150 }, (_, i) => `web-${String(i).padStart(3, "0")}.example`);
      await subject.seed(names.map((name, i) => makePoint(i, { [name]: i }, { host: hosts[i]! })));
      const explore = (more: Partial<ExploreOptions>) =>
        bucket.explore!({ limits: { measurements: 50, names: 60, values: 70 }, ...more }, idle());
      const fieldsOf = ({ measurements }: Exploration) =>
        measurements.flatMap(({ fields }) => fields.map(({ name }) => name));
      const valuesOf = ({ measurements }: Exploration) =>
        measurements.flatMap(({ tags }) =>
          tags.flatMap(({ name, values }) => (name === "host" ? values : [])),
        );

      const last = await explore({ search: parsePattern("METRIC_149"), skip: 0 });
      expect([fieldsOf(last), last.truncated && valuesOf(last).length < 70]).toEqual([["metric_149"], false]);
      const some = await explore({ search: parsePattern("metric_??9"), skip: 0 });
      expect(fieldsOf(some)).toEqual(names.filter((name) => name.endsWith("9")));
      expect(fieldsOf(await explore({ search: parsePattern("metric.149"), skip: 0 }))).toEqual([]);
      expect(fieldsOf(await explore({ field: "metric_070" }))).toEqual(["metric_070"]);

      const pages = [];
      for (const skip of [0, 60, 120]) pages.push(await explore({ skip }));
      expect(pages.flatMap(fieldsOf)).toEqual(names);
      expect(pages.at(-1)!.measurements[0]!.fields).toHaveLength(30);

      const values = [];
      for (const skip of [0, 70, 140]) values.push(await explore({ tag: "host", skip }));
      expect(values.map(({ truncated }) => truncated)).toEqual([true, true, false]);
      expect(values.flatMap(valuesOf)).toEqual(hosts);
      expect(values.flatMap(fieldsOf)).toEqual([]);
      const found = await explore({ tag: "host", search: parsePattern("WEB-14"), skip: 0 });
      expect([valuesOf(found), found.truncated]).toEqual([hosts.slice(140), false]);
      expect(valuesOf(await explore({ tag: "host", search: parsePattern("web_14"), skip: 0 }))).toEqual([]);
      expect(valuesOf(await explore({ tag: "host", search: parsePattern("*-149.*"), skip: 0 }))).toEqual([
        "web-149.example",
      ]);
      expect(valuesOf(await explore({ tag: "nope", skip: 0 }))).toEqual([]);
    });

    test("asked and explored while empty, it finds nothing and does not fail", async () => {
      const { bucket } = subject;
      if (bucket.probe) expect((await bucket.probe(idle())).newestAt ?? null).toBeNull();
      if (!bucket.explore) return;
      const { measurements } = await bucket.explore(
        { limits: { measurements: 2, names: 5, values: 4 } },
        idle(),
      );
      for (const { firstAt } of measurements) expect(firstAt ?? null).toBeNull();
    });

    test("an aborted read and an aborted write end with an error, and nothing is written", async () => {
      await subject.seed([makePoint(0, 1)]);
      const signal = AbortSignal.abort();
      const features = [aFeature()];
      await expect(subject.bucket.read(aQuery(features, 1), signal)).rejects.toMatchObject({
        code: "canceled",
      });
      if (!subject.bucket.write) return;
      await expect(subject.bucket.write([makePoint(1, 2)], {}, signal)).rejects.toMatchObject({
        code: "canceled",
      });
      expect(await read({}, [0, 1])).toEqual([1]);
    });

    test("cleared, it is empty and takes points again", async () => {
      const { bucket } = subject;
      if (!bucket.clear) return;
      await subject.seed([makePoint(0, 1, { h: "a" })]);
      await bucket.clear(idle());
      expect(await read({}, [0, 1])).toEqual([0]);
      await subject.seed([makePoint(0, 7, { h: "a" })]);
      expect(await read({ metric: "sum" }, [0, 1])).toEqual([7]);
    });

    test("no points to write is fine", async () => {
      await subject.seed([]);
      expect(await read({}, [0, 1])).toEqual([0]);
    });
  });
}
