// Trainings of fleets over a local bucket, with a model kind of known answers; and the model that answers for a series.
import { beforeEach, expect, test } from "bun:test";
import type { Bucket } from "../../../../src/buckets/kind.ts";
import { local } from "../../../../src/buckets/local/index.ts";
import { TorusError } from "../../../../src/core/errors.ts";
import type { JobProgress, ReportProgress } from "../../../../src/core/job.ts";
import type { Feature } from "../../../../src/core/model/feature.ts";
import type { ModelSettings } from "../../../../src/core/model/model.ts";
import type { Point } from "../../../../src/core/series/query.ts";
import {
  listSeries,
  openHistories,
  type ReadHistory,
} from "../../../../src/jobs/handlers/fleet/histories.ts";
import { loadTrained } from "../../../../src/jobs/handlers/fleet/load-trained.ts";
import { trainFleet } from "../../../../src/jobs/handlers/fleet/train.ts";
import type { HandlerDeps } from "../../../../src/jobs/queue/handler.ts";
import type {
  Compute,
  FleetKind,
  FleetTrainInput,
  ModelKind,
  TrainInput,
} from "../../../../src/models/kind.ts";
import { readFeatures } from "../../../../src/points/features.ts";
import { mapConcurrently } from "../../../../src/runtime/concurrent.ts";
import { changeEpisodes } from "../../../../src/store/anomalies/episodes.ts";
import { write } from "../../../../src/store/db/transaction.ts";
import { claimJob, submitJobs } from "../../../../src/store/jobs/jobs.ts";
import { createModel } from "../../../../src/store/models.ts";
import { finishTraining } from "../../../../src/store/versions.ts";
import { useStore } from "../../../store/temporary.ts";
import { aModel } from "../../../support/builders.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const MINUTE = 60_000;
const LENGTH = 100;
const NOW = LENGTH * MINUTE;
const { signal } = new AbortController();

const store = useStore();
let bucket: Bucket;
let trained: FleetTrainInput | undefined;
let fitted: Omit<TrainInput, "overrides">[];

const feature: Feature = { name: "load", metric: "avg", field: "v" };
const settings = (over: Partial<ModelSettings> = {}) =>
  aModel({ default_bucket: "b", features: [feature], group_by: ["host"], ...over });

/** One point per minute from the first to the last one, whose value is the minute. */
function pointsOf(tags: Point["tags"], from = 0, to = LENGTH): Point[] {
  return Array.from({ length: to - from }, (_, i) => ({
    at: (from + i) * MINUTE,
    fields: { v: from + i },
    tags,
  }));
}

const fleet: FleetKind = {
  firstPoints: 30,
  trainedSeries: 2,
  train: async (input, { onProgress }) => {
    trained = input;
    onProgress({ eval: 1, max_evals: 2, fraction: 0.5 });
    return { weights: new Float32Array([7]), parameters: { shared: true }, summary: { loss: 1 } };
  },
  fit: async (_, input) => {
    if (input.grid.length < 30)
      throw new TorusError("too_little_data", "too little", { found: 1, needed: 30 });
    fitted.push(input);
    return { parameters: { first: input.grid.columns.load![0] } };
  },
  modelOf: ({ weights, summary }, parameters) => ({ weights, parameters, summary }),
  dropRemembered: (parameters) => parameters,
  checkSeries: () => {},
};

const kind = { fleet } as ModelKind;
const compute: Compute = { trainingLanes: 2, run: () => Promise.reject(new Error("nothing to compute")) };
const deps = () =>
  ({
    store,
    clock: { now: () => NOW },
    kind,
    compute,
    openBucket: async () => bucket,
  }) as unknown as HandlerDeps;

const train = (over: Partial<ModelSettings> = {}, onProgress: ReportProgress = () => {}) =>
  trainFleet(
    deps(),
    { model: "m", settings: settings(over), bucket: "b", range: { fromAt: 0, toAt: NOW }, overrides: {} },
    { signal, onProgress },
  );

