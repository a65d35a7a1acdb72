// Changes found in a bucket: a version that takes the place of another is recorded once; refusals.
import { beforeEach, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import { MINUTE_MS } from "../../src/core/time/time.ts";
import { FoundChanges } from "../../src/resources/found-changes/index.ts";
import { putBucket } from "../../src/store/buckets.ts";
import { countChanges } from "../../src/store/changes/changes.ts";
import { useStore } from "../store/temporary.ts";
import { aBucket } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";

const store = useStore();
const NOW = 1_769_860_800_000;
const { signal } = new AbortController();
let bucket: Bucket;
let nowAt: number;
const find = (body: object) =>
  new FoundChanges({ store, clock: { now: () => nowAt }, openBucket: async () => bucket }).find(
    { bucket: "metrics", by: ["service"], ...body },
    signal,
  );
const versions = { feature: { metric: "max", field: "build_info" }, label: "version" };

/** Points of a minute each. @param tagsOf tags and values of a minute before now */
async function fill(field: string, pointsOf: (back: number) => readonly [object, number][]): Promise<void> {
  const points = Array.from({ length: 120 }, (_, i) => 120 - i).flatMap((back) =>
    pointsOf(back).map(([tags, value]) => ({
      at: NOW - back * MINUTE_MS,
      fields: { [field]: value },
      tags: { ...tags },
    })),
  );
  await bucket.write!(points, {}, signal);
}

beforeEach(async () => {
  nowAt = NOW;
  bucket = local.open("metrics", {}, { dataDir: temporaryFolder() });
  await putBucket(store, { name: "metrics", kind: "local", settings: aBucket({ name: "metrics" }) }, 1);
});

test("a rollout of two replicas is one change, which the next search finds again", async () => {
  await fill("build_info", (back) => [
    [{ service: "web", version: back > 20 ? "1.9.1" : "1.9.2", instance: "a" }, 1],
    [{ service: "web", version: back > 10 ? "1.9.1" : "1.9.2", instance: "b" }, 1],
    [{ service: "db", version: "7", instance: "c" }, 1],
  ]);
  const first = await find(versions);
  expect(first.added).toBe(1);
  expect(first.views).toMatchObject([
    {
      id: expect.stringMatching(/^found-[0-9a-f]{32}$/),
      ...{ at: NOW / 1000 - 20 * 60, kind: "deploy", title: "web: version 1.9.1 -> 1.9.2" },
      tags: { service: "web" },
    },
  ]);
  nowAt += 5 * MINUTE_MS;
  const second = await find(versions);
  expect([second.added, second.views[0]!.id]).toEqual([0, first.views[0]!.id]);
  expect(await countChanges(store, {})).toBe(1);
});

test("a value that changes is one, with a title, a kind and tags of one's own", async () => {
  await fill("generation", (back) => [[{ service: "web" }, back > 30 ? 4 : 5]]);
  const own = { title: "configuration", kind: "config", tags: { team: "shop" } };
  const { views } = await find({ feature: { metric: "last", field: "generation" }, ...own });
  expect(views).toMatchObject([
    { title: "web: configuration 4 -> 5", kind: "config", tags: { team: "shop", service: "web" } },
  ]);
});

test.each<[object, string]>([
  [
    { feature: { metric: "max", field: "build_inof" } },
    "bucket metrics has no field build_inof; did you mean",
  ],
  [{ by: ["srevice"] }, "field build_info of bucket metrics has no tag srevice; did you mean service?"],
  [{ label: "versoin" }, "field build_info of bucket metrics has no tag versoin; did you mean version?"],
])("%j: nothing is found, and the answer says why", async (change, advice) => {
  await fill("build_info", () => [[{ service: "web", version: "1" }, 1]]);
  const found = await find({ ...versions, ...change });
  expect(found).toMatchObject({ added: 0, advice: [expect.stringContaining(advice)] });
  expect((await find(versions)).advice).toEqual([]);
});

test("changes before the range are not recorded, and a restart is none", async () => {
  await fill("build_info", (back) =>
    back > 40 && back < 50 ? [] : [[{ service: "web", version: back > 70 ? "1" : "2" }, 1]],
  );
  expect(await find(versions)).toEqual({ views: [], added: 0, advice: [] });
  expect((await find({ ...versions, from: "now-2h" })).added).toBe(1);
});

test("a measurement is no version: nothing is recorded of it", async () => {
  await fill("latency", (back) => [[{ service: "web" }, 20 + 5 * Math.sin(back)]]);
  await expect(find({ feature: { metric: "max", field: "latency" } })).rejects.toThrow(
    /^feature: has \d+ new values of service=web in the range, as a measurement has, not a version/,
  );
  expect(await countChanges(store, {})).toBe(0);
});

test("requests that cannot be are refused with the key and the rule", async () => {
  for (const [body, path] of [
    [{ ...versions, label: "service" }, "label"],
    [{ ...versions, by: [] }, "by"],
    [{ feature: { field: "x" } }, "feature.metric"],
    [{ feature: { query: "up" } }, "feature.query"],
    [{ ...versions, from: "now-30d" }, "from"],
    [{ ...versions, bucket_interval: 0 }, "bucket_interval"],
    [{ ...versions, color: "red" }, "color"],
  ] as const)
    expect(find(body)).rejects.toMatchObject({ code: "invalid", details: { path } });
  expect(find({ ...versions, bucket: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
});
