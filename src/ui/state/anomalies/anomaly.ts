// Reads of the detail of an anomaly: notifications, related anomalies, the most similar stretch.
import type { AnomalyDetailView, AnomalyView } from "../../../api/anomaly.ts";
import type { ModelView } from "../../../api/model.ts";
import type { RelatedView } from "../../../api/related.ts";
import type { ShownStretches } from "../../lib/anomalies/alike.ts";
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

/** @returns undefined where there are no points any more */
export async function readAlike(
  model: ModelView,
  { series }: AnomalyView,
  feature: string,
  { own: ownFrom, other: otherFrom, length }: ShownStretches,
  signal: AbortSignal,
): Promise<Alike | undefined> {
  const cells = Math.round(length / (model.state.bucket_interval ?? length));
  const read = async (from: number): Promise<SparkData | undefined> => {
    const query = `from=${from}&to=${from + length}&points=${cells}&parts=observed${tagsParam(series)}`;
    const { from: first, step, features: columns } = await readFolded(nameOf(model), query, signal);
    const values = columns?.[feature];
    return values?.mean.some((value) => value !== null) ? { from: first, step, ...values } : undefined;
  };
  const [own, other] = await Promise.all([read(ownFrom), read(otherFrom)]);
  return own && other && { own, other };
}
