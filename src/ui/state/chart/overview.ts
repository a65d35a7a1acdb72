// Overview of a model: the whole of its data in few cells, with its anomalies and labels.
import type { LabelView } from "../../../api/label.ts";
import type { ModelView, VersionView } from "../../../api/model.ts";
import type { ModelSeriesView } from "../../../api/series.ts";
import { isDuration, parseDuration } from "../../../core/time/time.ts";
import { coverageOf } from "../../lib/coverage.ts";
import { seriesParam } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import type { Mark } from "../../lib/overview.ts";
import type { Range } from "../../lib/range.ts";
import { serverNow } from "../clock.ts";
import { request } from "../session.ts";
import { readFolded } from "./folded.ts";

const CELLS = 240;
/** Values that the server reads for a look: a year of minutes. */
const MAX_VALUES = 600_000;
/** Share of the range below which its data is read by itself, for the sake of finer cells. */
const SHORT = 0.5;
/** Seconds. */
const MINUTE = 60;

type Column = readonly (number | null)[];

export interface Overview extends Range {
  /** Extremes of the cells by feature, all as long. */
  readonly features: readonly { readonly min: Column; readonly max: Column }[];
  readonly episodes: readonly Mark[];
  readonly labels: readonly Mark[];
}

/**
 * Reads from the start of the oldest training, or further back, to now; without the empty stretch before the first value.
 * @param back seconds at least
 * @param series of a fleet, as in `host:a,cpu:0`; absent: the points of all its series as one
 * @throws Problem
 */
export async function readOverview(
  model: ModelView,
  back: number,
  signal: AbortSignal,
  series?: string,
): Promise<Overview> {
  const name = nameOf(model);
  const path = `/models/${encodeURIComponent(name)}`;
  const versions = await request<readonly VersionView[]>(`${path}/versions`, { signal });
  const now = serverNow();
  const { bucket_interval: interval, features } = model.settings;
  const seconds = isDuration(interval) ? parseDuration(interval) / 1000 : MINUTE;
  const longest = (MAX_VALUES / (features as readonly unknown[]).length) * seconds;
  const oldest = Math.min(now - back, ...versions.map(({ version }) => version.from));
  const from = Math.floor(Math.max(oldest, now - longest));
  const read = async (start: number) => {
    const query = `from=${start}&points=${CELLS}&parts=observed;episodes${series === undefined ? "&pooled=true" : seriesParam(series)}`;
    return readFolded(name, query, signal);
  };
  const [whole, labels] = await Promise.all([
    read(from),
    request<readonly LabelView[]>(`${path}/labels?from=${from}${seriesParam(series)}`, { signal }),
  ]);
  const first = coverageOf(whole)?.from ?? from;
  const isShort = now - first < SHORT * (now - from);
  return trim(isShort ? await read(first) : whole, labels, now);
}

function trim(series: ModelSeriesView, labels: readonly LabelView[], now: number): Overview {
  const { from, step, cells, features = {}, episodes = [] } = series;
  const first = coverageOf(series)?.from ?? from;
  const skipped = Math.round((first - from) / step);
  return {
    from: first,
    to: Math.min(now, from + cells * step),
    features: Object.values(features).map(({ min, max }) => ({
      min: min.slice(skipped),
      max: max.slice(skipped),
    })),
    episodes: episodes.map(({ start, end, anomaly }) => ({ from: start, to: end, anomaly })),
    labels: labels.map(({ from, to, anomaly }) => ({ from, to, anomaly })),
  };
}
