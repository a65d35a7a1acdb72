// One anomaly with its notifications, the others of its model, what is related, and the stretch that is most like it.
import type { AnomalyDetailView, AnomalyView } from "../../../api/anomaly.ts";
import type { ModelView } from "../../../api/model.ts";
import type { RelatedView } from "../../../api/related.ts";
import { tagsParam } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import { readFolded } from "../chart/folded.ts";
import { request } from "../session.ts";
import type { SparkData } from "./now.ts";

/** Days of anomalies that a judgement is measured by. */
export const EFFECT_DAYS = 90;

export function readAnomaly(id: string, signal: AbortSignal): Promise<AnomalyDetailView> {
  return request(`/anomalies/${id}`, { signal });
}

/** Anomalies of live detection of the same model, of a fleet of the same series. */
export function readOthers(
  { model, series }: AnomalyView,
  signal: AbortSignal,
): Promise<readonly AnomalyView[]> {
  const query = `from=now-${EFFECT_DAYS}d&origin=live&limit=1000${tagsParam(series)}`;
  return request(`/models/${encodeURIComponent(model)}/anomalies?${query}`, { signal });
}

/** What else deviated, the most probable cause first. */
export function readRelated(id: string, signal: AbortSignal): Promise<RelatedView> {
  return request(`/anomalies/${id}/related?limit=6`, { signal });
}

/** Two stretches of one length: of the anomaly, and of what was most like it. */
export interface Alike {
  readonly own: SparkData;
  readonly other: SparkData;
}

/** Stretches before and behind, in lengths of the compared one. */
const AROUND = 2;
const MIN_POINTS = 12;

/** @param feature with the greatest score. @returns undefined where nothing was compared */
export async function readAlike(
  model: ModelView,
  { series, start, peak, features }: AnomalyView,
  feature: string,
  signal: AbortSignal,
): Promise<Alike | undefined> {
  const nearest = (peak[feature] ?? features[feature])?.nearest;
  const interval = model.state.bucket_interval;
  if (!nearest || !interval) return undefined;
  const points = Math.max(MIN_POINTS, nearest.points);
  const read = async (end: number): Promise<SparkData | undefined> => {
    const from = end - AROUND * points * interval;
    const to = end + (AROUND / 2) * points * interval;
    const query = `from=${from}&to=${to}&points=${3 * points}&parts=observed${tagsParam(series)}`;
    const { from: first, step, features: columns } = await readFolded(nameOf(model), query, signal);
    const own = columns?.[feature];
    return own && { from: first, step, ...own };
  };
  const [own, other] = await Promise.all([read(start + interval), read(nearest.at + interval)]);
  return own && other && { own, other };
}
