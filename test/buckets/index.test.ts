// Settings of buckets: validation, views without secrets, PATCH.
import { describe, expect, test } from "bun:test";
import {
  bucketKinds,
  checkBucket,
  checkSource,
  destroyBucket,
  mergeBucket,
  openBucket,
  viewBucket,
} from "../../src/buckets/index.ts";
import { redact } from "../../src/core/access/redact.ts";
import { errorOf } from "../core/expect.ts";
import { temporaryFolder } from "../support/folder.ts";
import { aFeature, aQuery, idle } from "./support.ts";

const base = { name: "b", type: "local" } as const;

test("an open bucket checks the queries of features, of grouped reads too", async () => {
  const bucket = openBucket(base, { dataDir: temporaryFolder() });
  const features = [aFeature({ query: "select 1" })];
  const refused = { code: "invalid", message: expect.stringContaining("does not support feature queries") };
  await expect(bucket.read(aQuery(features), idle())).rejects.toMatchObject(refused);
  const grouped = { ...aQuery(features), groupBy: ["host"], maxSeries: 1 };
  await expect(bucket.readGrouped!(grouped, idle())).rejects.toMatchObject(refused);
  bucket.close();
});

describe("checkBucket", () => {
  test.each([
    {},
    { measurement: "cpu" },
    { retention: "30d" },
    { retention: 3600 },
    { max_series_per_request: 500 },
    { timestamp_field: "ts" },
    { timestamp_field: null },
  ])("%j is fine and kept as written", (rest) => {
    expect(checkBucket({ ...base, ...rest })).toEqual({ ...base, ...rest });
  });

  test.each([
    [undefined, "body", /JSON object/],
    [[], "body", /JSON object/],
    [{ type: "local" }, "name", /is required/],
    [{ ...base, name: "a b" }, "name", /letters, digits/],
    [{ ...base, name: "__proto__" }, "name", /letters, digits/],
    [{ name: "b" }, "type", /must be one of .*local/],
    [{ ...base, type: "locale" }, "type", /must be one of .*local.*; did you mean local\?/],
    [{ ...base, type: "constructor" }, "type", /must be one of/],
    [{ ...base, type: 5 }, "type", /must be one of/],
    [{ ...base, retention: "long" }, "retention", /duration/],
    [{ ...base, retension: "1d" }, "retension", /did you mean retention\?/],
    [{ ...base, max_series_per_request: 0 }, "max_series_per_request", /at least 1/],
    [{ ...base, measurement: "" }, "measurement", /./],
  ] as [unknown, string, RegExp][])("%j is refused at %p", (body, path, message) => {
    const error = errorOf(() => checkBucket(body));
    expect(error.code).toBe("invalid");
    expect(error.details.path).toBe(path);
    expect(error.message).toMatch(message);
  });

  test.each([
    [{}, ["name", "type"]],
    [{ name: "a b", type: "locale" }, ["name", "type"]],
    [{ type: "local", retention: "long", zzz: 1 }, ["name", "zzz", "retention"]],
  ])("%j: every mistake is listed", (body, paths) => {
    expect(errorOf(() => checkBucket(body)).details.errors?.map(({ path }) => path)).toEqual(paths);
  });

  const timed = Object.entries(bucketKinds).filter(([, { settings }]) => "timeout" in settings.properties);
  test.each(
    timed.map(([type]) => type),
  )("%s: a timeout of 0 is refused, as it would be none or at once", (type) => {
    for (const timeout of [0, "0", "0s"]) {
      const { errors } = errorOf(() => checkBucket({ name: "b", type, timeout })).details;
      expect(errors).toContainEqual({ path: "timeout", message: expect.stringContaining("longer than 0") });
    }
    const { errors } = errorOf(() => checkBucket({ name: "b", type, timeout: "5s" })).details;
    expect(errors?.map(({ path }) => path)).not.toContain("timeout");
  });

  test("words for numbers and booleans are read", () => {
    const influx = {
      name: "i",
      type: "influxdb",
      addr: "localhost:8086",
      database: "d",
      measurement: "m",
    } as const;
    expect(checkBucket({ ...influx, use_ssl: "True" })).toEqual({ ...influx, use_ssl: true });
    expect(checkBucket({ ...base, max_series_per_request: "500" })).toEqual({
      ...base,
      max_series_per_request: 500,
    });
    expect(mergeBucket(checkBucket(base), { max_series_per_request: "7" })).toMatchObject({
      max_series_per_request: 7,
    });
    expect(errorOf(() => checkBucket({ ...influx, use_ssl: "perhaps" })).details.path).toBe("use_ssl");
  });

  test("every kind has settings that name their rules and refuse unknown keys", () => {
    for (const [type, kind] of Object.entries(bucketKinds)) {
      expect(kind.kind).toBe(type);
      expect(kind.settings.additionalProperties).toBe(false);
      for (const [key, schema] of Object.entries(kind.settings.properties)) {
        expect(`${type}.${key}: ${schema.description}`).not.toContain("undefined");
      }
    }
  });
});

