// Single points of fields: which fields are found, by which of both ways, and what is read of them.
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { FieldPage, FieldQuery } from "../../src/core/series/samples.ts";
import { openBucketFile, visitFields } from "../../src/tsdb/index.ts";
import { temporaryFolder } from "../support/folder.ts";

const path = join(temporaryFolder(), "b.db");
const writer = openBucketFile(path);
const point = (
  at: number,
  fields: Record<string, number | string | boolean>,
  tags = {},
  special?: "value" | "stale",
) => ({
  ...(special && { special }),
  at,
  fields,
  tags,
});
const target = (measurement: string) => ({ measurement, cutoffAt: 0 });
await writer.write(
  [
    point(1000, { load: 1, name: "x" }, { host: "a" }),
    point(2000, { load: 2 }, { host: "a" }),
    point(3000, { load: "text" }, { host: "a" }),
    point(4000, { load: 4 }, { host: "a" }),
    point(1500, { load: 9 }, { host: "b" }),
    point(1000, { odd: 1 }),
    point(2000, { odd: Number.NaN }, {}, "value"),
    point(3000, { odd: Number.POSITIVE_INFINITY }, {}, "value"),
    point(4000, { odd: "text" }),
    point(5000, { odd: 0 }, {}, "stale"),
    // Results of undefined computations are no values.
    point(6000, { odd: Number.NaN, load: Number.NEGATIVE_INFINITY }),
  ],
  target("cpu"),
);
// More pairs of measurement and field than are looked up one by one.
for (let i = 0; i < 70; i++) await writer.write([point(1000, { load: i })], target(`m${i}`));
writer.close();

const { signal } = new AbortController();
const everything = { fromAt: 0, toAt: 10_000 };

async function list(query: Partial<FieldQuery>, sinceAt = 0, range = everything) {
  const bucket = openBucketFile(path);
  const found: string[] = [];
  const full = { matches: () => true, tags: [], ...query };
  await bucket.read((file) =>
    visitFields(
      file,
      { query: full, sinceAt },
      async ({ fields, read }) => {
        const samples = await read([...fields.keys()], range, () => {});
        for (const [place, { measurement, field, tags, hasPoints }] of fields.entries()) {
          const { times, values, stale } = samples[place]!;
          const points = [...times].map((at, i) => `${at}:${stale?.[i] ? "stale" : values[i]}`).join(" ");
          found.push(
            `${measurement}.${field}${JSON.stringify(tags)}${hasPoints(range) ? "" : " none"} ${points}`.trim(),
          );
        }
      },
      signal,
    ),
  );
  bucket.close();
  return found;
}

const ofCpu = (field: string) => ({
  matches: (measurement: string, name: string) => measurement === "cpu" && name === field,
});

test("a field of a measurement: its numbers in order of time, texts left out", async () => {
  expect(await list(ofCpu("load"))).toEqual([
    'cpu.load{"host":"a"} 1000:1 2000:2 4000:4',
    'cpu.load{"host":"b"} 1500:9',
  ]);
});

test("NaN, infinities and stale markers are samples, where they were written as such", async () => {
  expect(await list(ofCpu("odd"))).toEqual(["cpu.odd{} 1000:1 2000:NaN 3000:Infinity 5000:stale"]);
  expect(await list(ofCpu("odd"), 0, { fromAt: 2000, toAt: 4000 })).toEqual([
    "cpu.odd{} 2000:NaN 3000:Infinity",
  ]);
});

test("a tag, a range, and a retention narrow it", async () => {
  const tags = [{ tag: "host", value: "a" }];
  expect(await list({ ...ofCpu("load"), tags }, 0, { fromAt: 2000, toAt: 4000 })).toEqual([
    'cpu.load{"host":"a"} 2000:2',
  ]);
  expect(await list({ ...ofCpu("load"), tags }, 3000)).toEqual(['cpu.load{"host":"a"} 4000:4']);
  expect(await list({ ...ofCpu("load"), tags }, 5000)).toEqual(['cpu.load{"host":"a"} none']);
});

test("many fields are found by a scan of all, few by the index: the same ones", async () => {
  const all = await list({});
  expect(all).toHaveLength(74);
  const some = await list({ matches: (measurement) => measurement.startsWith("m1") });
  expect(some.sort()).toEqual(all.filter((line) => line.startsWith("m1")).sort());
  expect(some).toHaveLength(11);
});

test("more fields than a statement takes: each has its own points, in blocks, in the head, in both or in none", async () => {
  const many = openBucketFile(join(temporaryFolder(), "many.db"));
  const names = Array.from({ length: 700 }, (_, i) => `f${String(i).padStart(3, "0")}`);
  const fieldsAt = (at: number, isOf: (i: number) => boolean) =>
    point(at, Object.fromEntries(names.flatMap((name, i) => (isOf(i) ? [[name, at + i]] : []))));
  const own = target("m");
  await many.write([fieldsAt(1000, () => true), fieldsAt(20_000, (i) => i % 3 === 0)], own);
  await many.settle();
  await many.write([fieldsAt(30_000, (i) => i % 2 === 0)], own);
  const found: string[] = [];
  const shared = new Set<Float64Array>();
  const query = { matches: () => true, tags: [] };
  const visit = async ({ fields, read }: FieldPage) => {
    const places = [...fields.keys()].filter((place) => place % 5 > 0);
    const samples = await read(places, { fromAt: 10_000, toAt: 40_000 }, () => {});
    for (const [i, { times, values }] of samples.entries()) {
      shared.add(times);
      found.push(
        `${fields[places[i]!]!.field}: ${[...times].map((at, k) => `${at}=${values[k]}`).join(" ")}`,
      );
    }
  };
  await many.read((file) => visitFields(file, { query, sinceAt: 0 }, visit, signal));
  many.close();
  expect(found).toEqual(
    names.flatMap((name, i) => {
      const times = [...(i % 3 === 0 ? [20_000] : []), ...(i % 2 === 0 ? [30_000] : [])];
      return i % 5 > 0 ? [`${name}: ${times.map((at) => `${at}=${at + i}`).join(" ")}`] : [];
    }),
  );
  expect(shared.size).toBeLessThan(found.length);
});

test("a read ends where its visitor or its counter throws", async () => {
  const bucket = openBucketFile(path);
  const query = { matches: () => true, tags: [] };
  const enough = () => {
    throw new Error("enough");
  };
  const scoped = { query, sinceAt: 0 };
  await expect(
    bucket.read((file) => visitFields(file, scoped, async () => enough(), signal)),
  ).rejects.toThrow("enough");
  const reading = bucket.read((file) =>
    visitFields(file, scoped, async ({ read }) => void (await read([0], everything, enough)), signal),
  );
  await expect(reading).rejects.toThrow("enough");
  bucket.close();
});

test("a bucket without a file has no fields", async () => {
  const query = { matches: () => true, tags: [] };
  const visited: unknown[] = [];
  await visitFields(undefined, { query, sinceAt: 0 }, async (field) => void visited.push(field), signal);
  expect(visited).toEqual([]);
});
