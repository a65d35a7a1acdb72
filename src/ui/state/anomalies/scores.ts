// Scores of a model by interval, with labels and judgements: the input of a replay.
import type { LabelView } from "../../../api/label.ts";
import type { Range } from "../../lib/range.ts";
import type { Scores, Truth } from "../../lib/replay.ts";
import { readFolded } from "../chart/folded.ts";
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
  const range = `from=now-${days}d`;
  const query = `${range}&points=${MAX_POINTS}&parts=score;episodes&fill=true`;
  const [series, labels] = await Promise.all([
    readFolded(name, query, signal),
    request<readonly LabelView[]>(`/models/${encodeURIComponent(name)}/labels?${range}`, { signal }),
  ]);
  const { from, step, score = [], episodes = [], thresholds } = series;
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
