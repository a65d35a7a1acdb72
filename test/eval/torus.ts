// Server under evaluation: a process of its own, driven over REST, in a temporary folder.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, type Prediction, type Stat } from "../../src/cli/client/client.ts";
import { startServer } from "../support/server-process.ts";
import { WINDOW } from "./peers/index.ts";
import type { Series } from "./series.ts";

const POLL_MS = 100;
const FEATURE = "value";
const CHUNK = 10_000;
/** The server wants two windows of points to train on. */
const MIN_WINDOWS = 2;

export interface Torus {
  readonly client: Client;
  readonly version: string;
  /** A second stop is the first. */
  stop(): Promise<void>;
}

export interface TorusOptions {
  /** Trainings side by side. */
  readonly workers: number;
  /** Settings file of the server; absent: defaults. */
  readonly config?: string;
}

/** Starts a server on a free port. @throws Error with its output where it does not start */
export async function startTorus({ workers, config }: TorusOptions): Promise<Torus> {
  const dataDir = await mkdtemp(join(tmpdir(), "torus-eval-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const args = ["--workers", String(workers), ...(config === undefined ? [] : ["--config", config])];
    const server = await startServer({ dataDir, args });
    const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
    const { version } = await client.call<{ version: string }>("GET /");
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= server.stop().then(remove);
      return stopping;
    };
    return { client, version, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Puts the rows of a series into a bucket of its own. @returns the name of the bucket */
export async function loadSeries({ client }: Torus, series: Series): Promise<string> {
  const bucket = nameOf(series);
  await client.putBucket({ name: bucket, type: "local" });
  for (let from = 0; from < series.rows.length; from += CHUNK) {
    const rows = series.rows.slice(from, from + CHUNK);
    const points = rows.map(({ timestamp, value }) => ({ timestamp, [FEATURE]: value }));
    await client.waitForJob(await client.write(bucket, points));
  }
  return bucket;
}

export interface Training {
  readonly bucket: string;
  /** What the model is for: part of its name. */
  readonly purpose: string;
  readonly seed: number;
  /** Seconds. */
  readonly step: number;
  /** Seconds since the epoch; `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Intervals of the range that hold something. */
  readonly points: number;
}

export interface Trained {
  readonly model: string;
  readonly step: number;
  readonly seconds: number;
}

/** Creates and trains a model by the protocol: window 120 where the range allows it, one trial, defaults otherwise. */
export async function train({ client }: Torus, training: Training): Promise<Trained> {
  const { bucket, purpose, seed, step, from, to, points } = training;
  const model = `${bucket}-${purpose}-${seed}`;
  const fits = points >= MIN_WINDOWS * WINDOW;
  await client.createModel({
    name: model,
    type: "donut",
    default_bucket: bucket,
    bucket_interval: step,
    span: fits ? WINDOW : "auto",
    max_evals: 1,
    features: [{ name: FEATURE, metric: "avg", field: FEATURE }],
  });
  const job = await client.waitForJob(await client.train(model, { from, to, seed }));
  return { model, step, seconds: job.duration };
}

interface ScoredStat extends Stat {
  readonly nll: number | null;
  readonly range_score: number;
}

/** One entry per interval. */
export interface Evaluation {
  /** 0..100; 0 where nothing was observed. */
  readonly score: Float64Array;
  /** -infinity where nothing was observed. */
  readonly nll: Float64Array;
  /** 0..100: power mean of the last scores. */
  readonly rangeScore: Float64Array;
  /** 1 = part of an episode, by the model's own thresholds. */
  readonly flags: Uint8Array;
  readonly seconds: number;
}

/** Scores a range (seconds since the epoch, aligned, `to` exclusive). @throws Error where the answer is not whole */
export async function evaluate(
  { client }: Torus,
  { model, step }: Trained,
  { from, to, mode = "causal" }: { from: number; to: number; mode?: "causal" | "batch" },
): Promise<Evaluation> {
  const startedAt = performance.now();
  const answer = await client.evaluate(model, { from, to, detect_anomalies: true, mode });
  const seconds = (performance.now() - startedAt) / 1000;
  expectWhole(answer, { from, length: Math.round((to - from) / step), model });
  const stats = (answer.stats ?? []) as readonly ScoredStat[];
  return {
    score: Float64Array.from(stats, ({ score }) => score),
    nll: Float64Array.from(stats, ({ nll }) => nll ?? Number.NEGATIVE_INFINITY),
    rangeScore: Float64Array.from(stats, ({ range_score }) => range_score),
    flags: Uint8Array.from(stats, ({ anomaly }) => (anomaly ? 1 : 0)),
    seconds,
  };
}

export interface Predicted {
  readonly values: readonly number[];
  /** Edges of the bands, by the share they should hold in percent. */
  readonly bands: Readonly<
    Record<string, { readonly lower: readonly number[]; readonly upper: readonly number[] }>
  >;
}

/** Forecasts a range (seconds since the epoch, aligned, `to` exclusive). @throws Error where the answer is not whole */
export async function forecast(
  { client }: Torus,
  { model, step }: Trained,
  { from, to }: { from: number; to: number },
): Promise<Predicted> {
  type Answer = Prediction & { readonly levels: Readonly<Record<string, Prediction["predicted"]>> };
  const answer = (await client.forecast(model, { from, to, level: "68;90;95" })) as Answer;
  expectWhole(answer, { from, length: Math.round((to - from) / step), model });
  const bands = Object.entries(answer.levels).map(([level, edges]) => [
    level,
    { lower: edges[`lower_${FEATURE}`]!, upper: edges[`upper_${FEATURE}`]! },
  ]);
  return { values: answer.predicted[FEATURE]!, bands: Object.fromEntries(bands) };
}

function expectWhole(
  { timestamps }: Prediction,
  { from, length, model }: { from: number; length: number; model: string },
): void {
  if (timestamps.length !== length || timestamps[0] !== from)
    throw new Error(
      `${model}: asked for ${length} intervals from ${from}, got ${timestamps.length} from ${timestamps[0]}`,
    );
}

/** The server's names hold no slash, dot or the like. */
function nameOf({ name }: Series): string {
  return name.replace(/[^a-zA-Z0-9_@-]/g, "-");
}
