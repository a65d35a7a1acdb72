// Past anomalies: those live detection would have found, recorded once, with hooks only on request.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Grid } from "../../../src/core/series/grid.ts";
import type { PastInput } from "../../../src/jobs/queue/handler.ts";
import { recordPast } from "../../../src/live/episodes/past-anomalies.ts";
import type { Evaluation } from "../../../src/models/kind.ts";
import { listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import {
  changeEpisodes,
  listEpisodes,
  listOwnEpisodes,
  saveFeedback,
} from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { putHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { useStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const settings = aModel({
  max_threshold: 70,
  min_threshold: 50,
  features: [{ name: "load", metric: "avg", field: "x", match_all: [{ tag: "host", value: "a" }] }],
});
const signal = new AbortController().signal;

const store = useStore();
let announced: number;
beforeEach(async () => {
  announced = 0;
  await createModel(store, { name: "m", settings }, 5 * MINUTE);
});

/** Scores of minutes from `fromMinute` on. */
function past(
  scores: readonly number[],
  { fromMinute = 10, ...over }: Partial<PastInput> & { fromMinute?: number } = {},
) {
  const column = (value: number) => ({ load: new Float64Array(scores.length).fill(value) });
  const grid: Grid = { startAt: fromMinute * MINUTE, intervalMs: MINUTE, length: scores.length, columns: {} };
  const evaluation: Evaluation = {
    grid,
    predicted: column(10),
    lower: column(9),
    upper: column(11),
    scores: scores.map((score) => ({
      score,
      features: { load: { type: "high" as const, score } },
      mse: null,
      nll: null,
    })),
    rejected: {},
  };
  const observed = { ...grid, columns: { load: Float64Array.from(scores) } };
  return { model: "m", settings, evaluation, observed, origin: "evaluation" as const, hooks: false, ...over };
}

const deps = () => ({ store, clock: { now: () => NOW }, onEvents: () => announced++ });
const record = (input: PastInput) => recordPast(deps(), input, signal);
const rows = async () =>
  (await listEpisodes(store, {})).map(({ startAt, endAt, peakScore, origin, closedBy }) => [
    startAt / MINUTE,
    endAt! / MINUTE,
    peakScore,
    origin,
    closedBy,
  ]);

test("episodes are those of live detection; one that lasts to the end says so", async () => {
  expect(await record(past([10, 80, 95, 10, 10, 75, 80]))).toBe(2);
  expect(await rows()).toEqual([
    [15, 17, 80, "evaluation", "the evaluated range ended"],
    [11, 13, 95, "evaluation", null],
  ]);
  const [{ features, peak }] = (await listEpisodes(store, { minScore: 90 })) as [never];
  expect(features).toMatchObject({
    load: { observed: 80, predicted: 10, metric: "avg", tags: { host: "a" } },
  });
  expect(peak).toMatchObject({ load: { observed: 95 } });
});

describe("the same range again", () => {
  test("replaces what the first look kept, and keeps its ids", async () => {
    await record(past([10, 80, 10, 90, 10]));
    const before = await listEpisodes(store, {});
    await record(past([10, 80, 10, 10, 10], { origin: "backtest" }));
    const after = await listEpisodes(store, {});
    expect(after.map(({ id, origin }) => [id, origin])).toEqual([[before[1]!.id, "backtest"]]);
  });

  test("leaves alone what people have judged, and what live detection has found", async () => {
    await record(past([10, 80, 10, 90, 10, 85, 10]));
    const judged = (await listEpisodes(store, {}))[1]!;
    await saveFeedback(store, { model: "m", id: judged.id }, { anomaly: true, at: NOW });
    const live = {
      id: "live",
      model: "m",
      startAt: 15 * MINUTE,
      peakScore: 99,
      features: {},
      peak: {},
      severity: null,
    };
    await write(store, (tx) =>
      changeEpisodes(tx, [
        { change: "open", episode: live },
        { change: "close", id: "live", endAt: 16 * MINUTE },
      ]),
    );
    expect(await record(past([10, 80, 10, 90, 10, 85, 10]))).toBe(1);
    expect((await listEpisodes(store, {})).map(({ id }) => id)).toEqual([
      "live",
      judged.id,
      expect.any(String),
    ]);
  });

  test("of a part, only that part", async () => {
    await record(past([10, 80, 10, 90, 10]));
    await record(past([10, 10], { fromMinute: 10 }));
    expect((await rows()).map(([start]) => start)).toEqual([13]);
  });
});

describe("hooks", () => {
  const due = async () => (await listDue(store, { at: NOW, limit: 100, retries: false })).map(({ id }) => id);
  const next = async () =>
    (await listDue(store, { at: NOW, limit: 100, retries: false })).map(({ event }) => [
      event.kind,
      event.at / MINUTE,
    ]);

  beforeEach(() =>
    putHook(
      store,
      { model: "m", name: "ops" },
      { at: 1, change: () => ({ kind: "exec", receiver: "x", config: { path: "/x" } }) },
    ),
  );

  test("get the series of the anomaly", async () => {
    await record(past([10, 80, 10], { hooks: true, series: { host: "b" } }));
    const [start] = await listDue(store, { at: NOW, limit: 9, retries: false });
    expect(start!.event).toMatchObject({ kind: "anomaly_start", series: { host: "b" } });
  });

  test("are notified on request only", async () => {
    await record(past([10, 80, 10]));
    expect([await due(), announced]).toEqual([[], 0]);
  });

  test("get start and end of each, in order, and nothing again for the same range", async () => {
    await record(past([10, 80, 10], { hooks: true }));
    expect([await next(), announced]).toEqual([[["anomaly_start", 11]], 1]);
    const [first] = await due();
    await record(past([10, 80, 10], { hooks: true }));
    expect(await due()).toEqual([first!]);
  });
});

test("a training does not heed them until someone has judged them", async () => {
  await record(past([10, 80, 10]));
  const own = () => listOwnEpisodes(store, { model: "m", leadMs: 0, fromAt: 0, toAt: NOW });
  expect(await own()).toEqual([]);
  const { id } = (await listEpisodes(store, {}))[0]!;
  await saveFeedback(store, { model: "m", id }, { anomaly: true, at: NOW });
  expect(await own()).toHaveLength(1);
});

test("of very many the strongest are kept", async () => {
  const scores = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? 10 : 71 + (i % 29)));
  expect(await record(past(scores))).toBe(1000);
  const found = await listEpisodes(store, {});
  expect(Math.min(...found.map(({ peakScore }) => peakScore))).toBeGreaterThan(84);
});

test("nothing is recorded for a deleted model", async () => {
  await expect(record(past([10, 80, 10], { model: "gone" }))).rejects.toMatchObject({ code: "not_found" });
});

test("each series of a fleet has past anomalies of its own", async () => {
  const scores = [10, 80, 10];
  const of = (host: string) => record(past(scores, { series: { host } }));
  const hosts = async () => (await listEpisodes(store, {})).map(({ series }) => series?.host).sort();
  expect([await of("a"), await of("b"), await of("a")]).toEqual([1, 1, 1]);
  expect(await hosts()).toEqual(["a", "b"]);
  expect(await record(past(scores))).toBe(1);
  expect(await hosts()).toEqual(["a", "b", undefined]);
});
