// Scores of a model by interval, with labels and judgements: the input of a replay.
import type { LabelView } from "../../../api/label.ts";
import type { ModelSeriesView } from "../../../api/series.ts";
import type { Range } from "../../lib/range.ts";
import type { Scores, Truth } from "../../lib/replay.ts";
import { request } from "../session.ts";

/** Most intervals of one answer. */
const MAX_POINTS = 100_000;

export interface ScoreData {
  readonly scores: Scores;
  readonly truth: Truth;
  readonly thresholds: { readonly max: number; readonly min: number };
}

/** Recorded scores, the missing ones among the newest evaluated. @throws Problem */
export async function readScores(name: string, days: number, signal: AbortSignal): Promise<ScoreData> {
  const path = `/models/${encodeURIComponent(name)}`;
  const range = `from=now-${days}d`;
  const query = `${range}&points=${MAX_POINTS}&parts=score;episodes&fill=true`;
  const [series, labels] = await Promise.all([
    request<Readonly<Record<string, ModelSeriesView>>>(`${path}/_series?${query}`, { signal }),
    request<readonly LabelView[]>(`${path}/labels?${range}`, { signal }),
  ]);
  const { from, step, score = [], episodes = [], thresholds } = series[name]!;
  const judged = (verdict: boolean): Range[] => [
    ...episodes.filter(({ anomaly }) => anomaly === verdict).map(({ start, end }) => toRange(start, end)),
    ...labels.filter(({ anomaly }) => anomaly === verdict).map(({ from, to }) => ({ from, to })),
  ];
  const values = Float64Array.from(score, (value) => value ?? Number.NaN);
  return {
    scores: { from, step, values },
    truth: { anomalies: judged(true), normal: judged(false) },
    thresholds,
  };
}

const toRange = (start: number, end: number | null): Range => ({
  from: start,
  to: end ?? Number.POSITIVE_INFINITY,
});
