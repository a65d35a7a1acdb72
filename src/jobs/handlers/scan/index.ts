// Job `scan`: what moved in a window among the series of a bucket, scored without models.
import type { RelatedScanView } from "../../../api/related.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { rankMovers } from "../../../core/related/rank.ts";
import { moverIn, scoreSeries, strongBefore } from "../../../core/related/scored-series.ts";
import { TagCounts } from "../../../core/related/tags.ts";
import { type ShownMover, viewRanking } from "../../../core/related/view.ts";
import { alignRange, type Range } from "../../../core/series/grid.ts";
import { DAY_MS } from "../../../core/time/time.ts";
import { scoreFromPast } from "../../../models/stateless/past-only.ts";
import { detectPeriod } from "../../../models/stats/period.ts";
import { yieldToEventLoop } from "../../../runtime/steps.ts";
import type { Handler, HandlerDeps } from "../../queue/handler.ts";
import type { ScanJob } from "../../queue/input.ts";
import { listSources, readSource, type SourceSeries } from "./sources.ts";

/** Series that a scan scores; of more, the first ones. */
export const MAX_SCANNED = 2000;
/** Intervals before the window that the scores rest on, and the longest time. */
const HISTORY_INTERVALS = 2000;
const MAX_HISTORY_MS = 60 * DAY_MS;
/** Fewest values that a series is scored from. */
const MIN_POINTS = 100;

interface ScannedMover extends ShownMover {
  readonly source: SourceSeries;
}

/** Makes the handler. It throws TorusError `not_supported`, `bucket_*`, `canceled`. */
export function scanHandler({ openBucket }: HandlerDeps): Handler<"scan"> {
  return async ({ input }, { signal, onProgress }) => {
    const bucket = await openBucket(input.bucket);
    const { window, intervalMs, own, tags } = input;
    const historyMs = Math.min(MAX_HISTORY_MS, HISTORY_INTERVALS * intervalMs);
    const range = alignRange({ fromAt: window.fromAt - historyMs, toAt: window.toAt }, intervalMs);
    const sources = await listSources(bucket, signal);
    const population = new TagCounts();
    const movers: ScannedMover[] = [];
    for (const [done, source] of sources.entries()) {
      const maxSeries = MAX_SCANNED - population.total;
      if (maxSeries <= 0) break;
      const found = await readSource(bucket, { source, range, intervalMs, maxSeries, filter: tags }, signal);
      for (const series of found.slice(0, maxSeries)) {
        if (own.some((one) => isOf(series, one))) continue;
        population.add(series.tags);
        const mover = await scoreSource(series, { range, input, signal });
        if (mover) movers.push(mover);
      }
      onProgress({ fraction: (done + 1) / sources.length });
    }
    return { result: viewScan(input, { movers, population }) };
  };
}

interface ScoreContext {
  readonly range: Range;
  readonly input: ScanJob;
  readonly signal: AbortSignal;
}

/** Scores a series; undefined where it did not move, or has too few values. */
async function scoreSource(
  source: SourceSeries,
  { range, input, signal }: ScoreContext,
): Promise<ScannedMover | undefined> {
  const { intervalMs, window, target } = input;
  const { column, tags } = source;
  await yieldToEventLoop(signal);
  if (column.filter(Number.isFinite).length < MIN_POINTS) return undefined;
  const { period } = detectPeriod(column, { intervalMs });
  const { rarity: rarities, errors } = await scoreFromPast(column, { period }, signal);
  const scored = scoreSeries({ tags, startAt: range.fromAt, intervalMs, rarities }, (i) => errors[i]! > 0);
  const earlier = target ? strongBefore(target.earlier, window.fromAt) : [];
  const mover = moverIn(scored, window, earlier, target?.onsetAt);
  return mover && { ...mover, source };
}

function viewScan(
  { bucket, window, target, limit, anomaly }: ScanJob,
  { movers, population }: { movers: readonly ScannedMover[]; population: TagCounts },
): RelatedScanView {
  const windowMs = window.toAt - window.fromAt;
  const ranking = rankMovers({ target, movers, population, windowMs });
  const { own, ...view } = viewRanking({
    ...{ ranking, target, limit, watched: population.total, moved: movers.length },
    nameOf: ({ source: { measurement, field, tags } }) => ({
      fields: {
        ...{ bucket, ...(measurement !== null && { measurement }), feature: field },
        ...(Object.keys(tags).length > 0 && { series: tags }),
      },
      text: [field, measurement && `of ${measurement}`, describeSeries(tags) && `(${describeSeries(tags)})`]
        .filter(Boolean)
        .join(" "),
    }),
  });
  return {
    ...{ from: window.fromAt / 1000, to: window.toAt / 1000, ...view },
    ...(anomaly && own && { anomaly: { ...anomaly, ...own } }),
  };
}

type OwnSource = ScanJob["own"][number];

/** Whether the series is one that the model of the anomaly reads. */
function isOf({ measurement, field, tags }: SourceSeries, own: OwnSource): boolean {
  if (own.field !== field || (own.measurement !== undefined && own.measurement !== measurement)) return false;
  return Object.entries(own.tags).every(([tag, value]) => tags[tag] === value);
}
