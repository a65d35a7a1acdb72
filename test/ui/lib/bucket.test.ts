// Facts about buckets: address, users, lateness, range of a first look, tags in addresses.
import { describe, expect, test } from "bun:test";
import type { ModelView } from "../../../src/api/model.ts";
import { addressOf, formatTags, isLate, lookRange, parseTags, usersOf } from "../../../src/ui/lib/bucket.ts";

const aModel = (name: string, own: object, more: object = {}) =>
  ({ settings: { name, ...own }, state: { trained: true }, ...more }) as unknown as ModelView;

test.each([
  [{ addr: "h:1" }, "h:1"],
  [{ url: "http://h" }, "http://h"],
  [{ path: "a.csv" }, "a.csv"],
  [{}, ""],
])("the address of %j is %p", (settings, address) => expect(addressOf(settings)).toBe(address));

test("users read from it by default or by a feature", () => {
  const models = [
    aModel("a", { default_bucket: "b", features: [{}] }),
    aModel("other", { default_bucket: "b", features: [{ bucket: "c" }] }),
    aModel("feature", { default_bucket: "c", features: [{}, { bucket: "b" }] }),
  ];
  expect(usersOf("b", models).map(({ settings }) => String(settings.name))).toEqual(["a", "feature"]);
});

test("late after three intervals of the fastest live model", () => {
  const live = (interval: number) => aModel("m", {}, { live: {}, state: { bucket_interval: interval } });
  const stopped = aModel("m", {}, { state: { bucket_interval: 1 } });
  expect(isLate(1000, [live(60), live(600), stopped], 1181)).toBe(true);
  expect(isLate(1000, [live(60), live(600), stopped], 1180)).toBe(false);
  expect(isLate(0, [stopped], 1e9)).toBe(false);
});

describe("a first look", () => {
  const DAY = 86_400;
  const now = 1000 * DAY;
  test.each([
    ["without ends", {}, { from: now - 30 * DAY }],
    ["of fresh points", { first_timestamp: now - 3 * DAY, last_timestamp: now - 5 }, { from: now - 3 * DAY }],
    [
      "of old points",
      { first_timestamp: 0, last_timestamp: 50 * DAY },
      { from: 20 * DAY + 1, to: 50 * DAY + 1 },
    ],
    ["of no points", { first_timestamp: null, last_timestamp: null }, { from: now - 30 * DAY }],
    ["of one old point", { first_timestamp: 7, last_timestamp: 7 }, { from: 7, to: 8 }],
  ])("%s", (_, extent, range) => expect(lookRange(extent, now)).toEqual(range));

  test("of short intervals is shorter", () =>
    expect(lookRange({}, now, 10)).toEqual({ from: now - 199_000 }));
});

test("tags with any character survive the address", () => {
  const tags = [
    { tag: "a=b", value: "1;2" },
    { tag: "100%", value: "" },
  ];
  expect(parseTags(formatTags(tags))).toEqual(tags);
  expect(parseTags(undefined)).toEqual([]);
});
