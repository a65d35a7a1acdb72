// Kind `mongodb`, driver included, on a stand-in of its wire protocol: the contract and its own rules.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { checkBucket } from "../../src/buckets/index.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import { mongodb } from "../../src/buckets/mongodb/index.ts";
import type { FeatureQuery } from "../../src/core/series/query.ts";
import { type MongoStandIn, startMongo } from "../support/mongod.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { expectColumn, idle, readColumn, T0 } from "./support.ts";
import { expectYear } from "./year.ts";

const open = (addr: string, more = {}) =>
  mongodb.open("b", { addr, database: "db", collection: "points", ...more }, { dataDir: "" });

for (const time_unit of ["s", "ms", "date"]) {
  runContract({
    kind: `mongodb, its time as ${time_unit}`,
    measurements: false,
    oneNamespace: true,
    allowsName: (name) => !/^\$|\./.test(name),
    allowsValue: () => true,
    create: async (settings) => {
      const server = startMongo();
      const bucket = open(server.addr, { time_unit, ...settings });
      return {
        bucket,
        seed: (points) => bucket.write!(points, {}, idle()),
        dispose() {
          bucket.close();
          server.stop();
        },
      };
    },
  });
}

runFaults({
  kind: "mongodb",
  http: false,
  open: (addr, timeout) => open(addr, { timeout, username: `user-${marker}`, password: marker }),
});

