// The bin as a resource: points of local buckets, crashes in between, expiry, and who is told of what came back.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BinEntryView } from "../../../src/api/server/bin.ts";
import { soleOwner } from "../../../src/core/ownership.ts";
import { settleFiles } from "../../../src/resources/bin/files.ts";
import { Bin } from "../../../src/resources/bin/index.ts";
import { sweepBin } from "../../../src/resources/bin/retention.ts";
import { Buckets } from "../../../src/resources/buckets/index.ts";
import { listBinnedFiles } from "../../../src/store/bin/entries.ts";
import { pathOf } from "../../../src/tsdb/index.ts";
import { codeOf } from "../../store/temporary.ts";
import { limits, useWorld } from "../world.ts";

const DAY = 86_400_000;
const world = useWorld();
let buckets: Buckets;
let bin: Bin;
let kept = 7 * DAY;
const told: (readonly string[])[] = [];
const signal = new AbortController().signal;

beforeEach(async () => {
  kept = 7 * DAY;
  told.length = 0;
  const { store, queue, clock } = world;
  const context = { dataDir: store.dir };
  const binMs = () => kept;
  buckets = new Buckets({ store, queue, clock, limits, context, binMs });
  const onRestored = { bucket: async (names: readonly string[]) => void told.push(names) };
  bin = new Bin({ store, clock, binMs, context, newId: () => "run", onRestored });
});
afterEach(() => buckets.close());

const folder = (name: string) => {
  const path = join(world.store.dir, name);
  return existsSync(path) ? readdirSync(path).filter((file) => file.endsWith(".db")) : [];
};
async function makeBucket(name: string, value: number) {
  await buckets.put({ name, type: "local" });
  const bucket = await buckets.open(name);
  await bucket.write!([{ at: 60_000, tags: {}, fields: { v: value } }], {}, signal);
}
async function readValue(name: string): Promise<number> {
  const features = [{ name: "v", metric: "avg", field: "v", tags: [] }];
  const query = { range: { fromAt: 0, toAt: 120_000 }, intervalMs: 120_000, features };
  return (await (await buckets.open(name)).read(query, signal)).columns.v![0]!;
}
const remove = async (name: string) => (await buckets.remove([name], { force: false, by: "ops" }))[0]!;
const settle = () => settleFiles(world.store, world.store.dir);

test("points of a local bucket come back, beside a new bucket of its name", async () => {
  await makeBucket("b", 1);
  const id = await remove("b");
  expect([folder("buckets"), folder("bin")]).toEqual([[], [`${id}.db`]]);
  await makeBucket("b", 2);
  expect(await codeOf(bin.restore([id]))).toBe("already_exists");
  expect(await bin.restore([id], { name: "old" })).toEqual([{ kind: "bucket", name: "old" }]);
  expect(told).toEqual([["old"]]);
  expect([await readValue("b"), await readValue("old")]).toEqual([2, 1]);
  expect(folder("bin")).toEqual([]);
});

test("the list names what it is, who has deleted it and until when; the size holds the points", async () => {
  await makeBucket("b", 1);
  const id = await remove("b");
  const [entry] = (await bin.list()).entries as [BinEntryView];
  expect(entry).toMatchObject({ id, kind: "bucket", name: "b", deleted_by: "ops" });
  expect(entry.expires_timestamp - entry.deleted_timestamp).toBe((7 * DAY) / 1000);
  expect(entry.bytes).toBeGreaterThan(4096);
});

test("a crash after the deletion leaves a file that the next start puts away", async () => {
  await makeBucket("b", 1);
  const id = await remove("b");
  await bin.restore([id]);
  const again = await remove("b");
  // As if the server had died before it put the file away.
  const { store } = world;
  renameSync(join(store.dir, "bin", `${again}.db`), pathOf("b", store.dir));
  await settle();
  expect([folder("buckets"), folder("bin")]).toEqual([[], [`${again}.db`]]);
  await bin.restore([again]);
  expect(await readValue("b")).toBe(1);
  await settle();
  expect(await readValue("b")).toBe(1);
});

test("a bucket without its file comes back with a note", async () => {
  await makeBucket("b", 1);
  const id = await remove("b");
  rmSync(join(world.store.dir, "bin", `${id}.db`));
  expect(await bin.restore([id])).toEqual([
    { kind: "bucket", name: "b", note: expect.stringContaining("points are not on this server") },
  ]);
});

test("what is deleted for good, or has expired, leaves no file", async () => {
  await makeBucket("a", 1);
  await makeBucket("b", 1);
  const [a, b] = [await remove("a"), await remove("b")];
  await bin.remove([a]);
  expect(folder("bin")).toEqual([`${b}.db`]);
  const { store, clock } = world;
  clock.advance(8 * DAY);
  expect((await bin.list()).entries).toEqual([]);
  expect(await codeOf(bin.restore([b]))).toBe("not_found");
  const swept = Promise.withResolvers<void>();
  const timed = {
    now: () => clock.now(),
    setTimer: () => {
      swept.resolve();
      return () => {};
    },
  };
  const deps = { store, ownership: soleOwner, dataDir: store.dir, binMs: () => kept };
  const stop = sweepBin({ ...deps, clock: timed as never, onError: swept.reject });
  await swept.promise;
  stop();
  await settle();
  expect([await listBinnedFiles(store), folder("bin")]).toEqual([[], []]);
});

test("where the server keeps nothing, the points are gone at once", async () => {
  kept = 0;
  await makeBucket("b", 1);
  expect(await buckets.remove(["b"], { force: false })).toEqual([]);
  expect([folder("buckets"), folder("bin"), (await bin.list()).entries]).toEqual([[], [], []]);
});
