// Confidence of scores, by the number of points they rank among and the days these cover; pure.
import { DAY_MS } from "../time/time.ts";

/** Ascending. */
export const confidences = ["learning", "fair", "good"] as const;
export type Confidence = (typeof confidences)[number];

/** Below, normal data raise two to six anomalies a week where one is accepted: scores may be of anything new. */
const FAIR = { points: 500, days: 1 };
/** From here on, about as many as accepted; two weeks show what differs by the day of the week. */
const GOOD = { points: 2000, days: 14 };

/** Evidence of a series. */
interface History {
  /** Intervals observed: by the training and by detection since. */
  readonly points: number;
  /** Length of an interval, ms. */
  readonly intervalMs: number;
}

/** Confidence after a history; gaps do not count. */
export function confidenceOf(history: History): Confidence {
  if (reaches(history, GOOD)) return "good";
  return reaches(history, FAIR) ? "fair" : "learning";
}

function reaches({ points, intervalMs }: History, least: typeof FAIR): boolean {
  return points >= least.points && points * intervalMs >= least.days * DAY_MS;
}