beforeEach(async () => {
  trained = undefined;
  fitted = [];
  bucket = local.open("b", {}, { dataDir: temporaryFolder() });
  const hosts = ["a", "b", "c", "d"].flatMap((host) => pointsOf({ host }));
  await bucket.write!([...hosts, ...pointsOf({ host: "young" }, 90), ...pointsOf({}, 20)], {}, signal);
  await createModel(store, { name: "m", settings: settings() }, 0);
});

test("each phase reports how many series it is done with, and its share of the whole", async () => {
  const reports: JobProgress[] = [];
  const { series } = await train({}, (progress) => reports.push(progress));
  const shares = reports.map(({ fraction }) => fraction!);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  const shown = reports.map(({ fraction: _, ...report }) => report);
  const found = series.length + 1;
  expect(shown).toEqual([
    ...[0, 1].map((done) => ({ phase: "read", series: done, max_series: 2 })),
    { eval: 1, max_evals: 2 },
    ...Array.from({ length: found + 1 }, (_, done) => ({ phase: "fit", series: done, max_series: found })),
  ] as JobProgress[]);
});

test("networks are trained on a sample drawn evenly, all series with enough points are fitted", async () => {
  const { series, summary } = await train();
  expect(trained!.series.map((grid) => grid.length)).toEqual([80, 10]);
  expect(series.map(({ key, tags, points }) => [key, tags, points])).toEqual([
    ['[""]', { host: "" }, 80],
    ['["a"]', { host: "a" }, 100],
    ['["b"]', { host: "b" }, 100],
    ['["c"]', { host: "c" }, 100],
    ['["d"]', { host: "d" }, 100],
  ]);
  expect(summary).toMatchObject({ series_fitted: 5, series_left: 1, points: 100 });
});

test("beyond max_series nothing is read, and the summary says so", async () => {
  const { series, summary } = await train({ max_series: 2 });
  expect(series.map(({ tags }) => tags.host)).toEqual(["", "a"]);
  expect(summary).toMatchObject({ series_fitted: 2, series_truncated: true });
});

test("a fleet without points in the range is refused", async () => {
  expect(train({ features: [{ ...feature, field: "other" }] })).rejects.toMatchObject({ code: "no_data" });
});

test("a tag that no point has is refused by its name, one that some lack is not", async () => {
  await expect(train({ group_by: ["host", "hots"] })).rejects.toMatchObject({
    code: "no_data",
    message: "no point in the range has the tag hots of group_by: check its name",
  });
  const { series } = await train({ max_series: 1 });
  expect(series.map(({ tags }) => tags)).toEqual([{ host: "" }]);
});

const source = {
  features: [feature],
  bucket: "b",
  range: { fromAt: 0, toAt: NOW },
  intervalMs: MINUTE,
  groupBy: ["host"],
  maxSeries: 10,
};
const valuesOf = async (read: ReadHistory, tags: Point["tags"]) =>
  Array.from((await read(tags)).columns.load!);

test("histories are the same from one read of all, and from one read of each", async () => {
  const open = async () => bucket;
  const series = ["", "a", "young"].map((host) => ({ host }));
  const whole = openHistories(open, source, { series, signal })(series);
  const each = openHistories(open, source, { series, signal, maxValues: 1 })(series);
  for (const tags of series) expect(await valuesOf(each, tags)).toEqual(await valuesOf(whole, tags));
  expect((await whole({ host: "young" })).columns.load!.filter(Number.isFinite).length).toBe(10);
  expect((await whole({ host: "gone" })).columns.load!.every(Number.isNaN)).toBe(true);
});