describe("mongodb", () => {
  let server: MongoStandIn;
  let bucket: Bucket;
  beforeEach(() => {
    server = startMongo();
    bucket = open(server.addr);
  });
  afterEach(() => {
    bucket.close();
    server.stop();
  });

  const read = (feature: Partial<FeatureQuery>, minutes = 3) => readColumn(bucket, feature, minutes);

  test("keys that begin with a dollar, and paths that are none, are refused in every place", async () => {
    for (const name of ["$where", "a.$b", ".a", "a.", "a..b", "a\0b"]) {
      await expect(read({ field: name })).rejects.toMatchObject({ code: "invalid" });
      await expect(read({ metric: "mode", field: name })).rejects.toMatchObject({ code: "invalid" });
      await expect(read({ tags: [{ tag: name, value: "1" }] })).rejects.toMatchObject({ code: "invalid" });
      for (const point of [
        { at: T0, fields: { [name]: 1 }, tags: {} },
        { at: T0, fields: { v: 1 }, tags: { [name]: "x" } },
      ])
        await expect(bucket.write!([point], {}, idle())).rejects.toMatchObject({ code: "invalid" });
    }
    expect(server.commands.filter((name) => /find|aggregate|update/.test(name))).toEqual([]);
  });

  test("a path leads into documents that others wrote; numbers as tags are compared as text", async () => {
    (server.documents as Map<string, object>).set("x", {
      _id: "x",
      timestamp: T0 / 1000,
      cpu: { load: 7 },
      port: 80,
    });
    const tags = [{ tag: "port", value: "80" }];
    expect((await read({ field: "cpu.load", tags }))[0]).toBe(7);
    expect((await read({ field: "cpu.load", metric: "last", tags }))[0]).toBe(7);
  });

  test("a year of minutes: in parts, and raw documents with bounded memory", async () => {
    await expectYear(bucket);
  });

  test("every millisecond belongs to its interval, though seconds are not exact", async () => {
    const at = [0, 1, 59_998, 59_999, 60_000, 60_001, 119_999, 120_000];
    await bucket.write!(
      at.map((ms) => ({ at: T0 + ms, fields: { v: ms }, tags: {} })),
      {},
      idle(),
    );
    for (const [metric, expected] of [
      ["count", [4, 3, 1]],
      ["last", [59_999, 119_999, 120_000]],
      ["first", [0, 60_000, 120_000]],
    ] as const)
      expectColumn(await read({ metric }), expected);
  });

  test.each([
    [18, "Authentication failed.", "bucket_auth"],
    [13, "not authorized on db", "bucket_auth"],
    [50, "operation exceeded time limit", "bucket_rejected"],
  ])("error %p of the server is %j, typed", async (code, errmsg, expected) => {
    server.failure = { ok: 0, code, errmsg };
    await expect(read({})).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining(errmsg),
    });
    server.failure = undefined;
    expect((await read({ metric: "count" }))[0]).toBe(0);
  });

  test("cleared, documents without a time stay", async () => {
    (server.documents as Map<string, object>).set("x", { _id: "x", note: "not a point" });
    await bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
    await bucket.clear!(idle());
    expect([...server.documents.keys()]).toEqual(["x"]);
  });

  test("explored, it enters documents within documents, and leaves out what cannot be read", async () => {
    const documents = server.documents as Map<string, object>;
    documents.set("x", {
      _id: "x",
      timestamp: T0 / 1000,
      cpu: { load: 7, host: "a", "a.b": 1 },
      at: new Date(T0),
      list: [1],
      $odd: 1,
      up: true,
    });
    const limits = { measurements: 1, names: 10, values: 10 };
    expect(await bucket.explore!({ limits }, idle())).toEqual({
      measurements: [
        {
          name: null,
          fields: [
            { name: "cpu.load", type: "number" },
            { name: "up", type: "boolean" },
          ],
          tags: [{ name: "cpu.host", values: ["a"] }],
          firstAt: T0,
          lastAt: T0,
        },
      ],
      truncated: false,
    });
  });

  test("a time within a document is found too, by reading, asking and clearing", async () => {
    (server.documents as Map<string, object>).set("x", { _id: "x", meta: { at: T0 / 1000 }, v: 7 });
    const nested = open(server.addr, { timestamp_field: "meta.at" });
    try {
      expect((await nested.probe!(idle())).newestAt).toBe(T0);
      await nested.clear!(idle());
      expect(server.documents.size).toBe(0);
    } finally {
      nested.close();
    }
  });

  test("times in another unit than the settings say are none, where no date can hold them", async () => {
    (server.documents as Map<string, object>).set("x", { _id: "x", timestamp: T0 * 1_000_000, v: 7 });
    expect((await bucket.probe!(idle())).newestAt).toBeNull();
  });

  test("a server by its name: looked up and checked before the driver connects", async () => {
    const named = open(server.addr.replace("127.0.0.1", "localhost"));
    expect((await named.probe!(idle())).version).toBe("MongoDB 7.0.14");
    named.close();
  });

  test("the driver is loaded only when it is needed", async () => {
    const script = `
      const isLoaded = () => Object.keys(require.cache).some((path) => path.includes("node_modules/mongodb/"));
      await import(${JSON.stringify(join(import.meta.dir, "../../src/buckets/index.ts"))});
      const before = isLoaded();
      await import(${JSON.stringify(import.meta.resolve("mongodb"))});
      console.log(before, isLoaded());`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    expect(await new Response(child.stdout).text()).toBe("false true\n");
  });

  test("asked, it names its version and the newest document", async () => {
    await bucket.write!([{ at: T0 + 1, fields: { v: 1 }, tags: {} }], {}, idle());
    expect(await bucket.probe!(idle())).toEqual({ version: "MongoDB 7.0.14", newestAt: T0 + 1 });
  });

  test.each([
    [{ addr: "mongodb://h/db" }, "addr"],
    [{ addr: "u:p@h" }, "addr"],
    [{ database: "a.b" }, "database"],
    [{ collection: "system.users" }, "collection"],
    [{ collection: "$cmd" }, "collection"],
    [{ time_unit: "ns" }, "time_unit"],
  ])("settings %j are refused", (wrong, path) => {
    const settings = { name: "b", type: "mongodb", addr: "h", database: "d", collection: "c", ...wrong };
    expect(() => checkBucket(settings)).toThrow(
      expect.objectContaining({ code: "invalid", details: expect.objectContaining({ path }) }),
    );
  });
});
