// What people say of anomalies that were found, and what of it the next training heeds; pure.
import { type Static, Type } from "@sinclair/typebox";
import { coerceStrings } from "../input/coerce.ts";
import { check } from "../input/schema.ts";
import type { Range } from "../series/grid.ts";
import { DAY_MS } from "../time/time.ts";

/** Detection itself takes what lasts longer for what the series has come to look like, ms. */
const LONGEST_MS = DAY_MS;
/** Unconfirmed anomalies that cover more of a training range than this are no exception in it. */
const MAX_UNCONFIRMED = 0.2;

/** As clients send it. */
export const FeedbackInput = Type.Object(
  {
    anomaly: Type.Boolean({
      description: "`true`: it was one; `false`: a false alarm",
      rule: "must be true, for an anomaly, or false, for a false alarm",
    }),
    note: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "What people should know of it",
        rule: "must be a text of at most 4096 characters",
      }),
    ),
  },
  { additionalProperties: false, title: "feedback", $id: "FeedbackInput" },
);

export interface Feedback extends Static<typeof FeedbackInput> {
  /** When it was given, ms since the epoch. */
  readonly at: number;
}

/** @throws TorusError `invalid` */
export function checkFeedback(body: unknown): Static<typeof FeedbackInput> {
  return check(FeedbackInput, coerceStrings(FeedbackInput, body));
}

/** An anomaly that was found. Instants in ms since the epoch. */
export interface JudgedEpisode {
  readonly startAt: number;
  /** Exclusive; null while it lasts. */
  readonly endAt: number | null;
  readonly feedback: Pick<Feedback, "anomaly"> | null;
  /** By name, the features that took part at its start, and at its peak. */
  readonly features: Readonly<Record<string, unknown>>;
  readonly peak: Readonly<Record<string, unknown>>;
}

export interface FalseAlarm extends Range {
  /** Names of the features that raised it. */
  readonly features: readonly string[];
}

export interface TrainingMarks {
  /** Anomalies: a training must not take them for normal. */
  readonly excluded: readonly Range[];
  /** False alarms: normal, and not to be raised again. */
  readonly tolerated: readonly FalseAlarm[];
}

/**
 * What a training over `range` makes of the anomalies found in it. Those nobody has judged are left out too, the
 * first day of each; but where they are a large part of the range, the series looks like that now.
 */
export function markTraining(episodes: readonly JudgedEpisode[], range: Range): TrainingMarks {
  const within = episodes.map((episode) => ({ ...episode, part: partOf(episode, range) }));
  const inside = within.filter(({ part }) => part.fromAt < part.toAt);
  const pick = (answer: boolean | undefined) => inside.filter(({ feedback }) => feedback?.anomaly === answer);
  const [found, unconfirmed] = [true, undefined].map((answer) => pick(answer).map(({ part }) => part));
  const isException = lengthOf(unconfirmed!) <= MAX_UNCONFIRMED * (range.toAt - range.fromAt);
  const tolerated = pick(false).map(({ part, features, peak }) => {
    return { ...part, features: Object.keys({ ...features, ...peak }) };
  });
  return { excluded: [...found!, ...(isException ? unconfirmed! : [])], tolerated };
}

export interface JudgedParts {
  /** Anomalies, as people said. */
  readonly confirmed: readonly Range[];
  /** False alarms. */
  readonly refuted: readonly Range[];
}

/** What people said of a range, by the parts of the anomalies found in it; those nobody has judged say nothing. */
export function judgedParts(episodes: readonly JudgedEpisode[], range: Range): JudgedParts {
  const pick = (answer: boolean) =>
    episodes
      .filter(({ feedback }) => feedback?.anomaly === answer)
      .map((episode) => partOf(episode, range))
      .filter(({ fromAt, toAt }) => fromAt < toAt);
  return { confirmed: pick(true), refuted: pick(false) };
}

/** The part of an episode that lies in the range; at least its first instant. */
function partOf({ startAt, endAt, feedback }: JudgedEpisode, range: Range): Range {
  const longest = feedback ? Number.POSITIVE_INFINITY : startAt + LONGEST_MS;
  const endsAt = Math.max(startAt + 1, Math.min(endAt ?? range.toAt, longest));
  return { fromAt: Math.max(startAt, range.fromAt), toAt: Math.min(endsAt, range.toAt) };
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { fromAt, toAt }) => sum + toAt - fromAt, 0);
}
