// Live detection over a real store: a clock that can be set, faulty buckets, a model kind that scores what it reads.
import type { Bucket } from "../../src/buckets/kind.ts";
import { TorusError } from "../../src/core/errors.ts";
import { seriesKeyOf } from "../../src/core/model/fleet.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { emptyGrid, type Grid, sliceGrid } from "../../src/core/series/grid.ts";
import type { GroupedGrid, SeriesGrid } from "../../src/core/series/grouped-grid.ts";
import type { GroupedQuery, ReadQuery } from "../../src/core/series/query.ts";
import { LiveLoop } from "../../src/live/loop.ts";
import { Output } from "../../src/live/output.ts";
import type { EvaluationReport } from "../../src/live/slot.ts";
import { freshState } from "../../src/live/state.ts";
import { VersionCache } from "../../src/live/versions.ts";
import type { Compute, EvaluateInput, Evaluation, ModelKind, TrainedModel } from "../../src/models/kind.ts";
import { fillDefault } from "../../src/models/series.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { listEpisodes } from "../../src/store/anomalies/episodes.ts";
import { listEvaluations } from "../../src/store/anomalies/evaluations.ts";
import type { NewSeriesFit } from "../../src/store/fleets/fit-sets.ts";
import { claimJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { type Ending, type LiveOptions, loadLive, startLive, stopLive } from "../../src/store/live.ts";
import { createModel, patchModels } from "../../src/store/models.ts";
import { finishTraining } from "../../src/store/versions.ts";
import { createActivityLog } from "../../src/telemetry/activity-log.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { drain, FakeClock } from "../jobs/fakes.ts";
import { openTemporary, recordEvents } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { perTest } from "../support/per-test.ts";

export const MINUTE = 60_000;
const STEP_MS = 5000;
/** Thu 1 January 2026, 12:00 UTC: a whole minute. */
export const NOON = Date.UTC(2026, 0, 1, 12);

/** A clock that can be set while timers go on. */
export class SetClock implements Clock {
  readonly #steady = new FakeClock(0);
  /** Late in the minute: a model at a minute has evaluated the window that ends with it, wherever its phase lies. */
  #skewMs = NOON + 59_000;

  now(): number {
    return this.#steady.now() + this.#skewMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    return this.#steady.setTimer(callback, delayMs);
  }

  /** Time goes by. */
  pass(ms: number): void {
    this.#steady.advance(ms);
  }

  /** The clock is set; no time goes by. */
  step(ms: number): void {
    this.#skewMs += ms;
  }

  get pending(): number {
    return this.#steady.pending;
  }
}

export type Behaviour =
  | "well"
  | "refuse"
  | "hang"
  | "deaf"
  | "error"
  | "partial"
  | "garbage"
  | "bug"
  | "empty"
  | "not a number";

/** Answers what the test put into `values`, 10 where it did not. */
export class FaultyBucket implements Bucket {
  behaviour: Behaviour = "well";
  /** By start of the interval; absent = 10, NaN = nothing there. */
  readonly values = new Map<number, number>();
  /** By value of the tag `host`, for grouped reads: values by start of the interval, absent = 10, NaN = nothing there. */
  readonly hosts = new Map<string, Map<number, number>>();
  readonly written: { at: number; fields: object; tags: object }[] = [];
  reads = 0;
  /** Reads under way now, and most of them ever. */
  busy = 0;
  busiest = 0;
  #gate: Promise<void> | undefined;

  /** Makes reads wait. @returns what lets them go on */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return () => {
      this.#gate = undefined;
      resolve();
    };
  }

  read(query: ReadQuery, signal: AbortSignal): Promise<Grid> {
    return this.#readOf(this.values, query, signal);
  }

  async #readOf(
    values: ReadonlyMap<number, number>,
    { range, intervalMs, features }: ReadQuery,
    signal: AbortSignal,
  ): Promise<Grid> {
    this.reads++;
    this.busy++;
    this.busiest = Math.max(this.busiest, this.busy);
    try {
      await this.#gate;
      await this.#misbehave(signal);
    } finally {
      this.busy--;
    }
    const grid = emptyGrid(
      range,
      intervalMs,
      features.map(({ name }) => name),
    );
    if (this.behaviour === "empty") return grid;
    for (const column of Object.values(grid.columns))
      for (let i = 0; i < column.length; i++)
        column[i] = this.#valueAt(values, range.fromAt + i * intervalMs);
    return this.behaviour === "garbage" ? sliceGrid(grid, 1, grid.length) : grid;
  }

  async readGrouped(query: GroupedQuery, signal: AbortSignal): Promise<GroupedGrid> {
    const wanted = query.features[0]!.tags.find(({ tag }) => tag === "host")?.value;
    const series: SeriesGrid[] = [];
    for (const [host, values] of [...this.hosts].sort()) {
      if (wanted !== undefined && wanted !== host) continue;
      const grid = await this.#readOf(values, query, signal);
      const isSeen = Object.values(grid.columns).some((column) =>
        column.some((value) => !Number.isNaN(value)),
      );
      if (isSeen) series.push({ tags: { host }, grid });
    }
    return { series: series.slice(0, query.maxSeries), truncated: series.length > query.maxSeries };
  }

  async write(points: Parameters<NonNullable<Bucket["write"]>>[0], _options: object, signal: AbortSignal) {
    await this.#misbehave(signal);
    this.written.push(...points);
  }

  close(): void {}

  #valueAt(values: ReadonlyMap<number, number>, at: number): number {
    return this.behaviour === "not a number" ? Number.POSITIVE_INFINITY : (values.get(at) ?? 10);
  }

  async #misbehave(signal: AbortSignal): Promise<void> {
    const say = (text: string) => new TorusError("bucket_unavailable", text);
    if (this.behaviour === "refuse") throw say("connection refused");
    if (this.behaviour === "error") throw new TorusError("bucket_rejected", "answered 500");
    if (this.behaviour === "partial") throw say("the answer is partial");
    if (this.behaviour === "bug") throw new TypeError("undefined is not a function");
    if (this.behaviour === "deaf") await new Promise(() => {});
    if (this.behaviour === "hang")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(say("given up"))));
  }
}

