// Outlooks of a live model or a series: its history is read, and each feature with a limit judged.
import { withParts } from "../../core/budget/budget.ts";
import { type FeatureLimit, limitsOf } from "../../core/capacity/limit.ts";
import type { Feature } from "../../core/model/feature.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { DAY_MS, HOUR_MS } from "../../core/time/time.ts";
import { type OpenBucket, readFeatures } from "../../points/features.ts";
import { type NewOutlook, replaceOutlooks } from "../../store/outlooks.ts";
import type { Judgement, Subject } from "../subject-watch.ts";
import { findDates } from "./dates.ts";

/** Confidence of the band. */
const LEVEL = 0.9;
/** Longest history that is read, and the longest time ahead. */
const MAX_HISTORY_MS = 365 * DAY_MS;
/** Its intervals at most. */
const MAX_INTERVALS = 20_000;

/** Outlooks, kept until the next ones. */
export const capacityJudgement: Judgement = {
  everyMs: 6 * HOUR_MS,
  isAsked: (settings) => judgedLimits(settings).length > 0,
  async judge({ store, openBucket }, name, subject, signal) {
    await replaceOutlooks(store, name, await judgeSubject(openBucket, subject, signal));
  },
};

/** Limits whose value can be known. */
function judgedLimits(settings: ModelSettings): FeatureLimit[] {
  const names = new Set(settings.features.map(({ name }) => name));
  return limitsOf(settings).filter(({ value }) => typeof value === "number" || names.has(value));
}

/**
 * The features that certainly move towards their limit.
 * @throws TorusError `canceled`, and as `readFeatures`
 */
async function judgeSubject(
  openBucket: OpenBucket,
  { settings, intervalMs, series, toAt }: Subject,
  signal: AbortSignal,
): Promise<NewOutlook[]> {
  const limits = judgedLimits(settings);
  const needed = new Set(limits.flatMap(({ feature, value }) => [feature, value]));
  const judged = settings.features.filter(({ name }) => needed.has(name));
  const features = withParts(judged, settings.features);
  if (features.length === 0) return [];
  const intervals = Math.max(1, Math.min(MAX_INTERVALS, Math.floor(MAX_HISTORY_MS / intervalMs)));
  const range = { fromAt: toAt - intervals * intervalMs, toAt };
  const read = { features, bucket: bucketOf(settings) ?? "", range, intervalMs, series };
  const grid = await readFeatures(openBucket, read, signal);
  const found: NewOutlook[] = [];
  for (const limit of limits) {
    const feature = features.find(({ name }) => name === limit.feature)!;
    const outlook = await judge(grid, { feature, limit, madeAt: toAt }, signal);
    if (outlook) found.push(outlook);
  }
  return found;
}

interface Question {
  readonly feature: Feature;
  readonly limit: FeatureLimit;
  /** ms since the epoch */
  readonly madeAt: number;
}

async function judge(
  grid: Grid,
  { feature, limit: { type, source, value }, madeAt }: Question,
  signal: AbortSignal,
): Promise<NewOutlook | undefined> {
  const column = grid.columns[feature.name]!;
  const bound = typeof value === "number" ? value : lastOf(grid.columns[value]!);
  const now = lastOf(column);
  if (bound === undefined || now === undefined) return undefined;
  // A share of several wholes, as the load of all cores, has another limit.
  if (source === "unit" && column.some((one) => one > bound)) return undefined;
  const dates = await findDates(grid, { feature, limit: { type, value: bound }, level: LEVEL }, signal);
  if (!dates) return undefined;
  const { outlook, firstAt, earliestAt, latestAt = null } = dates;
  const { backtest, isPredictable, slope } = outlook;
  return {
    feature: feature.name,
    ...{ type, bound, source, value: now, perDay: (slope * DAY_MS) / grid.intervalMs },
    ...{ reachedAt: firstAt, earliestAt, latestAt },
    ...{ hits: backtest.right, cases: backtest.of, isPredictable, madeAt },
  };
}

/** The newest value; undefined without any. */
function lastOf(column: Float64Array): number | undefined {
  return column.findLast((value) => !Number.isNaN(value));
}
