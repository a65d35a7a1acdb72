// SQL of episodes: open, peak, close; lists newest first, by model, range and page.
import { expect, test } from "bun:test";
import type { FeatureReport } from "../../../src/core/anomaly/event.ts";
import {
  changeEpisodes,
  closeOpenEpisodes,
  type EpisodeChange,
  type EpisodeQuery,
  listEpisodes,
  listOwnEpisodes,
  saveFeedback,
} from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { codeOf, useStore } from "../temporary.ts";

const store = useStore();

const report: FeatureReport = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };
const open = (id: string, startAt: number, model = "m"): EpisodeChange => ({
  change: "open",
  episode: {
    id,
    model,
    startAt,
    peakScore: 80,
    features: { f: report },
    peak: { f: report },
    severity: "info",
  },
});
const apply = (...changes: EpisodeChange[]) => write(store, (tx) => changeEpisodes(tx, changes));
const idsOf = async (query: EpisodeQuery = {}) => (await listEpisodes(store, query)).map(({ id }) => id);

test("an episode keeps what it was at its start and at its peak", async () => {
  await apply(open("a", 100));
  const peak = { f: { ...report, score: 95, observed: 20 } };
  await apply({ change: "peak", id: "a", peakScore: 95, peak, severity: "warning" });
  expect(await listEpisodes(store, {})).toEqual([
    {
      id: "a",
      model: "m",
      startAt: 100,
      endAt: null,
      peakScore: 95,
      features: { f: report },
      peak,
      severity: "warning",
      confidence: null,
      closedBy: null,
      origin: "live",
      series: null,
      scope: null,
      share: null,
      feedback: null,
    },
  ]);
});

test("severity changes without a peak", async () => {
  await apply(open("a", 100), { change: "severity", id: "a", severity: "critical" });
  expect(await listEpisodes(store, {})).toMatchObject([{ severity: "critical", peakScore: 80 }]);
});

test("one that has ended stays as it is", async () => {
  await apply(open("a", 100), { change: "close", id: "a", endAt: 200 });
  await apply(
    { change: "peak", id: "a", peakScore: 99, peak: {}, severity: "critical" },
    { change: "severity", id: "a", severity: "critical" },
    { change: "close", id: "a", endAt: 300 },
  );
  expect(await listEpisodes(store, {})).toMatchObject([{ endAt: 200, peakScore: 80, severity: "info" }]);
  expect(await write(store, (tx) => closeOpenEpisodes(tx, "m", { at: 400, closedBy: "stopped" }))).toEqual(
    [],
  );
});

test("closes open episodes of one model with the reason", async () => {
  await apply(open("a", 100), open("b", 100, "k"));
  const closed = await write(store, (tx) => closeOpenEpisodes(tx, "m", { at: 400, closedBy: "stopped" }));
  expect(closed).toMatchObject([{ id: "a", endAt: 400, closedBy: "stopped" }]);
  expect(await listEpisodes(store, { model: "k" })).toMatchObject([{ endAt: null, closedBy: null }]);
});

test("lists are newest first, by model, range and page", async () => {
  for (const [i, id] of ["a", "b", "c", "d"].entries())
    await apply(open(id, 100 * (i + 1)), { change: "close", id, endAt: 100 * (i + 1) + 50 });
  await apply(open("k", 250, "k"), open("e", 500));
  expect(await idsOf()).toEqual(["e", "d", "c", "k", "b", "a"]);
  expect(await idsOf({ model: "m" })).toEqual(["e", "d", "c", "b", "a"]);
  expect(await idsOf({ model: "m", fromAt: 250 })).toEqual(["e", "d", "c"]);
  expect(await idsOf({ model: "m", fromAt: 240, toAt: 400 })).toEqual(["c", "b"]);
  expect(await idsOf({ toAt: 260 })).toEqual(["k", "b", "a"]);
  expect(await idsOf({ page: { from: 1, to: 3 } })).toEqual(["d", "c"]);
  expect(await idsOf({ page: { from: 50, to: 100 } })).toEqual([]);
});

