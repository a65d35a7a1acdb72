// Scores of models for charts: those that live detection recorded, and on demand the missing ones, evaluated at once.
import type { Bucket } from "../../buckets/kind.ts";
import { TorusError } from "../../core/errors.ts";
import { seriesKeyOf } from "../../core/model/fleet.ts";
import { bucketOf } from "../../core/model/model.ts";
import { formatSeries } from "../../core/model/series-text.ts";
import { countIntervals, type Range } from "../../core/series/grid.ts";
import { type ScoreColumns, toColumns } from "../../core/series/score-run.ts";
import { evaluateRange } from "../../jobs/handlers/evaluate-range.ts";
import type { Compute, Evaluation, ModelKind } from "../../models/kind.ts";
import type { Clock } from "../../runtime/clock.ts";
import { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { TtlCache } from "../../runtime/ttl-cache.ts";
import { listScores } from "../../store/anomalies/scores.ts";
import type { Store } from "../../store/db/open.ts";
import type { SeriesPlan } from "./request.ts";

/** Most intervals evaluated for one answer: the newest of those that are missing. */
const MAX_FILLED = 10_000;
/** Intervals after the last recorded one that live detection evaluates soon. */
const MAX_TRAILING = 5;
/** Evaluations at a time, so that charts leave the workers to others. */
const FILLS = 2;
/** Evaluated ranges that are kept for a repeated look, and how long. */
const CACHED = { max: 50, ms: 60_000 } as const;

export interface ScoreDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly kind: ModelKind;
  readonly compute: Compute;
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
}

export interface ScoredSeries {
  /** By feature, one value per interval of the plan's range. */
  readonly columns: Readonly<Record<string, ScoreColumns>>;
  /** Range evaluated for this answer, ms since the epoch. */
  readonly filled?: Range;
}

export class ScoreReader {
  readonly #limiter = new KeyedLimiter(FILLS);
  readonly #cache: TtlCache<Evaluation>;

  constructor(private readonly deps: ScoreDeps) {
    this.#cache = new TtlCache(deps.clock, CACHED);
  }

  /**
   * Scores of the plan's range; those of a chosen version are evaluated, whatever is recorded.
   * @throws TorusError `bucket_*`, `not_found` (bucket), `worker_crashed`, `canceled`, each where it evaluates
   */
  async read(
    plan: SeriesPlan,
    options: { readonly fill: boolean; readonly signal: AbortSignal },
  ): Promise<ScoredSeries> {
    const { model, series, cells, intervalMs, settings, isChosen } = plan;
    const { fromAt: startAt, toAt } = cells.range;
    const length = countIntervals(cells.range, intervalMs);
    const subject = series && seriesKeyOf(settings.group_by ?? [], series);
    const recorded = { model, series: subject, fromAt: startAt, toAt, intervalMs };
    const runs = isChosen ? [] : await listScores(this.deps.store, recorded);
    const columns = Object.fromEntries(
      settings.features.map(({ name: feature }) => [
        feature,
        toColumns(runs, { feature, startAt, intervalMs, length }),
      ]),
    );
    const isFilled = (options.fill || isChosen) && plan.version !== undefined;
    const missing = isFilled && findMissing(columns, plan, this.deps.clock.now());
    if (!missing) return { columns };
    const evaluation = await this.#fill(plan, missing, options.signal);
    if (!evaluation) return { columns };
    fillMissing(columns, evaluation, startAt);
    return { columns, filled: missing };
  }

  /** @returns undefined where nothing was observed in the range, or the version is gone */
  #fill(plan: SeriesPlan, range: Range, signal: AbortSignal): Promise<Evaluation | undefined> {
    const { model, series, generation, version } = plan;
    const subject = series ? formatSeries(series) : "";
    const key = [model, generation, version, range.fromAt, range.toAt, subject].join(" ");
    return this.#cache.getOrMake(key, () => this.#evaluate(plan, range, signal));
  }

  async #evaluate(
    { model, settings, version, series }: SeriesPlan,
    range: Range,
    signal: AbortSignal,
  ): Promise<Evaluation | undefined> {
    const bucket = bucketOf(settings) ?? "";
    const request = { model, settings, version: version!, bucket, range, ...(series && { series }) };
    const evaluate = () => evaluateRange(this.deps, request, { signal, onProgress: () => {} });
    try {
      return (await this.#limiter.run("fill", evaluate, signal)).evaluation;
    } catch (error) {
      // A new series is not fitted yet.
      const isEmpty = (code: string) => code === "no_data" || (series && code === "not_found");
      if (error instanceof TorusError && isEmpty(error.code)) return undefined;
      throw error;
    }
  }
}

/**
 * From the first to the last interval without an expected value; of a longer range its end. Recorded up to now, the last
 * few intervals are left to live detection, which waits for late points.
 */
function findMissing(
  columns: ScoredSeries["columns"],
  { cells, intervalMs }: SeriesPlan,
  nowAt: number,
): Range | undefined {
  const [first] = Object.values(columns);
  if (!first) return undefined;
  const from = first.expected.findIndex(Number.isNaN);
  if (from < 0) return undefined;
  const recorded = first.expected.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const recentAt = nowAt - MAX_TRAILING * intervalMs;
  const isTrailing = recorded > 0 && cells.range.fromAt + recorded * intervalMs >= recentAt;
  const end = isTrailing ? recorded : first.expected.length;
  const to = first.expected.subarray(0, end).findLastIndex(Number.isNaN) + 1;
  if (to <= from) return undefined;
  const startAt = cells.range.fromAt;
  const toAt = startAt + to * intervalMs;
  return { fromAt: Math.max(startAt + from * intervalMs, toAt - MAX_FILLED * intervalMs), toAt };
}

/**
 * Writes evaluated values where nothing is recorded, from the first observed one of a feature on: before a series began
 * there is nothing to expect, and a band there would hide the series in a chart.
 */
function fillMissing(columns: ScoredSeries["columns"], evaluation: Evaluation, startAt: number): void {
  const { grid, predicted, lower, upper, scores } = evaluation;
  const first = Math.round((grid.startAt - startAt) / grid.intervalMs);
  for (const [name, own] of Object.entries(columns)) {
    if (!predicted[name]) continue;
    const begin = scores.findIndex(({ features }) => features[name] !== undefined);
    for (const [i, { features }] of scores.entries()) {
      const at = first + i;
      if (i < begin) continue;
      if (!Number.isNaN(own.expected[at] ?? 0)) continue;
      own.expected[at] = predicted[name][i]!;
      own.lower[at] = lower[name]![i]!;
      own.upper[at] = upper[name]![i]!;
      own.score[at] = features[name]?.score ?? Number.NaN;
    }
  }
}
