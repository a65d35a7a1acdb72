// Ranges that trainings exclude or tolerate because of detected anomalies and their feedback; pure.
import type { Range } from "../series/grid.ts";
import { DAY_MS } from "../time/time.ts";

/** Excluded part of an unjudged anomaly: detection treats a longer one as the new normal. */
const MAX_UNJUDGED_MS = DAY_MS;
/** Share of a training range above which its unconfirmed anomalies count as normal. */
const MAX_UNCONFIRMED_SHARE = 0.2;

/** A detected anomaly with its feedback. Instants in ms since the epoch. */
export interface JudgedEpisode {
  readonly startAt: number;
  /** Exclusive; null while it lasts. */
  readonly endAt: number | null;
  readonly feedback: { readonly anomaly: boolean } | null;
  /** Contributing features by name, at its start and at its peak. */
  readonly features: Readonly<Record<string, unknown>>;
  readonly peak: Readonly<Record<string, unknown>>;
}

export interface FalseAlarm extends Range {
  /** Names of the features that raised it. */
  readonly features: readonly string[];
}

export interface TrainingMarks {
  /** Anomalies: a training must not learn them as normal. */
  readonly excluded: readonly Range[];
  /** False alarms: normal, must not raise an anomaly again. */
  readonly tolerated: readonly FalseAlarm[];
}

/**
 * The ranges that a training over `range` excludes and tolerates. Of anomalies without feedback the first day is
 * excluded, unless they cover a large share of the range: then they are the new normal.
 */
export function markTraining(episodes: readonly JudgedEpisode[], range: Range): TrainingMarks {
  const within = episodes.map((episode) => ({ ...episode, part: partOf(episode, range) }));
  const inside = within.filter(({ part }) => part.fromAt < part.toAt);
  const pick = (answer: boolean | undefined) => inside.filter(({ feedback }) => feedback?.anomaly === answer);
  const [found, unconfirmed] = [true, undefined].map((answer) => pick(answer).map(({ part }) => part));
  const isException = lengthOf(unconfirmed!) <= MAX_UNCONFIRMED_SHARE * (range.toAt - range.fromAt);
  const tolerated = pick(false).map(({ part, features, peak }) => {
    return { ...part, features: Object.keys({ ...features, ...peak }) };
  });
  return { excluded: [...found!, ...(isException ? unconfirmed! : [])], tolerated };
}

interface JudgedParts {
  /** Anomalies confirmed by feedback. */
  readonly confirmed: readonly Range[];
  /** False alarms. */
  readonly refuted: readonly Range[];
}

/** The parts of a range that feedback confirms or refutes; anomalies without feedback are skipped. */
export function judgedParts(episodes: readonly JudgedEpisode[], range: Range): JudgedParts {
  const pick = (answer: boolean) =>
    episodes
      .filter(({ feedback }) => feedback?.anomaly === answer)
      .map((episode) => partOf(episode, range))
      .filter(({ fromAt, toAt }) => fromAt < toAt);
  return { confirmed: pick(true), refuted: pick(false) };
}

/** The part of an episode within the range; at least its first instant. */
function partOf({ startAt, endAt, feedback }: JudgedEpisode, range: Range): Range {
  const longest = feedback ? Number.POSITIVE_INFINITY : startAt + MAX_UNJUDGED_MS;
  const endsAt = Math.max(startAt + 1, Math.min(endAt ?? range.toAt, longest));
  return { fromAt: Math.max(startAt, range.fromAt), toAt: Math.min(endsAt, range.toAt) };
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { fromAt, toAt }) => sum + toAt - fromAt, 0);
}
