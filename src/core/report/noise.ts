// Noise of models: alarms by verdict, and the models that raise most of those that are not confirmed; pure.
import type { Feedback } from "../anomaly/feedback.ts";

/** An anomaly of live detection. */
export interface Alarm {
  readonly model: string;
  /** Start of the interval that started it, ms since the epoch. */
  readonly startAt: number;
  /** null while it lasts. */
  readonly endAt: number | null;
  /** 0..100 */
  readonly peakScore: number;
  /** `fleet`: of many series at once. */
  readonly scope: "fleet" | null;
  readonly feedback: Pick<Feedback, "anomaly"> | null;
}

/** Numbers of alarms. */
interface Verdicts {
  readonly total: number;
  readonly confirmed: number;
  readonly dismissed: number;
  readonly unjudged: number;
}

/** One that people dismissed counts as two that nobody judged. */
const DISMISSED_WEIGHT = 2;

export function countVerdicts(alarms: readonly Pick<Alarm, "feedback">[]): Verdicts {
  const confirmed = alarms.filter(isConfirmed).length;
  const dismissed = alarms.filter(({ feedback }) => feedback?.anomaly === false).length;
  const total = alarms.length;
  return { total, confirmed, dismissed, unjudged: total - confirmed - dismissed };
}

export function isConfirmed({ feedback }: Pick<Alarm, "feedback">): boolean {
  return feedback?.anomaly === true;
}

/** 0 of a confirmed alarm. */
export function noiseOf({ feedback }: Pick<Alarm, "feedback">): number {
  if (!feedback) return 1;
  return feedback.anomaly ? 0 : DISMISSED_WEIGHT;
}

export function sumNoise(alarms: readonly Pick<Alarm, "feedback">[]): number {
  return alarms.reduce((sum, alarm) => sum + noiseOf(alarm), 0);
}

/** The models of most noise with their alarms, the noisiest first, of equal ones by name; none without noise. */
export function findNoisiest<T extends Pick<Alarm, "model" | "feedback">>(
  alarms: readonly T[],
  most: number,
): [model: string, alarms: readonly T[]][] {
  const byModel = Map.groupBy(alarms, ({ model }) => model);
  const noisy = [...byModel].map(([model, own]) => ({ model, own, noise: sumNoise(own) }));
  return noisy
    .filter(({ noise }) => noise > 0)
    .sort((a, b) => b.noise - a.noise || (a.model < b.model ? -1 : 1))
    .slice(0, most)
    .map(({ model, own }) => [model, own]);
}