test("what people say replaces what they said before, also of one that lasts", async () => {
  await apply(open("a", 100));
  await saveFeedback(store, { model: "m", id: "a" }, { anomaly: true, note: "disk full", at: 500 });
  expect(await listEpisodes(store, {})).toMatchObject([
    { feedback: { anomaly: true, note: "disk full", at: 500 } },
  ]);
  await saveFeedback(store, { model: "m", id: "a" }, { anomaly: false, at: 600 });
  await apply({ change: "close", id: "a", endAt: 700 });
  expect((await listEpisodes(store, {}))[0]!.feedback).toEqual({ anomaly: false, at: 600 });
});

test.each([
  ["an unknown one", { model: "m", id: "x" }],
  ["one of another model", { model: "k", id: "a" }],
])("of %s nothing can be said", async (_, place) => {
  await apply(open("a", 100));
  expect(await codeOf(saveFeedback(store, place, { anomaly: true, at: 1 }))).toBe("not_found");
  expect(await listEpisodes(store, {})).toMatchObject([{ feedback: null }]);
});

test("a model's own: those of a range, oldest first, none from before there was the model", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 200);
  for (const [i, id] of ["a", "b", "c", "d"].entries())
    await apply(open(id, 100 * (i + 1)), { change: "close", id, endAt: 100 * (i + 1) + 50 });
  await apply(open("k", 250, "k"), open("e", 500));
  const own = async (range: { leadMs: number; fromAt: number; toAt: number }, model = "m") =>
    (await listOwnEpisodes(store, { model, ...range })).map(({ id }) => id);
  expect(await own({ leadMs: 0, fromAt: 0, toAt: 1000 })).toEqual(["b", "c", "d", "e"]);
  expect(await own({ leadMs: 100, fromAt: 0, toAt: 1000 })).toEqual(["a", "b", "c", "d", "e"]);
  expect(await own({ leadMs: 0, fromAt: 300, toAt: 400 })).toEqual(["c"]);
  expect(await own({ leadMs: 0, fromAt: 0, toAt: 1000 }, "k")).toEqual([]);
});

const ofSeries = (id: string, startAt: number, series: Readonly<Record<string, string>>): EpisodeChange => {
  const change = open(id, startAt) as Extract<EpisodeChange, { change: "open" }>;
  return { ...change, episode: { ...change.episode, series } };
};

test("episodes of series are found by their tags, whatever is in these", async () => {
  const odd = { 'a"b.$': 'x"[1]', host: "b" };
  await apply(open("m", 100), ofSeries("a", 90, { host: "a", cpu: "0" }), ofSeries("b", 80, odd));
  expect(await idsOf({ series: { host: "a" } })).toEqual(["a"]);
  expect(await idsOf({ series: { host: "a", cpu: "1" } })).toEqual([]);
  expect(await idsOf({ series: odd })).toEqual(["b"]);
  expect((await listEpisodes(store, {})).map(({ series }) => series)).toEqual([
    null,
    { host: "a", cpu: "0" },
    odd,
  ]);
});

test("an episode of many series has a scope and their share", async () => {
  const change = open("f", 100) as Extract<EpisodeChange, { change: "open" }>;
  await apply({ ...change, episode: { ...change.episode, scope: "fleet", share: 0.6 } });
  expect(await listEpisodes(store, {})).toMatchObject([{ series: null, scope: "fleet", share: 0.6 }]);
});

test("a training of one series takes its episodes alone", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await apply(ofSeries("a", 90, { host: "a" }), ofSeries("b", 80, { host: "b" }));
  const own = await listOwnEpisodes(store, {
    model: "m",
    leadMs: 0,
    fromAt: 0,
    toAt: 200,
    series: { host: "b" },
  });
  expect(own.map(({ id }) => id)).toEqual(["b"]);
});
