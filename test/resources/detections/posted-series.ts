// Posted series on steps of the calendar, and the detections and forecasts that are asked of them.
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { Detections } from "../../../src/resources/detections/index.ts";

export const DAY = 86_400_000;
export const { signal } = new AbortController();
/** Jobs submitted, oldest first. */
export const jobs: Submission[] = [];
export const detections = new Detections({
  limits: { pointsPerSeries: 2000, valuesPerForecast: 1000 },
  clock: { now: () => Date.UTC(2026, 0, 1) },
  queue: { submit: async (...list: Submission[]) => list.map((job) => `job ${jobs.push(job)}`) },
});

interface Point {
  readonly timestamp: string;
  readonly value: number;
}
/** Lists of either view, as clients see them. */
export type Answer = Readonly<Record<"timestamps" | "predicted" | "lower" | "upper", readonly number[]>> & {
  readonly isAnomaly: readonly boolean[];
};
const answerOf = (work: object) => (work as { answer: Answer }).answer;
export const detect = async (body: object) => answerOf(await detections.detect(body, { signal }));
export const predict = async (body: object) => answerOf(await detections.predict(body, { signal }));
export const datesOf = ({ timestamps }: Answer) =>
  timestamps.map((at) => new Date(at * 1000).toISOString().replace(":00.000Z", "Z"));

export const pointsAt = (instants: readonly number[], valueAt: (i: number, day: Date) => number): Point[] =>
  instants.map((at, i) => ({ timestamp: new Date(at).toISOString(), value: valueAt(i, new Date(at)) }));
export const days = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i * DAY);
/** Ends of months from January 2021 on; a spike at 37. */
export const monthEnds = pointsAt(
  Array.from({ length: 48 }, (_, i) => Date.UTC(2021, i + 1, 0)),
  (i) => 20 + 5 * Math.sin((2 * Math.PI * i) / 12) + (i % 5) / 10 + (i === 37 ? 30 : 0),
);
/** From Monday 2024-01-01 on, to a Friday; a spike at 60. */
export const workdays = pointsAt(
  days(Date.UTC(2024, 0, 1), 180).filter((at) => new Date(at).getUTCDay() % 6 > 0),
  (i, day) => 100 + 10 * day.getUTCDay() + ((7 * i) % 5) / 10 + (i === 60 ? 80 : 0),
);
/** Midnights in New York from 2026-02-20 on, up to the day before the clock changes. */
export const newYork = pointsAt(days(Date.UTC(2026, 1, 20, 5), 16), (i) => i % 7);
