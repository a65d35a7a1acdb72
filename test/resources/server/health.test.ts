// Health: each failing part is named; frequent checks are cheap.
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { createHealth, measureDescriptors } from "../../../src/resources/server/health.ts";
import type { NodeState } from "../../../src/store/postgres/nodes.ts";
import { useStore } from "../../store/temporary.ts";

const store = useStore();
const present = { nowAt: 0, overdueMs: 0, workersFail: false, used: 100, damage: [] as string[] };
beforeEach(() => {
  Object.assign(present, { nowAt: 0, overdueMs: 0, workersFail: false, used: 100, damage: [] });
});

const make = (state?: NodeState) =>
  createHealth({
    store,
    clock: { now: () => present.nowAt },
    overdueMs: () => present.overdueMs,
    workersFail: () => present.workersFail,
    damage: () => present.damage,
    descriptors: () => ({ used: present.used, limit: 1000 }),
    ...(state && { nodeState: () => state }),
  });
const fine = { ok: true };

test("all is well", async () => {
  present.overdueMs = 60_000;
  expect(await make().check()).toEqual({
    ready: true,
    checks: { storage: fine, live: fine, workers: fine, connections: fine, buckets: fine },
  });
});

test.each([
  ["storage", () => store.sqlite.run("PRAGMA query_only = ON"), "cannot be used"],
  ["live", () => Object.assign(present, { overdueMs: 61_000 }), "61 s overdue"],
  ["workers", () => Object.assign(present, { workersFail: true }), "cannot start"],
  ["buckets", () => Object.assign(present, { damage: ["bucket a: gone"] }), "bucket a: gone"],
  ["connections", () => Object.assign(present, { used: 900 }), "900 of 1000 file descriptors are in use"],
] as const)("promise 25: not ready where %s does not work, and it says why", async (part, breakIt, words) => {
  breakIt();
  const { ready, checks, error } = await make().check();
  expect(ready).toBe(false);
  expect(error).toBe(checks[part].error!);
  expect(checks[part]).toMatchObject({ ok: false, error: expect.stringContaining(words) });
  expect(Object.values(checks).filter(({ ok }) => ok)).toHaveLength(4);
});

describe("a node of a cluster", () => {
  const good = { nodes: 2, shards: 512, leaseMs: 4000, clockSkewMs: 0, feedAgeMs: 250 };

  test("works at the edge of its bounds", async () => {
    const { ready, checks } = await make({
      ...good,
      leaseMs: 1,
      clockSkewMs: -10_000,
      feedAgeMs: 1999,
    }).check();
    expect([ready, checks.cluster]).toEqual([true, fine]);
  });

  test.each([
    [{ feedAgeMs: 3400 }, "knows of others is 3 s old"],
    [{ clockSkewMs: 12_000 }, "12 s ahead of that of the database: synchronize both"],
    [{ clockSkewMs: -12_000 }, "12 s behind that of the database"],
  ])("is not ready with %j, and it says why", async (change, words) => {
    const { ready, checks, error } = await make({ ...good, ...change }).check();
    expect(ready).toBe(false);
    expect(error).toBe(checks.cluster!.error!);
    expect(error).toContain(words);
  });

  test("without its lease it is not ready at once, and no statement is sent", async () => {
    const state = { ...good };
    const health = make(state);
    expect((await health.check()).ready).toBe(true);
    const probe = spyOn(store.engine, "write");
    state.leaseMs = 0;
    const { ready, checks } = await health.check();
    expect([ready, probe.mock.calls]).toEqual([false, []]);
    expect(checks.cluster).toMatchObject({
      ok: false,
      error: expect.stringContaining("the lease of this node is lost"),
    });
    state.leaseMs = 4000;
    present.nowAt = 1000;
    expect((await health.check()).ready).toBe(true);
    expect(probe).toHaveBeenCalledTimes(1);
    probe.mockRestore();
  });
});

test("an answer is good for a second, whichever way the clock goes", async () => {
  const health = make();
  const probes = () => store.sqlite.query("select value from meta where key = 'probed_at'").get();
  await health.check();
  present.nowAt = 999;
  await health.check();
  expect(probes()).toEqual({ value: "0" });
  present.nowAt = 1000;
  await health.check();
  expect(probes()).toEqual({ value: "1000" });
  present.nowAt = -5000;
  await health.check();
  expect(probes()).toEqual({ value: "-5000" });
});

test.skipIf(process.platform !== "linux")("those that are opened are counted", () => {
  const before = measureDescriptors()!;
  const opened = Array.from({ length: 20 }, () => openSync(import.meta.path, "r"));
  expect(measureDescriptors()!.used - before.used).toBeGreaterThanOrEqual(20);
  for (const descriptor of opened) closeSync(descriptor);
  expect(before.limit).toBeGreaterThan(before.used);
});

test("where there is no such folder nothing is known", () => {
  expect(measureDescriptors("/nowhere")).toBeUndefined();
});
