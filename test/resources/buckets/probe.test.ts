// Connection tests and explorations of buckets, and the check before a bucket is stored.
import { beforeEach, describe, expect, test } from "bun:test";
import { codeOf, dump } from "../../store/temporary.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
beforeEach(async () => {
  await world.buckets.put({ name: "here", type: "local" });
});

const away = { name: "away", type: "influxdb", addr: "127.0.0.1:9", database: "d", measurement: "m" };
const { signal } = new AbortController();

async function seed(): Promise<void> {
  const bucket = await world.buckets.open("here");
  const points = ["a", "b"].map((host, i) => ({ at: i * 1500, fields: { x: i, note: "t" }, tags: { host } }));
  await bucket.write!(points, { measurement: "cpu" }, signal);
  await bucket.write!([{ at: 9000, fields: { y: 1 }, tags: {} }], { measurement: "disk" }, signal);
}

describe("test", () => {
  test("reports version, series and newest point", async () => {
    expect(await world.buckets.test("here")).toEqual({
      ok: true,
      duration: expect.any(Number),
      series: 0,
      newest_timestamp: null,
    });
    await seed();
    expect(await world.buckets.test("here")).toEqual({
      ok: true,
      duration: expect.any(Number),
      version: expect.stringMatching(/^SQLite 3\./),
      series: 3,
      newest_date: "1970-01-01T00:00:09.000Z",
      newest_timestamp: 9,
    });
  });

  test("reports the error with its code", async () => {
    await world.buckets.put({ ...away, dbuser: "u", dbuser_password: "MARKER-5" });
    const answer = await world.buckets.test("away");
    expect(answer).toEqual({
      ok: false,
      duration: expect.any(Number),
      code: "bucket_unavailable",
      error: expect.stringContaining("InfluxDB at 127.0.0.1:9: refused the connection"),
    });
    expect(JSON.stringify(answer)).not.toContain("MARKER");
  });

  test("of an unknown bucket is an error", async () => {
    expect(await codeOf(world.buckets.test("none"))).toBe("not_found");
  });
});

describe("explore", () => {
  test("lists measurements, or the one that is named", async () => {
    await seed();
    const cpu = {
      name: "cpu",
      fields: [
        { name: "note", type: "string" },
        { name: "x", type: "number" },
      ],
      tags: [{ name: "host", values: ["a", "b"] }],
      first_timestamp: 0,
      last_timestamp: 1.5,
    };
    const disk = {
      name: "disk",
      fields: [{ name: "y", type: "number" }],
      tags: [],
      first_timestamp: 9,
      last_timestamp: 9,
    };
    expect(await world.buckets.explore("here")).toEqual({ measurements: [cpu, disk], truncated: false });
    expect(await world.buckets.explore("here", { measurement: "cpu" })).toEqual({
      measurements: [cpu],
      truncated: false,
    });
    expect(await world.buckets.explore("here", { measurement: "'; DROP TABLE series; --" })).toEqual({
      measurements: [],
      truncated: false,
    });
  });

  test("fields have the kind and unit that a sender states, or the unit of their name", async () => {
    const bucket = await world.buckets.open("here");
    const fields = { jobs_total: 1, free_bytes: 2, note: 3 };
    await bucket.write!([{ at: 0, fields, tags: {} }], {}, signal);
    await bucket.describeMetrics!([{ name: "jobs_total", type: "counter", help: "", unit: "{job}" }], signal);
    expect(await world.buckets.explore("here")).toMatchObject({
      measurements: [
        {
          fields: [
            { name: "free_bytes", type: "number", unit: "B" },
            { name: "jobs_total", type: "number", kind: "counter", unit: "{job}" },
            { name: "note", type: "number" },
          ],
        },
      ],
    });
  });

  test("a page of fields, and the values of a tag", async () => {
    await seed();
    expect(await world.buckets.explore("here", { per_page: "1", page: "1" })).toMatchObject({
      measurements: [{ name: "cpu", fields: [{ name: "x" }] }],
      truncated: true,
    });
    expect(await world.buckets.explore("here", { search: "Y" })).toMatchObject({
      measurements: [{ name: "disk" }],
      truncated: false,
    });
    expect(await world.buckets.explore("here", { tag: "host", measurement: "cpu", per_page: 1 })).toEqual({
      measurements: [{ name: "cpu", fields: [], tags: [{ name: "host", values: ["a"] }] }],
      truncated: true,
    });
  });

  test.each([
    [{ page: "-1" }, "page"],
    [{ per_page: "1001" }, "per_page"],
    [{ search: "x".repeat(300) }, "search"],
    [{ tag: "x".repeat(300) }, "tag"],
  ])("%j is refused", async (params, path) => {
    await seed();
    await expect(world.buckets.explore("here", params)).rejects.toMatchObject({ details: { path } });
  });

  test("of a data source that is not there is its error", async () => {
    await world.buckets.put(away);
    expect(await codeOf(world.buckets.explore("away"))).toBe("bucket_unavailable");
    expect(await codeOf(world.buckets.explore("none"))).toBe("not_found");
  });
});

describe("put with check", () => {
  test("stores a bucket that connects", async () => {
    await world.buckets.put({ name: "new", type: "local" }, { check: true });
    expect((await world.buckets.get(["new"])).entries).toEqual([{ name: "new", type: "local" }]);
  });

  test("refuses one that does not connect, and changes nothing", async () => {
    const before = await dump(world.store);
    expect(await codeOf(world.buckets.put(away, { check: true }))).toBe("bucket_unavailable");
    expect(await codeOf(world.buckets.put({ ...away, name: "here" }, { check: true }))).toBe(
      "bucket_unavailable",
    );
    expect(await codeOf(world.buckets.put({ name: "x", type: "csv", path: "x" }, { check: true }))).toBe(
      "invalid",
    );
    expect(await dump(world.store)).toBe(before);
  });
});

describe("a query of a feature", () => {
  const range = { fromAt: 0, toAt: 60_000 };
  test("is refused by a bucket without a query language, and not left out", async () => {
    const bucket = await world.buckets.open("here");
    const features = [{ name: "f", metric: "avg", field: "x", tags: [], query: "up" }];
    expect(await codeOf(bucket.read({ range, intervalMs: 60_000, features }, signal))).toBe("invalid");
  });
});
