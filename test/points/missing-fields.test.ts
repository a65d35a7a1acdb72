// Reasons for fields without points, from explorations of their buckets.
import { expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import { TorusError } from "../../src/core/errors.ts";
import { explainMissing, explainNoData, type FieldSource } from "../../src/points/missing-fields.ts";
import { temporaryFolder } from "../support/folder.ts";

const { signal } = new AbortController();
const bucket = local.open("b", {}, { dataDir: temporaryFolder() });
await bucket.write!([{ at: 0, fields: { load: 1, state: "ok" }, tags: { host: "web-1" } }], {}, signal);

const open = async (name: string): Promise<Bucket> => {
  if (name === "b") return bucket;
  if (name === "mute") return { ...bucket, explore: undefined } as unknown as Bucket;
  throw new TorusError("bucket_unavailable", "away");
};
const source = (rest: Partial<FieldSource>) => ({ bucket: "b", metric: "avg", field: "load", ...rest });

test.each<[Partial<FieldSource>, string]>([
  [{ field: "laod" }, "bucket b has no field laod; did you mean load?"],
  [{ field: "Load" }, "bucket b has no field Load; did you mean load?"],
  [
    { field: "temperature" },
    "bucket b has no field temperature: GET /buckets/b/_explore lists those there are",
  ],
  [{ field: "state" }, "field state of bucket b holds text (string), of which only count makes numbers"],
  [{ group_by: ["hots"] }, "field load of bucket b has no tag hots; did you mean host?"],
  [
    { match_all: [{ tag: "region", value: "eu" }] },
    "field load of bucket b has no tag region: GET /buckets/b/_explore lists those there are",
  ],
  [
    { match_all: [{ tag: "host", value: "wbe-1" }] },
    "field load of bucket b has no series of host:wbe-1; did you mean web-1?",
  ],
])("%j: %s", async (rest, reason) => {
  const [found] = await explainMissing(open, [source(rest)], signal);
  expect(found).toStartWith(reason);
});

test.each<Partial<FieldSource>>([
  {},
  { group_by: ["host"], match_all: [{ tag: "host", value: "web-1" }] },
  { field: "state", metric: "count" },
  { query: "select 1", field: "x" },
  { bucket: "mute", field: "x" },
  { bucket: "away", field: "x" },
])("%j: no reason", async (rest) => {
  expect(await explainMissing(open, [source(rest)], signal)).toEqual([]);
});

test("five fields are looked up, each once", async () => {
  const sources = Array.from({ length: 20 }, (_, i) => source({ field: `load${i >> 1}` }));
  expect(await explainMissing(open, sources, signal)).toHaveLength(5);
});

test("reasons are added to no_data alone", async () => {
  const explain = (error: unknown) =>
    explainNoData(error, { open, sources: [source({ field: "laod" })], signal }) as Promise<TorusError>;
  const { message, details } = await explain(new TorusError("no_data", "no data", { found: 0 }));
  expect([message, details]).toEqual([
    "no data; bucket b has no field laod; did you mean load?",
    { found: 0 },
  ]);
  const other = new TorusError("canceled", "stopped");
  expect(await explain(other)).toBe(other);
});