test("series of a query, of which a read answers all, are read in batches that fit into memory", async () => {
  const hosts = ["", "a", "b", "c", "d", "young"];
  const series = hosts.map((host) => ({ host }));
  let reads = 0;
  const counting: Bucket = {
    ...bucket,
    readGrouped: (query, stopped) => {
      reads++;
      const features = query.features.map(({ query: _, ...rest }) => rest);
      return bucket.readGrouped!({ ...query, features }, stopped);
    },
  };
  const open = async () => counting;
  const ofQuery = { ...source, features: [{ ...feature, query: "anything" }] };
  const whole = openHistories(open, ofQuery, { series, signal })(series);
  const expected = await Promise.all(series.map((tags) => valuesOf(whole, tags)));
  expect(reads).toBe(1);
  const histories = openHistories(open, ofQuery, { series, signal, maxValues: 2 * LENGTH });
  const read = histories(series);
  const values = await mapConcurrently(series, 4, (tags) => valuesOf(read, tags));
  expect([reads, values]).toEqual([1 + 3, expected]);
  const some = [series[1]!, series[5]!];
  const readSome = histories(some);
  for (const tags of some)
    expect(await valuesOf(readSome, tags)).toEqual(expected[hosts.indexOf(tags.host)]!);
  expect(reads).toBe(1 + 3 + 1);
});

test("series are listed with the range that holds their points", async () => {
  const rest = { features: [feature], bucket: "b", intervalMs: MINUTE, groupBy: ["host"], maxSeries: 10 };
  const range = { fromAt: -50_000 * MINUTE, toAt: 3000 * MINUTE };
  const listed = await listSeries(async () => bucket, { ...rest, range }, signal);
  expect(listed.series.map(({ host }) => host)).toContain("young");
  expect(listed.range.fromAt).toBeWithin(-LENGTH * MINUTE, 1);
  expect(listed.range.toAt).toBeWithin(NOW, 2 * NOW);
  const nothing = { ...rest, range: { fromAt: -100 * MINUTE, toAt: 0 } };
  expect(await listSeries(async () => bucket, nothing, signal)).toMatchObject({
    series: [],
    range: nothing.range,
  });
});

test("an anomaly of a series is excluded from that series alone, one of the fleet from all", async () => {
  const part = { features: {}, peak: {}, severity: "warning", peakScore: 99, model: "m" } as const;
  await write(
    store,
    (tx) =>
      changeEpisodes(tx, [
        { change: "open", episode: { ...part, id: "1", startAt: 10 * MINUTE, series: { host: "a" } } },
        { change: "close", id: "1", endAt: 12 * MINUTE },
        { change: "open", episode: { ...part, id: "2", startAt: 50 * MINUTE } },
        { change: "close", id: "2", endAt: 51 * MINUTE },
      ]),
    { changes: [] },
  );
  await train();
  const startsOf = (first: number, i: number) =>
    fitted
      .filter(({ grid }) => grid.columns.load![0] === first)
      [i]!.excluded!.map(({ fromAt }) => fromAt / MINUTE)
      .sort();
  expect([startsOf(20, 0), startsOf(0, 0), startsOf(0, 1)]).toEqual([[50], [10, 50], [50]]);
});

test("the version answers for a series with its fit; one that is unknown has a way on", async () => {
  const version = await train();
  await submitJobs(store, [{ id: "j", type: "training", model: "m", input: {} }], { at: 1, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 1 });
  await finishTraining(store, { id: "j", owner: "me", at: 2 }, version);
  const load = (host?: string) =>
    loadTrained(
      { store, kind },
      { model: "m", version: "00", ...(host !== undefined && { series: { host } }) },
    );
  expect(await load("b")).toMatchObject({ parameters: { first: 0 }, weights: new Float32Array([7]) });
  expect(await load("")).toMatchObject({ parameters: { first: 20 } });
  expect(await load()).toMatchObject({ parameters: { shared: true } });
  expect(load("z")).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("host=z") });
});

test("a series of a feature that matches another tag is read with both", async () => {
  await bucket.write!(
    pointsOf({ host: "a", dc: "x" }).map((p) => ({ ...p, fields: { v: 1000 } })),
    {},
    signal,
  );
  const features = [{ ...feature, match_all: [{ tag: "dc", value: "x" }] }];
  const read = { features, bucket: "b", range: { fromAt: 0, toAt: NOW }, intervalMs: MINUTE };
  const grid = await readFeatures(async () => bucket, { ...read, series: { host: "a" } }, signal);
  expect(grid.columns.load![5]).toBe(1000);
});
