// Changes of the last day for evaluations: those that share a tag, read once a minute.
import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../src/core/time/time.ts";
import { RecentChanges } from "../../src/live/recent-changes.ts";
import { recordChanges } from "../../src/store/changes/changes.ts";
import { execute, useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const store = useStore();
const start = 10 * DAY_MS;
const settings = aModel({
  features: [{ name: "v", metric: "avg", field: "v", match_all: [{ tag: "service", value: "web" }] }],
});

const record = (id: string, at: number, tags: Record<string, string>) =>
  recordChanges(store, [{ id, at, endAt: null, kind: "deploy", title: id, url: null, tags }], { at });

test("those that share a tag with the model, or with a series", async () => {
  await record("untagged", start - 1, {});
  await record("old", start - DAY_MS - 1, { service: "web" });
  await record("web", start - 2, { service: "web" });
  await record("value", start - 3, { repository: "web" });
  await record("db", start - 4, { service: "db" });
  await record("host", start - 5, { host: "a" });
  const recent = new RecentChanges({ store, clock: { now: () => start } });
  expect(await recent.of(settings)).toEqual([start - 2]);
  const bySeries = await recent.bySeries(settings);
  expect([bySeries({ host: "a" }), bySeries({ host: "b" })]).toEqual([[start - 2, start - 5], [start - 2]]);
});

test("they are read once a minute, and again after a clock that was set back", async () => {
  let now = start;
  const recent = new RecentChanges({ store, clock: { now: () => now } });
  expect(await recent.of(settings)).toEqual([]);
  await record("web", start, { service: "web" });
  now += MINUTE_MS - 1;
  expect(await recent.of(settings)).toEqual([]);
  now += 1;
  expect(await recent.of(settings)).toEqual([start]);
  await execute(store, "delete from recorded_changes");
  now -= 2 * MINUTE_MS;
  expect(await recent.of(settings)).toEqual([]);
});
