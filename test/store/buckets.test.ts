// SQL of buckets: create, replace, patch and delete, all or nothing.
import { expect, test } from "bun:test";
import type { BucketSettings } from "../../src/core/model/bucket-settings.ts";
import { listBuckets, loadBucket, patchBuckets, putBucket, removeBuckets } from "../../src/store/buckets.ts";
import { aBucket } from "../support/builders.ts";
import { codeOf, dump, expectUndone, useStore } from "./temporary.ts";

const store = useStore();

const put = (name: string, own: Partial<BucketSettings> = {}, at = 1) =>
  putBucket(store, { name, kind: "local", settings: aBucket({ name, ...own }) }, at);

test("put creates, then replaces and returns what was there", async () => {
  expect(await put("b", { addr: "x" })).toBeUndefined();
  expect(await put("b", { addr: "y" }, 2)).toMatchObject({ settings: { addr: "x" } });
  expect(await loadBucket(store, "b")).toEqual({
    name: "b",
    kind: "local",
    createdAt: 1,
    updatedAt: 2,
    settings: aBucket({ addr: "y" }),
  });
});

test("lists by name; an unknown one is not found", async () => {
  await put("b");
  await put("a");
  expect((await listBuckets(store)).map(({ name }) => name)).toEqual(["a", "b"]);
  expect(await codeOf(loadBucket(store, "c"))).toBe("not_found");
});

test("patch and remove of a list with an unknown name change nothing and name it", async () => {
  await put("a");
  const before = await dump(store);
  const change = () => aBucket({ changed: true });
  await expect(patchBuckets(store, ["a", "x", "y"], { at: 3, change })).rejects.toThrow(
    "bucket x does not exist",
  );
  await expect(removeBuckets(store, ["a", "x"])).rejects.toThrow("bucket x does not exist");
  expect(await dump(store)).toBe(before);
});

test("remove returns the rows, duplicates once", async () => {
  await put("a");
  await put("b");
  expect((await removeBuckets(store, ["b", "a", "b"])).map(({ name }) => name)).toEqual(["b", "a"]);
  expect(await listBuckets(store)).toEqual([]);
});

test("promise 3: a failure in the middle of put, patch and remove changes nothing", async () => {
  await put("a");
  await put("b");
  const change = () => aBucket({ changed: true });
  const update = ["update on buckets", "old.name = 'b'"] as const;
  await expectUndone(store, update, () => put("b", {}, 5));
  await expectUndone(store, update, () => patchBuckets(store, ["a", "b"], { at: 5, change }));
  await expectUndone(store, ["delete on buckets", "old.name = 'b'"], () => removeBuckets(store, ["a", "b"]));
});
