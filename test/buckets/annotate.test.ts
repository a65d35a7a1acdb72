// Annotations in buckets: one per anomaly, completed at its end, in the format of other tools.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openBucket } from "../../src/buckets/index.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { Annotation } from "../../src/core/anomaly/annotation.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../support/influxd.ts";
import { idle } from "./support.ts";

const startAt = Date.UTC(2026, 0, 31, 12, 0, 0, 123);
const start: Annotation = {
  id: "e1",
  type: "torus",
  model: "m",
  text: 'feature "f" is too low,\nby far',
  startAt,
  modifiedAt: startAt + 1000,
};
const end: Annotation = { ...start, endAt: startAt + 300_000, modifiedAt: startAt + 301_000 };

test("local: the end replaces the start, under the same measurement and tags", async () => {
  const dataDir = temporaryFolder();
  const bucket: Bucket = openBucket({ name: "b", type: "local" }, { dataDir });
  const minute = { fromAt: startAt - (startAt % 60_000), toAt: startAt - (startAt % 60_000) + 60_000 };
  const read = async (field: string, metric: string) => {
    const tags = [
      { tag: "type", value: "torus" },
      { tag: "model", value: "m" },
    ];
    const features = [{ name: "f", metric, field, measurement: "annotations", tags }];
    const { columns } = await bucket.read({ range: minute, intervalMs: 60_000, features }, idle());
    return columns.f![0];
  };
  await bucket.annotate!(start, idle());
  expect(await read("text", "count")).toBe(1);
  expect(await read("end_time", "count")).toBe(0);
  await bucket.annotate!(end, idle());
  await bucket.annotate!(end, idle());
  expect(await read("text", "count")).toBe(1);
  expect(await read("start_time", "max")).toBe(startAt * 1e6);
  expect(await read("end_time", "max")).toBe((startAt + 300_000) * 1e6);
  await expect(bucket.annotate!(end, AbortSignal.abort())).rejects.toMatchObject({ code: "canceled" });
  bucket.close();
});

if (influxdMissing) console.warn(influxdMissing);
describe.skipIf(influxdMissing !== undefined)("influxdb", () => {
  let real: Influxd;
  beforeAll(async () => {
    real = await startInfluxd();
  });
  afterAll(() => real?.stop());

  const open = (more: object = {}) => {
    const settings = {
      name: "b",
      type: "influxdb" as const,
      addr: real.addr,
      database: "d",
      measurement: "x",
    };
    return openBucket({ ...settings, ...more }, { dataDir: "" });
  };
  const rows = async (database: string) => {
    const [result] = await real.query("select * from annotations", database);
    const { columns, values = [] } = result!.series![0]!;
    return values.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  };

  test("goes to the database other programs look into, which is made, with whole numbers", async () => {
    const bucket = open();
    await bucket.annotate!(start, idle());
    await bucket.annotate!(end, idle());
    expect(await rows("chronograf")).toEqual([
      {
        time: startAt,
        deleted: false,
        end_time: (startAt + 300_000) * 1e6,
        id: "e1",
        model: "m",
        modified_time_ns: (startAt + 301_000) * 1e6,
        start_time: startAt * 1e6,
        text: start.text,
        type: "torus",
      },
    ]);
    const [keys] = await real.query("show field keys from annotations", "chronograf");
    const types = Object.fromEntries(keys!.series![0]!.values!.map(([name, type]) => [name, type]));
    expect(types).toMatchObject({ start_time: "integer", modified_time_ns: "integer", deleted: "boolean" });
  });

  test("or to the one the bucket names", async () => {
    await open({ annotation_db: "marks" }).annotate!(start, idle());
    expect(await rows("marks")).toHaveLength(1);
  });

  test("but makes none where it must not", async () => {
    const bucket = open({ annotation_db: "none", create_database: false });
    await expect(bucket.annotate!(start, idle())).rejects.toMatchObject({ code: "bucket_rejected" });
  });
});
