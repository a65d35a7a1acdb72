// An event as an alert: labels, annotations and times as Alertmanager has them.
import type { AnomalyEvent } from "../core/event.ts";
import { formatDate } from "../core/time.ts";
import { formatScore, readValues } from "./text.ts";

export interface Alert {
  /** The same at the start and at the end: they tell which alert it is. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  /** Absent while the anomaly lasts. */
  readonly endsAt?: string;
}

/** The alert of an event. */
export function toAlert(
  event: AnomalyEvent,
  { timezone, labels = {} }: { timezone: string; labels?: Readonly<Record<string, string>> | undefined },
): Alert {
  const { reason, observed, predicted } = readValues(event, timezone);
  const ended = event.kind === "anomaly_end";
  const score = formatScore(event.score);
  return {
    labels: {
      alertname: "TorusAnomaly",
      severity: "warning",
      ...labels,
      model: event.model,
      ...(event.test && { test: "true" }),
    },
    annotations: {
      summary: `Model ${event.model}: anomaly ${ended ? "ended" : "detected"} (score = ${score})`,
      ...(reason && { description: reason, observed, expected: predicted }),
      score,
      episode: event.episode,
      ...(event.closedBy !== undefined && { closed_by: event.closedBy }),
    },
    startsAt: formatDate(event.startedAt),
    ...(ended && { endsAt: formatDate(Math.max(event.at, event.startedAt)) }),
  };
}
