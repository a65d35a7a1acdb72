// Scans: jobs that look for related series in a bucket, also in those that no model watches.
import { invalid } from "../../core/errors.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import type { Tags } from "../../core/related/tags.ts";
import { alignRange, countIntervals, type Range } from "../../core/series/grid.ts";
import { MINUTE_MS } from "../../core/time/time.ts";
import type { ScanJob } from "../../jobs/queue/input.ts";
import type { Queue } from "../../jobs/queue/queue.ts";
import type { Clock } from "../../runtime/clock.ts";
import { loadBucket } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { given, type Params } from "../shared/range.ts";
import { readOwn } from "./movers.ts";
import { parseOptions } from "./request.ts";
import { findSubject, namesOf, parseRelatedRange } from "./subject.ts";

/** Interval of a scan of a range. */
const DEFAULT_INTERVAL_MS = MINUTE_MS;
/** Most intervals of a window, as each of up to 2000 series has them: those of seven days of minutes, and one begun. */
const MAX_INTERVALS = 10_081;

interface ScanDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly queue: Pick<Queue, "submit">;
}

/** A scan, but for the length of its answer. */
type ScanPlan = Omit<ScanJob, "scan" | "limit">;

export class RelatedScans {
  constructor(private readonly deps: ScanDeps) {}

  /**
   * Submits a scan for what moved around an anomaly, or in a range.
   * @param id of the anomaly; undefined: of a range
   * @throws TorusError `not_found`, `invalid`, `overloaded`
   */
  async submit(id: string | undefined, params: Params, foreground: boolean): Promise<{ jobId: string }> {
    const { store, queue } = this.deps;
    const { limit, ...options } = parseOptions(params);
    const plan = id === undefined ? this.#planRange(params) : await this.#planAnomaly(id, params);
    await loadBucket(store, plan.bucket);
    const { intervalMs = plan.intervalMs } = options;
    checkLength(plan.window, intervalMs);
    const input = { scan: true as const, ...plan, intervalMs, limit };
    const [jobId] = await queue.submit({ type: "prediction", model: null, input, foreground });
    return { jobId: jobId! };
  }

  #planRange(params: Params): ScanPlan {
    const range = parseRelatedRange(params, this.deps.clock.now());
    const bucket = given(params, "bucket");
    if (bucket === undefined) throw invalid("bucket", "is required for a scan: the name of a bucket");
    return { bucket: String(bucket), intervalMs: DEFAULT_INTERVAL_MS, own: [], ...range };
  }

  async #planAnomaly(id: string, params: Params): Promise<ScanPlan> {
    const { store, clock } = this.deps;
    const { window, row, episode, target, ...subject } = await findSubject(store, id, clock.now());
    const bucket = given(params, "bucket") ?? (row && bucketOf(row.settings));
    if (!bucket) throw invalid("bucket", "is required for a scan: the model of the anomaly has no bucket");
    const { own, earlier } = await readOwn(store, { window, subject, startAt: episode.startAt });
    const { intervalMs } = target;
    return {
      ...{ bucket: String(bucket), intervalMs, window, anomaly: namesOf(episode) },
      target: { ...(own ?? target), earlier },
      own: row ? sourcesIn(row.settings.features, episode.series ?? {}) : [],
    };
  }
}

/** @throws TorusError `invalid` for more intervals than a scan reads */
function checkLength(window: Range, intervalMs: number): void {
  const intervals = countIntervals(alignRange(window, intervalMs), intervalMs);
  if (intervals <= MAX_INTERVALS) return;
  const most = `at most ${MAX_INTERVALS} are scanned`;
  throw invalid("bucket_interval", `the window has ${intervals} of it, ${most}: choose a longer interval`);
}

/** What the features read, with the tags of the series. */
function sourcesIn(features: ModelSettings["features"], series: Tags): ScanJob["own"] {
  return features.flatMap(({ field, measurement, match_all }) => {
    if (field === undefined) return [];
    const fixed = Object.fromEntries((match_all ?? []).map(({ tag, value }) => [tag, String(value)]));
    return [{ field, ...(measurement && { measurement }), tags: { ...fixed, ...series } }];
  });
}
