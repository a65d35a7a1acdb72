// Attribution of an anomaly to the changes before it: by time, by tags, and by how often the like of it happened.
import { DAY_MS, HOUR_MS } from "../time/time.ts";
import type { ChangeTags, RecordedChange } from "./change.ts";
import { compareTags, type TagValues } from "./tags.ts";

/** How long after a change an anomaly may begin; models of longer intervals need several. */
const WINDOW_MS = HOUR_MS;
const WINDOW_INTERVALS = 3;
/** Changes of an answer. */
const MAX_ATTRIBUTED = 3;
/** Earlier changes that count in the history, and how far it reaches back. */
const HISTORY_CHANGES = 5;
export const HISTORY_MS = 90 * DAY_MS;
/** Over which the usual number of anomalies is counted, and the least where the model is younger. */
const BASE_MS = 30 * DAY_MS;
const LEAST_BASE_MS = DAY_MS;
/** Anomalies of a window by chance, from which on a change explains none. */
const CHANCE = 0.5;

/** The anomaly to explain. */
export interface Subject {
  /** Start of the interval that started it, ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  /** How much earlier or later it may have begun; default: not at all. */
  readonly slackMs?: number;
  /** Values of each tag of its features and its series. */
  readonly tags: TagValues;
}

/** What is known of the past. */
export interface Past {
  /** Starts of earlier anomalies of the same model, or of the same series of a fleet, ms since the epoch. */
  readonly starts: readonly number[];
  /** Since when they are recorded, ms since the epoch. */
  readonly sinceAt: number;
}

/** A change that may be the cause. */
export interface Attribution extends Pick<RecordedChange, "id" | "title" | "kind" | "at"> {
  readonly url?: string;
  /** From its begin to the anomaly, ms. */
  readonly delayMs: number;
  /** Tags that both have. */
  readonly shared: ChangeTags;
  /** How many of the last changes like it were followed by an anomaly. */
  readonly history: { readonly followed: number; readonly of: number };
}

/** How long after a change an anomaly may begin, ms. */
export function windowOf(intervalMs: number): number {
  return intervalMs > WINDOW_MS ? WINDOW_INTERVALS * intervalMs : WINDOW_MS;
}

interface History {
  readonly subject: Subject;
  readonly changes: readonly RecordedChange[];
  readonly past: Past;
}

/** A change that fits an anomaly by time and tags. */
export interface Candidate {
  readonly change: RecordedChange;
  readonly shared: ChangeTags;
}

/**
 * Changes that fit an anomaly, the likeliest first: those that share a tag, then those that share a value under another
 * tag, then those without tags; of equal ones the last.
 * @returns at most `MAX_ATTRIBUTED`
 */
export function findCandidates(subject: Subject, changes: readonly RecordedChange[]): Candidate[] {
  const fitting = changes.flatMap((change) => {
    const match = isNear(change, subject) && compareTags(change.tags, subject.tags);
    return match ? [{ change, ...match }] : [];
  });
  fitting.sort((a, b) => a.rank - b.rank || b.change.at - a.change.at);
  return fitting.slice(0, MAX_ATTRIBUTED).map(({ change, shared }) => ({ change, shared }));
}

/**
 * Candidates with their history.
 * @param changes of `HISTORY_MS` before the anomaly, in any order
 * @returns none where an anomaly within the window is no surprise
 */
export function attribute(
  candidates: readonly Candidate[],
  { subject, changes, past }: History,
): Attribution[] {
  if (expectedByChance(subject, past) >= CHANCE) return [];
  return candidates.map(({ change, shared }) => {
    const { id, title, kind, at, url } = change;
    const delayMs = Math.max(0, subject.startAt - at);
    const history = countFollowed({ change, shared }, { subject, changes, past });
    return { id, title, kind, at, ...(url !== null && { url }), delayMs, shared, history };
  });
}

/** Number of anomalies that a window has without any change. */
function expectedByChance({ startAt, intervalMs }: Subject, { starts, sinceAt }: Past): number {
  const spanMs = Math.min(BASE_MS, Math.max(LEAST_BASE_MS, startAt - sinceAt));
  const count = starts.filter((at) => at < startAt && at >= startAt - spanMs).length;
  return (count * windowOf(intervalMs)) / spanMs;
}

/** Whether an anomaly began within the window; it may have begun anywhere in its first interval. */
function isNear(
  { at, endAt }: Pick<RecordedChange, "at" | "endAt">,
  { startAt, intervalMs, slackMs = 0 }: Subject,
): boolean {
  const windowMs = windowOf(intervalMs) + slackMs;
  return at <= startAt + intervalMs + slackMs && startAt <= (endAt ?? at) + windowMs;
}

/** The last changes of the same kind that share the same tags, and how many an anomaly followed. */
function countFollowed(
  { change, shared }: Candidate,
  { subject, changes, past }: History,
): Attribution["history"] {
  const needed = Object.entries(shared);
  const isLike = ({ kind, tags }: RecordedChange) =>
    kind === change.kind &&
    (needed.length === 0
      ? Object.keys(tags).length === 0
      : needed.every(([tag, value]) => tags[tag] === value));
  const earlier = changes
    .filter((other) => other.at < change.at && other.at >= change.at - HISTORY_MS && isLike(other))
    .sort((a, b) => b.at - a.at)
    .slice(0, HISTORY_CHANGES);
  const followed = earlier.filter((other) =>
    past.starts.some((startAt) => startAt < subject.startAt && isNear(other, { ...subject, startAt })),
  );
  return { followed: followed.length, of: earlier.length };
}
