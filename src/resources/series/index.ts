// Series of models for charts: folded columns, read within the request and never a job.
import type { ModelSeriesView } from "../../api/series.ts";
import { higherSeverity, severityOf } from "../../core/anomaly/severity.ts";
import { describeError, invalid, TorusError, throwIfAborted } from "../../core/errors.ts";
import { bucketOf } from "../../core/model/model.ts";
import { longestOffset } from "../../core/model/offset.ts";
import { foldCells, viewCells } from "../../core/series/cells.ts";
import { emptyGrid, type Grid } from "../../core/series/grid.ts";
import { readFeatures } from "../../points/features.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { type EpisodeRow, listOwnEpisodes } from "../../store/anomalies/episodes.ts";
import { loadModel, type ModelRow } from "../../store/models.ts";
import { loadVersion } from "../../store/versions.ts";
import type { Limits, Params } from "../shared/range.ts";
import { FleetSeries } from "./fleet.ts";
import {
  parseSeriesRequest,
  planSeries,
  type SeriesPlan,
  type SeriesRequest,
  seriesLimits,
} from "./request.ts";
import { type ScoreDeps, type ScoredSeries, ScoreReader } from "./scores.ts";

/** Reads of one bucket at a time, so that charts leave room for live detection. */
const READS_PER_BUCKET = 2;
/** Reads that may run or wait; beyond, requests are refused. */
const MAX_READS = 200;
const MAX_EPISODES = 1000;
const DEADLINE_MS = 60_000;

interface SeriesDeps extends ScoreDeps {
  readonly limits: Limits;
}

export class Series {
  readonly #limiter = new KeyedLimiter(READS_PER_BUCKET);
  readonly #scores: ScoreReader;
  /** Knows the series there are. */
  readonly #fleet: FleetSeries;
  #reads = 0;

  constructor(private readonly deps: SeriesDeps) {
    this.#scores = new ScoreReader(deps);
    this.#fleet = new FleetSeries(deps);
  }

  /**
   * Folded series by model, observed as the model reads them.
   * @param params `from` (required), `to`, `points`, `parts`, `pooled`, and for one name `fill`, `version` and `series`
   * @throws TorusError `not_found` (also of the version, and of a series that has nothing to show), `invalid`, `overloaded`, `deadline`, `canceled`, and for one name `bucket_*`
   */
  async read(
    names: readonly string[],
    params: Params,
    signal: AbortSignal,
  ): Promise<Record<string, ModelSeriesView>> {
    const distinct = [...new Set(names)];
    const { names: most } = seriesLimits;
    if (distinct.length > most) throw invalid("name", `must be at most ${most} names here`);
    const { store, clock, limits } = this.deps;
    const nowAt = clock.now();
    const rows: ModelRow[] = [];
    for (const name of distinct) rows.push(await loadModel(store, name));
    const request = parseSeriesRequest(params, nowAt);
    assertOne(request, rows.length);
    const chosen = await Promise.all(rows.map((row) => this.#withVersion(row, request.version)));
    const plans = planSeries(chosen, request, { nowAt, limits });
    const { parts } = request;
    if (parts.has("observed")) this.#assertRoom(plans.length);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const views = plans.map(async (plan) => {
      const observed = parts.has("observed") ? await this.#observe(plan, bounded, plans.length > 1) : {};
      const episodes = parts.has("episodes") ? { episodes: await this.#listEpisodes(plan) } : {};
      const scores = await this.#readScores(plan, request, bounded);
      const view = { ...viewPlan(plan), ...observed, ...scores, ...episodes };
      if (request.series !== undefined && isBlank(view)) await this.#fleet.get(plan.model, request.series);
      return [plan.model, view] as const;
    });
    return Object.fromEntries(await Promise.all(views));
  }

  /** The model as it would be with the version active. @throws TorusError `not_found` */
  async #withVersion(row: ModelRow, name: string | undefined): Promise<ModelRow> {
    if (name === undefined) return row;
    return { ...row, version: await loadVersion(this.deps.store, row.name, name) };
  }

  #assertRoom(reads: number): void {
    if (this.#reads + reads > MAX_READS)
      throw new TorusError("overloaded", `more than ${MAX_READS} series are being read; try again`);
  }

