// Feedback on detected anomalies, and the ranges that trainings exclude or tolerate because of it; pure.
import { type Static, Type } from "@sinclair/typebox";
import { coerceStrings } from "../input/coerce.ts";
import { check } from "../input/schema.ts";
import type { Range } from "../series/grid.ts";
import { DAY_MS } from "../time/time.ts";

/** Excluded part of an unjudged anomaly: detection treats a longer one as the new normal. */
const MAX_UNJUDGED_MS = DAY_MS;
/** Share of a training range above which its unconfirmed anomalies count as normal. */
const MAX_UNCONFIRMED_SHARE = 0.2;

/** Request body. */
export const FeedbackInput = Type.Object(
  {
    anomaly: Type.Boolean({
      description: "`true`: an anomaly; `false`: a false alarm",
      rule: "must be true, for an anomaly, or false, for a false alarm",
    }),
    note: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "Free text",
        rule: "must be a text of at most 4096 characters",
      }),
    ),
  },
  { additionalProperties: false, title: "feedback", $id: "FeedbackInput" },
);

export interface Feedback extends Static<typeof FeedbackInput> {
  /** Time of the feedback, ms since the epoch. */
  readonly at: number;
}

/** @throws TorusError `invalid` */
export function checkFeedback(body: unknown): Static<typeof FeedbackInput> {
  return check(FeedbackInput, coerceStrings(FeedbackInput, body));
}

/** A detected anomaly with its feedback. Instants in ms since the epoch. */
export interface JudgedEpisode {
  readonly startAt: number;
  /** Exclusive; null while it lasts. */
  readonly endAt: number | null;
  readonly feedback: Pick<Feedback, "anomaly"> | null;
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
