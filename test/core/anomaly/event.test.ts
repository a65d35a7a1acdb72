// Anomaly events: sources, factors and rarity of their features.
import { expect, test } from "bun:test";
import {
  factorOf,
  rarityOf,
  sourcesOf,
  subjectOf,
  tagsOf,
  tagsOfEvent,
} from "../../../src/core/anomaly/event.ts";
import { makeTestEvents } from "../../../src/core/anomaly/test-event.ts";
import { low, makeStart, usage } from "../../hooks/events.ts";

test("the factor counts half-widths of the band on the side of the value", () => {
  const band = { predicted: 10, lower: 8, upper: 14 };
  expect(factorOf({ ...band, observed: 4 })).toBe(3);
  expect(factorOf({ ...band, observed: 22 })).toBe(3);
  expect(factorOf({ ...band, observed: 10 })).toBe(0);
  expect(factorOf({ ...band, observed: null })).toBeUndefined();
  expect(factorOf({ observed: 11, predicted: 10, lower: 10, upper: 10 })).toBeUndefined();
});

const feature = { name: "user", metric: "avg", field: "usage_user", measurement: "cpu" };

test("sources hold tags and bucket; a query has neither metric nor field", () => {
  const match_all = [
    { tag: "host", value: "web-1" },
    { tag: "core", value: 3 },
  ];
  const query = { unit: "%", name: "q", metric: "avg", field: "x", query: "up", bucket: "prom" };
  expect(sourcesOf({ default_bucket: "b", features: [{ ...feature, match_all }, query] })).toEqual({
    user: {
      metric: "avg",
      field: "usage_user",
      measurement: "cpu",
      bucket: "b",
      tags: { host: "web-1", core: "3" },
    },
    q: { bucket: "prom", unit: "%" },
  });
});

test("tags of several features are joined, each value once", () => {
  const other = { ...usage, tags: { host: "web-2", cpu: "total" } };
  expect(tagsOf({ a: usage, b: other, c: low })).toEqual({ host: "web-1, web-2", cpu: "total" });
});

test("the rarity of an event is that of its rarest feature", () => {
  expect(rarityOf({ a: usage, b: { ...usage, rarity: 9 }, c: low })).toBe(9);
  expect(rarityOf({ c: low })).toBeUndefined();
});

test("the events of a test have the model's own features, tags and bucket", () => {
  const match_all = [{ tag: "host", value: "web-1" }];
  const settings = { name: "m", default_bucket: "b", features: [{ ...feature, match_all }] };
  const [start, end] = makeTestEvents({ settings, episode: "e", at: 1_000_000 });
  expect(start).toMatchObject({ id: "e:start", model: "m", test: true });
  expect(start!.features.user).toMatchObject({ field: "usage_user", bucket: "b", tags: { host: "web-1" } });
  const ratio = { ...settings, features: [{ ...feature, unit: "ratio" }] };
  const [share] = makeTestEvents({ settings: ratio, episode: "e", at: 1_000_000 });
  expect(share!.features.user).toMatchObject({ unit: "ratio", observed: 0.934 });
  expect(end).toMatchObject({ id: "e:end", at: 1_000_000, durationMs: 720_000, test: true });
});

test("the tags of a series stand over those of the features", () => {
  const event = makeStart({ features: { usage }, series: { host: "web-7", core: "0" } });
  expect(tagsOfEvent(event)).toEqual({ cpu: "total", host: "web-7", core: "0" });
});

test("a subject names what there is", () => {
  expect(subjectOf({ series: null, scope: null, share: null })).toEqual({});
  expect(subjectOf({ series: { host: "a" }, scope: null, share: null })).toEqual({ series: { host: "a" } });
  expect(subjectOf({ series: null, scope: "fleet", share: 0 })).toEqual({ scope: "fleet", share: 0 });
});