  /** @param isLenient answers problems of the data source in place of columns */
  async #observe(
    plan: SeriesPlan,
    signal: AbortSignal,
    isLenient: boolean,
  ): Promise<Partial<Pick<ModelSeriesView, "features" | "problem">>> {
    try {
      return { features: viewGrid(await this.#queueRead(plan, signal), plan) };
    } catch (error) {
      throwIfAborted(signal);
      if (!isLenient || !(error instanceof TorusError)) throw error;
      const { code, message } = describeError(error);
      return { problem: { code, error: message } };
    }
  }

  /** Reads when its buckets have room. */
  async #queueRead(plan: SeriesPlan, signal: AbortSignal): Promise<Grid> {
    this.#reads++;
    try {
      return await this.#limiter.run(plan.buckets.join(" "), () => this.#read(plan, signal), signal);
    } finally {
      this.#reads--;
    }
  }

  #read({ settings, cells, intervalMs, series }: SeriesPlan, signal: AbortSignal): Promise<Grid> {
    const { features } = settings;
    const { range } = cells;
    if (cells.count === 0) {
      const names = features.map(({ name }) => name);
      return Promise.resolve(emptyGrid(range, intervalMs, names));
    }
    const bucket = bucketOf(settings) ?? "";
    if (bucket === "" && features.some((feature) => !feature.bucket && !feature.budget))
      return Promise.reject(invalid("default_bucket", "is missing: set it to a bucket to read from"));
    return readFeatures(this.deps.openBucket, { features, bucket, range, intervalMs, series }, signal);
  }

  async #readScores(
    plan: SeriesPlan,
    { parts, fill }: SeriesRequest,
    signal: AbortSignal,
  ): Promise<Pick<ModelSeriesView, "expected" | "score" | "filled">> {
    if (!parts.has("expected") && !parts.has("score")) return {};
    const { filled, ...scored } = await this.#scores.read(plan, { fill, signal });
    return {
      ...(parts.has("expected") && { expected: viewExpected(scored, plan) }),
      ...(parts.has("score") && { score: viewScore(scored, plan) }),
      ...(filled && { filled: { from: filled.fromAt / 1000, to: filled.toAt / 1000 } }),
    };
  }

  async #listEpisodes({ model, series, settings, intervalMs, cells }: SeriesPlan) {
    const leadMs = longestOffset(settings) + intervalMs;
    const rows = await listOwnEpisodes(this.deps.store, {
      model,
      leadMs,
      ...cells.range,
      ...(series && { series }),
    });
    return rows.slice(-MAX_EPISODES).map(viewEpisode);
  }
}

/** @throws TorusError `invalid` */
function assertOne({ fill, version, series }: SeriesRequest, models: number): void {
  if (models === 1) return;
  const rule = "is for one model: ask for each by itself";
  if (fill) throw invalid("fill", rule);
  if (version !== undefined) throw invalid("version", rule);
  if (series !== undefined) throw invalid("series", rule);
}

/** Whether observed values were asked for, and there is nothing to show. */
function isBlank({ features, score = [], episodes = [] }: Partial<ModelSeriesView>): boolean {
  const isEmpty = (cells: readonly (number | null)[]) => cells.every((cell) => cell === null);
  if (!features || episodes.length > 0) return false;
  return isEmpty(score) && Object.values(features).every(({ mean }) => isEmpty(mean));
}

function viewPlan({ cells, intervalMs, rules }: SeriesPlan) {
  return {
    from: cells.range.fromAt / 1000,
    step: cells.stepMs / 1000,
    bucket_interval: intervalMs / 1000,
    cells: cells.count,
    thresholds: { max: rules.max, min: rules.min },
  };
}

function viewGrid({ columns }: Grid, plan: SeriesPlan): NonNullable<ModelSeriesView["features"]> {
  const size = sizeOf(plan);
  const views = Object.entries(columns).map(([name, column]) => {
    const { min, mean, max } = foldCells(column, size);
    return [name, { min: viewCells(min), mean: viewCells(mean), max: viewCells(max) }];
  });
  return Object.fromEntries(views);
}

const sizeOf = ({ cells, intervalMs }: SeriesPlan) => Math.round(cells.stepMs / intervalMs);

/** The band of a cell holds the bands of its intervals. */
function viewExpected({ columns }: ScoredSeries, plan: SeriesPlan): NonNullable<ModelSeriesView["expected"]> {
  const size = sizeOf(plan);
  const views = Object.entries(columns).map(([name, { expected, lower, upper }]) => {
    const mean = viewCells(foldCells(expected, size).mean);
    const low = viewCells(foldCells(lower, size).min);
    return [name, { mean, lower: low, upper: viewCells(foldCells(upper, size).max) }];
  });
  return Object.fromEntries(views);
}

/** The greatest score of any feature in each cell. */
function viewScore({ columns }: ScoredSeries, plan: SeriesPlan): (number | null)[] {
  const folded = Object.values(columns).map(({ score }) => foldCells(score, sizeOf(plan)).max);
  const greatest = new Float64Array(plan.cells.count).fill(Number.NaN);
  for (const column of folded)
    for (const [i, score] of column.entries()) if (!(greatest[i]! >= score)) greatest[i] = score;
  return viewCells(greatest);
}

function viewEpisode({ id, startAt, endAt, peakScore, severity, features, peak, feedback }: EpisodeRow) {
  return {
    id,
    start: startAt / 1000,
    end: endAt === null ? null : endAt / 1000,
    peak_score: peakScore,
    severity: severity ?? higherSeverity(severityOf(features), severityOf(peak)),
    ...(feedback && { anomaly: feedback.anomaly }),
  };
}
