// Events of anomalies for the outbox: start and end, also where detection itself ends; pure.
import { type EventSubject, type HookEvent, subjectOf } from "../core/anomaly/event.ts";
import { type Severity, severityOf } from "../core/anomaly/severity.ts";
import type { EpisodeRow } from "../store/anomalies/episodes.ts";
import { type PlannedEvent, planEvent } from "../store/anomalies/outbox.ts";
import type { LiveState, Ongoing } from "./state.ts";

/** The highest severity so far; of states of an older version, that of the start. */
export function severityOfOngoing({ severity, features }: Pick<Ongoing, "severity" | "features">): Severity {
  return severity ?? severityOf(features);
}

/** The start event of an anomaly. */
export function startEvent(
  model: string,
  ongoing: Pick<
    Ongoing,
    "id" | "startedAt" | "score" | "features" | "severity" | "startSeverity" | "confidence"
  >,
  subject: EventSubject = {},
): HookEvent {
  const { id, startedAt: at, score, features, startSeverity, confidence } = ongoing;
  const severity = startSeverity ?? severityOfOngoing(ongoing);
  return {
    id: `${id}:start`,
    kind: "anomaly_start",
    model,
    episode: id,
    at,
    startedAt: at,
    score,
    severity,
    ...(confidence && { confidence }),
    ...subject,
    features,
  };
}

/** The end event of an anomaly. */
export function endEvent(
  model: string,
  ongoing: Pick<Ongoing, "id" | "startedAt" | "features" | "severity" | "startSeverity" | "confidence">,
  end: EventSubject & { at: number; score: number; closedBy?: string },
): HookEvent {
  const { id, startedAt, features, startSeverity, confidence } = ongoing;
  const durationMs = Math.max(0, end.at - startedAt);
  return {
    id: `${id}:end`,
    kind: "anomaly_end",
    model,
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
  const { id, model, startAt: startedAt, endAt, peakScore: score, features } = episode;
  const [severity, confidence] = [episode.severity ?? severityOf(episode.peak), episode.confidence];
  const ongoing = {
    id,
    startedAt,
    score,
    features,
    severity,
    ...(confidence && { confidence }),
  };
  const subject = subjectOf(episode);
  const start = startEvent(model, ongoing, subject);
  if (endAt === null) return [start];
  const closedBy = episode.closedBy === null ? {} : { closedBy: episode.closedBy };
  return [start, endEvent(model, ongoing, { at: endAt, score, ...closedBy, ...subject })];
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
  const { model, startAt: startedAt, endAt, peakScore, closedBy } = episode;
  const reason = closedBy && { closedBy };
  const end = { at: endAt ?? startedAt, score: peakScore, ...reason, ...subjectOf(episode) };
  const { id, features } = episode;
  const ongoing = {
    id,
    startedAt,
    features,
    ...(severity && { severity }),
    ...(startSeverity && { startSeverity }),
    ...(confidence && { confidence }),
  };
  return planEvent(endEvent(model, ongoing, end), mutedUntil);
}