/** Score = what was observed; what is above 90 is rejected. */
export const fakeKind: Pick<ModelKind, "historyOf" | "evaluate" | "fleet"> = {
  fleet: {
    firstPoints: 30,
    trainedSeries: 500,
    train: () => Promise.reject(new Error("nothing to train")),
    fit: async () => ({ parameters: {} }),
    modelOf: (shared) => shared,
    dropRemembered: (parameters) => parameters,
    checkSeries: () => {},
  },
  historyOf: () => 2,
  async evaluate(
    _model: TrainedModel,
    { settings, grid: whole, rejected = {} }: EvaluateInput,
  ): Promise<Evaluation> {
    const grid = sliceGrid(whole, 2, whole.length);
    const columns = settings.features.map(({ name, default: fallback }) => {
      return [name, fillDefault(grid.columns[name]!, fallback)] as const;
    });
    const fill = (value: number) =>
      Object.fromEntries(columns.map(([name]) => [name, new Float64Array(grid.length).fill(value)]));
    const scores = Array.from({ length: grid.length }, (_, i) => {
      const seen = columns
        .map(([name, column]) => [name, column[i]!] as const)
        .filter(([, v]) => !Number.isNaN(v));
      const features = Object.fromEntries(
        seen.map(([name, score]) => [name, { type: "high" as const, score }]),
      );
      const score = seen.length > 0 ? Math.max(...seen.map(([, value]) => value)) : undefined;
      return { score, features, mse: null, nll: null };
    });
    const odd = columns.map(([name, column]) => {
      const now = [...column.entries()]
        .filter(([, v]) => v > 90)
        .map(([i]) => grid.startAt + i * grid.intervalMs);
      const before = (rejected[name] ?? []).filter((at) => at >= whole.startAt && at < grid.startAt);
      return [name, [...before, ...now]] as const;
    });
    return {
      grid,
      predicted: fill(10),
      lower: fill(9),
      upper: fill(11),
      scores,
      rejected: Object.fromEntries(odd),
    };
  },
};

const compute: Compute = { trainingLanes: 1, run: () => Promise.reject(new Error("nothing to compute")) };

