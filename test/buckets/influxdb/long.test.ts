// Kind `influxdb` with many points on the real server: paging, random points, a year, aborts, restarts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { alignRange } from "../../../src/core/series/grid.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { NONE } from "../cases.ts";
import { expectColumn, idle, MINUTE, T0 } from "../support.ts";
import { makePoint, makeQuery, nextDatabase, open, readOne } from "./support.ts";

describe.skipIf(Boolean(influxdMissing))("real server", () => {
  let server: Influxd;
  let database: string;
  beforeAll(async () => {
    server = await startInfluxd();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    database = nextDatabase();
  });
  afterEach(async () => void (await server.query(`drop database ${database}`)));

  test("many series at one instant: pages of raw points lose and repeat none", async () => {
    const bucket = open(server, { database });
    const series = Array.from({ length: 25_000 }, (_, i) => makePoint(61_000, { v: 1 }, { id: `${i}` }));
    const around = Array.from({ length: 12_000 }, (_, i) => makePoint(i * 10, { v: 2 }, { id: "0" }));
    await bucket.write!([...around.filter(({ at }) => at !== T0 + 61_000), ...series], {}, idle());
    expectColumn(await readOne(bucket, { metric: "sum_of_squares" }), [24_000, 23_996 + 25_000, NONE]);
    expectColumn(await readOne(bucket, { metric: "sum" }), [12_000, 11_998 + 25_000, NONE]);
  }, 180_000);

  test("rate and derivative of several series are theirs, added up; a tag that appears later changes nothing", async () => {
    const bucket = open(server, { database });
    const [a, b] = [{ host: "a" }, { host: "b", rack: "" }];
    // Counters of different heights, which together would restart at every other point; b restarts once.
    const every = Array.from({ length: 12_000 }, (_, i) => [
      makePoint(i * 10, { v: 1e6 + i }, a),
      makePoint(i * 10 + 5, { v: i < 9000 ? 2 * i : 2 * (i - 9000) }, b),
    ]);
    await bucket.write!(every.flat(), {}, idle());
    const later = { host: "c", rack: "r", v: "a tag called as the field" };
    await bucket.write!(
      [makePoint(110_000, { v: 7 }, later), makePoint(110_500, { v: 8 }, later)],
      {},
      idle(),
    );
    const query = makeQuery(
      ["rate", "derivative", "mode"].map((metric) => ({ metric })),
      2,
    );
    const { columns } = await bucket.read(query, idle());
    // In the first minute each is a slope within the interval; c has two points in half a second.
    const [first, second] = columns.f0!;
    expect(first).toBeCloseTo(100 + 200, 6);
    expect(second).toBeCloseTo(100 + ((11_999 - 5999) * 2 - 2) / 60 + 2, 6);
    const falls = (2 * 2999 - 2 * 5999) / 60;
    expectColumn(columns.f1!, [NONE, 100 + falls]);
    expectColumn(await readOne(bucket, { metric: "rate", tags: [{ tag: "host", value: "a" }] }), [
      100,
      100,
      NONE,
    ]);
  }, 180_000);

  test("pushed-down metrics equal our own reducers on random points", async () => {
    const bucket = open(server, { database });
    const random = createRandom(7);
    const points = Array.from({ length: 3000 }, () =>
      makePoint(Math.floor(random() * 200 * MINUTE), { v: Math.round(random() * 40 - 20) / 4 }),
    );
    const unique = [...new Map(points.map((point) => [point.at, point])).values()];
    await bucket.write!(unique, {}, idle());
    const metrics =
      "count sum avg min max median mode spread stddev variance sum_of_squares first last integral";
    const percentiles =
      "derivative rate 0percentile 1percentile p5 p10 p49.9 50percentile p90 p99.5 100percentile";
    const features = `${metrics} ${percentiles}`.split(" ").map((metric) => ({ metric }));
    for (const intervalMs of [10_000, MINUTE, 40 * MINUTE]) {
      const wanted = makeQuery(features, 200, intervalMs);
      const query = { ...wanted, range: alignRange(wanted.range, intervalMs) };
      const [grid, own] = [await bucket.read(query, idle()), await aggregatePoints(query, unique, idle())];
      for (const [i, { name }] of query.features.entries()) {
        const [there, here] = [grid.columns[name]!, own.columns[name]!];
        const differs = there.findIndex((value, at) => !isClose(value, here[at]!));
        expect([features[i]!.metric, intervalMs, there[differs], here[differs]]).toEqual([
          features[i]!.metric,
          intervalMs,
          undefined,
          undefined,
        ]);
      }
    }
  });

  test("a year of 1-minute intervals, no answer larger than 1 MB", async () => {
    const bucket = open(server, { database }, { maxBytes: 1_000_000 });
    const hours = 365 * 24;
    const points = Array.from({ length: hours }, (_, i) => makePoint(i * 60 * MINUTE + 1, { v: i }));
    await bucket.write!(points, {}, idle());
    const query = makeQuery([{}, { metric: "count" }, { metric: "sum_of_squares" }], hours * 60);
    const { columns, length } = await bucket.read(query, idle());
    expect(length).toBe(525_600);
    let wrong = 0;
    for (let i = 0; i < length; i++) {
      const value = i % 60 === 0 ? i / 60 : NONE;
      const row = [columns.f0![i], columns.f1![i], columns.f2![i]];
      if (!Bun.deepEquals(row, [value, i % 60 === 0 ? 1 : 0, value * value])) wrong++;
    }
    expect(wrong).toBe(0);
  }, 180_000);

  test("an abort in the middle of a long read ends it at once", async () => {
    const bucket = open(server, { database });
    await bucket.write!([makePoint(0, { v: 1 })], {}, idle());
    const controller = new AbortController();
    const reading = bucket.read(makeQuery([{}], 500_000), controller.signal);
    const begunAt = performance.now();
    // Before the first answer can be there; the read is of many.
    setTimeout(() => controller.abort(), 0);
    await expect(reading).rejects.toMatchObject({ code: "canceled" });
    expect(performance.now() - begunAt).toBeLessThan(1000);
  });

  test("promise 15: a server that goes away is an error, and reads go on when it is back", async () => {
    const bucket = open(server, { database });
    await bucket.write!([makePoint(0, { v: 1 })], {}, idle());
    await server.kill();
    const unavailable = { code: "bucket_unavailable" };
    await expect(readOne(bucket)).rejects.toMatchObject(unavailable);
    await expect(bucket.write!([makePoint(1, { v: 1 })], {}, idle())).rejects.toMatchObject(unavailable);
    await server.start();
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
    const reading = bucket.read(makeQuery([{}], 500_000), idle());
    reading.catch(() => {});
    await server.kill();
    await expect(reading).rejects.toMatchObject(unavailable);
    await server.start();
    await bucket.write!([makePoint(60_000, { v: 2 })], {}, idle());
    expectColumn(await readOne(bucket), [1, 2, NONE]);
  }, 180_000);
});

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Equal but for the order of additions. */
function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}
