// Cache of open buckets: shared, and closed when settings change.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { OpenBuckets } from "../../../src/resources/buckets/open-buckets.ts";
import { putBucket } from "../../../src/store/buckets.ts";
import { codeOf, openTemporary, type TemporaryStore } from "../../store/temporary.ts";

let store: TemporaryStore;
let open: OpenBuckets;
beforeEach(() => {
  store = openTemporary();
  open = new OpenBuckets({ store, context: { dataDir: store.dir } });
});
afterEach(async () => {
  await open.closeAll();
  await store.remove();
});
const put = () => putBucket(store, { name: "b", kind: "local", settings: { name: "b", type: "local" } }, 1);
const { signal } = new AbortController();
const read = { range: { fromAt: 0, toAt: 1 }, intervalMs: 1, features: [] };

test("all who ask at once get the same bucket", async () => {
  await put();
  const [one, two] = await Promise.all([open.open("b"), open.open("b")]);
  expect(one).toBe(two!);
});

test("a name that was unknown is looked up anew", async () => {
  expect(await codeOf(open.open("b"))).toBe("not_found");
  await put();
  expect(await codeOf(open.open("b"))).toBe("nothing thrown");
});

test("closing closes; the next open makes another bucket; closing one that is not open does nothing", async () => {
  await put();
  const bucket = await open.open("b");
  await open.close("b");
  await open.close("b");
  expect(await codeOf(bucket.read(read, signal))).toBe("bucket_unavailable");
  expect(await open.open("b")).not.toBe(bucket);
});