export function makeLiveWorld() {
  const store = openTemporary();
  const clock = new SetClock();
  const buckets = new Map<string, FaultyBucket>([["b", new FaultyBucket()]]);
  /** What was logged, by message; other fields as they are. */
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => {
    const { level, time: _, ...rest } = JSON.parse(line);
    lines.push({ level, ...rest });
  };
  const activity = createActivityLog(createLog({ level: "info", write, now: () => 0 }));
  const queuedEvents = recordEvents(store);
  const errors: unknown[] = [];
  /** Trainings that the loop requested: model, and the start of the range. */
  const requests: [model: string, fromAt: number][] = [];
  const refusals: TorusError[] = [];
  const train = async (model: string, fromAt: number) => {
    requests.push([model, fromAt]);
    const refusal = refusals.shift();
    if (refusal) throw refusal;
  };
  let ids = 0;
  let refused = 0;
  let missed = 0;
  const newId = () => `e${++ids}`;
  const openBucket = async (name: string) => {
    const bucket = buckets.get(name);
    if (!bucket) throw new TorusError("not_found", `bucket ${name} does not exist`);
    return bucket;
  };
  const ending: Ending = { reason: "stopped", describe: () => undefined };
  const onError = (error: unknown) => void errors.push(error);

  const kind = { ...fakeKind };

  function makeLoop(): { loop: LiveLoop; output: Output } {
    const output = new Output({ store, clock, openBucket, onError });
    const versions = new VersionCache(store);
    const { onEpisode, onBucketChange } = activity;
    const callbacks = {
      onEvents: () => {},
      onRefused: () => void refused++,
      onEvaluation: (report: EvaluationReport) => {
        missed += report.missed;
      },
      onEpisode,
      onBucketChange,
      keepsScores: () => world.history.isOn,
    };
    const shared = {
      ...{ store, clock, openBucket, compute, versions, output, newId, onError, train },
      kind: kind as ModelKind,
    };
    const deps = { ...shared, ...callbacks, deadlineMs: 30_000 };
    return { loop: new LiveLoop(deps), output };
  }

  let { loop, output } = makeLoop();
  const world = {
    store,
    clock,
    buckets,
    bucket: buckets.get("b")!,
    /** The model kind: `fakeKind`, unless a test replaces a part. */
    kind,
    /** Events in the outbox, in order. */
    get events() {
      return queuedEvents();
    },
    errors,
    /** Evaluations that were refused. */
    get refused() {
      return refused;
    },
    /** Windows that evaluations reported as missed. */
    get missed() {
      return missed;
    },
    requests,
    history: { isOn: true },
    /** Answers of the next requests for a training. */
    refusals,
    lines,
    get output() {
      return output;
    },
    async makeModel(name: string, over: Partial<ModelSettings> = {}): Promise<void> {
      await world.train(name, await world.makeUntrained(name, over));
    },
    /** A fleet with a series per host, each fitted; the bucket answers for all of them. */
    async makeFleet(
      name: string,
      hosts: readonly string[],
      over: Partial<ModelSettings> = {},
    ): Promise<void> {
      const settings = await world.makeUntrained(name, { group_by: ["host"], ...over });
      for (const host of hosts) world.addHost(host);
      const fits = hosts.map((host) => {
        return { key: seriesKeyOf(["host"], { host }), tags: { host }, points: 5000, parameters: {} };
      });
      await world.train(name, settings, { points: 5000 }, fits);
    },
    addHost: (host: string) => void world.bucket.hosts.set(host, new Map()),
    async makeUntrained(name: string, over: Partial<ModelSettings> = {}): Promise<ModelSettings> {
      const features = [{ name: "f", metric: "avg", field: "x" }];
      const settings = aModel({ name, max_threshold: 70, min_threshold: 50, features, ...over });
      await createModel(store, { name, settings }, clock.now());
      return settings;
    },
    /** A new version becomes the active one. */
    async train(
      model: string,
      settings: ModelSettings,
      summary: { points?: number } = {},
      series?: readonly NewSeriesFit[],
    ): Promise<void> {
      const id = crypto.randomUUID();
      await submitJobs(store, [{ id, type: "training", model, input: {} }], { at: 1, maxWaiting: 10_000 });
      await claimJob(store, ["training"], { owner: "me", at: 1 });
      const rest = { fromAt: 0, toAt: 1, summary, parameters: {}, weights: new Float32Array([1]) };
      await finishTraining(
        store,
        { id, owner: "me", at: clock.now() },
        { model, settings, ...rest, ...(series && { series }) },
      );
    },
    async patch(model: string, over: Partial<ModelSettings>): Promise<void> {
      const change = (settings: ModelSettings) => ({ ...settings, ...over });
      await patchModels(store, [model], { at: clock.now(), change });
      await loop.follow([model]);
    },
    async start(models: readonly string[], options: LiveOptions = { detect: true }): Promise<void> {
      const starts = models.map((model) => ({
        model,
        options,
        untrained: true,
        state: freshState(newId()),
      }));
      await startLive(store, starts, { at: clock.now(), ending });
      await loop.follow(models);
      await drain();
    },
    async stop(models: readonly string[]): Promise<void> {
      await stopLive(store, models, { at: clock.now(), ending, strict: true });
      await loop.follow(models);
    },
    follow: (models: readonly string[]) => loop.follow(models),
    /** Time goes by, in steps short enough for what is due to be done within its deadline. */
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= STEP_MS) {
        clock.pass(Math.min(left, STEP_MS));
        await drain();
      }
    },
    /** All memory is lost, the store is not. */
    async restart(): Promise<void> {
      await loop.stop();
      ({ loop, output } = makeLoop());
      await loop.start();
      await drain();
    },
    row: async (model = "m") => (await loadLive(store, model))!,
    evaluations: (model = "m") => listEvaluations(store, model),
    episodes: () => listEpisodes(store, {}),
    /** Events for hooks, in order: `start` or `end`. */
    notified: () => queuedEvents().map(({ kind }) => (kind === "anomaly_start" ? "start" : "end")),
    async close(): Promise<void> {
      await loop.stop();
      await store.remove();
      if (clock.pending > 0) throw new Error(`${clock.pending} timers left`);
    },
  };
  return Object.assign(world, { begin: () => loop.start() });
}

/** A live world for each test of a file. */
export function useLiveWorld(): ReturnType<typeof makeLiveWorld> {
  return perTest(makeLiveWorld, (world) => world.close());
}
