// The limit of series: beyond it new ones are refused and leave nothing behind, known ones are written on.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openBucketFile } from "../../src/tsdb/index.ts";
import { temporaryFolder } from "../support/folder.ts";

const target = { measurement: "", cutoffAt: 0 };
const pointsOf = (names: readonly string[], at = 1000) =>
  names.map((name) => ({ at, fields: { [name.slice(0, 1)]: 1 }, tags: { t: name.slice(1) } }));
const counts = (path: string) => {
  using db = new Database(path, { readonly: true });
  const count = (table: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
  return { series: count("series"), fields: count("fields"), tags: count("tags") };
};

test("fields of series count, also those of an earlier process; without a limit there is none", async () => {
  const path = join(temporaryFolder(), "b.db");
  let writer = openBucketFile(path);
  const write = async (names: readonly string[], maxSeries: number, at?: number) =>
    (await writer.write(pointsOf(names, at), { ...target, maxSeries })).refused;
  expect(await write(["a1", "b1", "a2"], 3)).toBe(0);
  expect(await write(["a1", "c1", "a3", "a2", "b3"], 3, 2000)).toBe(3);
  expect(counts(path)).toEqual({ series: 2, fields: 3, tags: 2 });
  writer.close();

  writer = openBucketFile(path);
  expect(await write(["b1", "b2", "a1", "a9"], 3, 3000)).toBe(2);
  expect(await write(["b2", "a9", "b9"], 5, 3000)).toBe(1);
  expect(counts(path)).toEqual({ series: 3, fields: 5, tags: 3 });
  expect(await writer.write(pointsOf(["z1", "z2"]), target)).toMatchObject({ expired: 0, refused: 0 });
  expect(await write(["z3"], 6)).toBe(1);
  writer.clear();
  expect(await write(["z3"], 1)).toBe(0);
  writer.close();
});

test("a write that is rolled back does not count", async () => {
  const path = join(temporaryFolder(), "b.db");
  const writer = openBucketFile(path);
  const broken = {
    at: 1000,
    get fields(): Record<string, number> {
      throw new Error("broken point");
    },
    tags: {},
  };
  const write = () =>
    writer.write([...pointsOf(["a1", "a2"]), broken], { ...target, maxSeries: 2, cutoffAt: -Infinity });
  await expect(write()).rejects.toThrow("broken point");
  const maxSeries = counts(path).fields + 2;
  expect((await writer.write(pointsOf(["b1", "b2"]), { ...target, maxSeries })).refused).toBe(0);
  writer.close();
});
