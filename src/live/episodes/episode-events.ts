// Events of anomalies for the outbox: start and end, also where detection itself ends; pure.
import type { HookEvent } from "../../core/anomaly/event.ts";
import { type Severity, severityOf } from "../../core/anomaly/severity.ts";
import type { EpisodeRow } from "../../store/anomalies/episodes.ts";
import { type PlannedEvent, planEvent } from "../../store/anomalies/outbox.ts";
import type { LiveState, Ongoing } from "../state.ts";
import { pickSubject, type Subject } from "./subject.ts";

/** The highest severity so far; of states of an older version, that of the start. */
export function severityOfOngoing({ severity, features }: Pick<Ongoing, "severity" | "features">): Severity {
  return severity ?? severityOf(features);
}

/** The start event of an anomaly. */
export function startEvent(
  subject: Subject,
  ongoing: Pick<
    Ongoing,
    "id" | "startedAt" | "score" | "features" | "severity" | "startSeverity" | "confidence"
  >,
): HookEvent {
  const { id, startedAt: at, score, features, startSeverity, confidence } = ongoing;
  const severity = startSeverity ?? severityOfOngoing(ongoing);
  return {
    id: `${id}:start`,
    kind: "anomaly_start",
    ...subject,
    episode: id,
    at,
    startedAt: at,
    score,
    severity,
    ...(confidence && { confidence }),
    features,
  };
}

/** The end event of an anomaly. */
export function endEvent(
  subject: Subject,
  ongoing: Pick<Ongoing, "id" | "startedAt" | "features" | "severity" | "startSeverity" | "confidence">,
  end: { at: number; score: number; closedBy?: string },
): HookEvent {
  const { id, startedAt, features, startSeverity, confidence } = ongoing;
  const durationMs = Math.max(0, end.at - startedAt);
  return {
    id: `${id}:end`,
    kind: "anomaly_end",
    ...subject,
    episode: id,
    startedAt,
    durationMs,
    severity: severityOfOngoing(ongoing),
    ...(startSeverity && { startSeverity }),
    ...(confidence && { confidence }),
    features,
    ...end,
  };
}

/** The events of a recorded anomaly: its start, and its end once it has ended. */
export function describeEpisode(episode: EpisodeRow): readonly HookEvent[] {
  const { id, startAt: startedAt, endAt, peakScore: score, features } = episode;
  const subject = pickSubject(episode);
  const [severity, confidence] = [episode.severity ?? severityOf(episode.peak), episode.confidence];
  const ongoing = {
    id,
    startedAt,
    score,
    features,
    severity,
    ...(confidence && { confidence }),
  };
  const start = startEvent(subject, ongoing);
  if (endAt === null) return [start];
  const closedBy = episode.closedBy === null ? {} : { closedBy: episode.closedBy };
  return [start, endEvent(subject, ongoing, { at: endAt, score, ...closedBy })];
}

export interface Closing {
  readonly state: LiveState;
  /** After it was closed. */
  readonly episode: EpisodeRow;
  readonly mutedUntil: number | undefined;
}

/** The end event of an anomaly that ends because detection does; undefined where its start was never announced. */
export function describeClosing({ state, episode, mutedUntil }: Closing): PlannedEvent | undefined {
  if (state.episode?.id !== episode.id || !state.episode.announced) return undefined;
  const { severity, startSeverity, confidence } = state.episode;
  const { startAt: startedAt, endAt, peakScore, closedBy } = episode;
  const end = { at: endAt ?? startedAt, score: peakScore, ...(closedBy && { closedBy }) };
  const { id, features } = episode;
  const ongoing = {
    id,
    startedAt,
    features,
    ...(severity && { severity }),
    ...(startSeverity && { startSeverity }),
    ...(confidence && { confidence }),
  };
  return planEvent(endEvent(pickSubject(episode), ongoing, end), mutedUntil);
}