describe("secrets", () => {
  const marker = "MARKER-4e1d";
  const keys = [
    "password",
    "dbuser_password",
    "read_token",
    "write_token",
    "token",
    "secret_key",
    "access_key",
    "client_key",
    "api_key",
    "dbuser",
    "username",
    "user",
    "Password",
  ];
  test.each(keys)("%s is in no view, at any depth", (key) => {
    const settings = { ...base, [key]: marker, nested: { list: [{ [key]: marker, kept: 1 }] } };
    const view = viewBucket(settings);
    expect(JSON.stringify(view)).not.toContain(marker);
    expect(view).toEqual({ ...base, nested: { list: [{ kept: 1 }] } });
  });

  test("leaves out the secrets that a kind names", () => {
    expect(redact({ cert: marker, addr: "h" }, ["cert"])).toEqual({ addr: "h" });
  });

  test.each([
    [`http://u:${marker}@host:8086/path`, "http://host:8086/path"],
    [`http://${marker}@host`, "http://host"],
    [`https://u:p@${marker}@host/x`, "https://host/x"],
    [`http://u:${marker}/x@host/y`, "http://host/y"],
    [`http://u:${marker}#?@host`, "http://host"],
    [`mongodb://u:${marker}@h1:27017,h2:27017/db`, "mongodb://h1:27017,h2:27017/db"],
    [`u:${marker}@host:9200`, "host:9200"],
    [`http://host/?db=x&password=${marker}&q=1`, "http://host/?db=x&password=&q=1"],
    [`http://host/?u=${marker}&p=${marker}`, "http://host/?u=&p="],
    [`http://host/?api_key=${marker}`, "http://host/?api_key="],
  ])("credentials in %p are left out", (addr, shown) => {
    expect(redact({ addr })).toEqual({ addr: shown });
  });

  test.each([
    "http://host:8086",
    "localhost:8086",
    "logs-*",
    "http://host/a@b",
    "http://host:80/a:b@c",
    "name@example",
    "a b c",
    "http://h1:9200,http://h2:9200",
  ])("%p stays as it is", (text) => expect(redact(text)).toBe(text));
});

describe("mergeBucket", () => {
  const old = checkBucket({ ...base, measurement: "cpu", retention: "1d" });

  test("keys not given stay, null removes, others replace", () => {
    expect(mergeBucket(old, { retention: "2d" })).toEqual({ ...base, measurement: "cpu", retention: "2d" });
    expect(mergeBucket(old, { measurement: null })).toEqual({ ...base, retention: "1d" });
    expect(mergeBucket(old, { name: "b", type: "local" })).toEqual(old);
    expect(old).toMatchObject({ measurement: "cpu", retention: "1d" });
  });

  test.each([
    [{ name: "c" }, "name"],
    [{ type: "influxdb" }, "type"],
    [{ name: null }, "name"],
    [{ retention: "x" }, "retention"],
    [{ retenton: "1d" }, "retenton"],
    [null, "body"],
    ["text", "body"],
  ])("%j is refused", (patch, path) => {
    const error = errorOf(() => mergeBucket(old, patch));
    expect(error.code).toBe("invalid");
    expect(error.details.path).toBe(path);
  });

  test("a view sent back changes nothing: secrets and credentials stay", () => {
    const secret = { ...old, timestamp_field: "http://u:pw@host" };
    expect(viewBucket(secret).timestamp_field).toBe("http://host");
    expect(mergeBucket(secret, viewBucket(secret))).toEqual(secret);
  });
});

test("a bucket is opened, written, read and destroyed by its settings", async () => {
  const dataDir = temporaryFolder();
  const settings = checkBucket({ ...base, measurement: "m", max_series_per_request: 5 });
  const bucket = openBucket(settings, { dataDir });
  await bucket.write!([{ at: 0, fields: { v: 2 }, tags: {} }], {}, idle());
  const features = [{ name: "f", metric: "sum", field: "v", tags: [] }];
  const grid = await bucket.read({ range: { fromAt: 0, toAt: 1000 }, intervalMs: 1000, features }, idle());
  expect([...grid.columns.f!]).toEqual([2]);
  bucket.close();
  destroyBucket(settings, { dataDir });
});

test("every kind reads by group", () => {
  const addresses = { addr: "127.0.0.1:1", host: "127.0.0.1", url: "http://127.0.0.1:1", path: "x.csv" };
  const places = { database: "d", collection: "c", index: "i", table: "t", measurement: "m", region: "r" };
  const settings = { ...addresses, ...places, time_column: "at", read_token: "r" };
  for (const { kind, open } of Object.values(bucketKinds)) {
    const bucket = open("b", settings as never, { dataDir: temporaryFolder() });
    expect([kind, typeof bucket.readGrouped]).toEqual([kind, "function"]);
    bucket.close();
  }
});

test("a feature is checked by its query, else by its metric", () => {
  const settings = checkBucket(base);
  expect(checkSource(settings, { metric: "p99" }, "features.0")).toBeUndefined();
  const misspelt = errorOf(() => checkSource(settings, { metric: "avrage" }, "features.0"));
  expect(misspelt).toMatchObject({ code: "invalid", details: { path: "features.0.metric" } });
  expect(misspelt.message).toContain("average");
  const query = errorOf(() => checkSource(settings, { metric: "avrage", query: "q" }, "features.0"));
  expect(query).toMatchObject({ code: "invalid", details: { path: "features.0.query" } });
});
