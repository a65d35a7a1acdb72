// Anomaly events as alerts: labels, annotations and times in the format of Alertmanager.
import { type AnomalyEvent, tagsOf } from "../../core/anomaly/event.ts";
import type { Severity } from "../../core/anomaly/severity.ts";
import { formatDate } from "../../core/time/time.ts";
import { explain, summarize } from "./describe.ts";
import { formatScore, readValues } from "./text.ts";

export interface Alert {
  /** Identify the alert: the same at start and end. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  /** Absent while the anomaly lasts. */
  readonly endsAt?: string;
  /** Absent: the event has no link. */
  readonly generatorURL?: string;
}

/** Labels that tags must not replace. */
const reserved = new Set(["alertname", "severity", "model", "feature", "test"]);

/** The alert of an event. @param labels override `alertname`, `severity` and tags */
export function toAlert(
  event: AnomalyEvent,
  { timezone, labels = {} }: { timezone: string; labels?: Readonly<Record<string, string>> | undefined },
): Alert {
  const { observed, predicted } = readValues(event, timezone);
  const description = explain(event);
  const ended = event.kind !== "anomaly_start";
  const feature = Object.keys(event.features).join(",");
  return {
    labels: {
      alertname: "TorusAnomaly",
      severity: labelledSeverity(event),
      ...tagLabels(event),
      ...labels,
      model: event.model,
      ...(feature && { feature }),
      ...(event.test && { test: "true" }),
    },
    annotations: {
      summary: summarize(event),
      ...(description && { description, observed, expected: predicted }),
      score: formatScore(event.score),
      ...(event.severity && { severity: event.severity }),
      ...(event.confidence && { confidence: event.confidence }),
      episode: event.episode,
      ...(event.closedBy !== undefined && { closed_by: event.closedBy }),
    },
    startsAt: formatDate(event.startedAt),
    ...(ended && { endsAt: formatDate(Math.max(event.at, event.startedAt)) }),
    ...(event.url !== undefined && { generatorURL: event.url }),
  };
}

/** That of the start, as labels must not change while the alert lasts; those of an older version were all warnings. */
function labelledSeverity({ kind, severity, startSeverity }: AnomalyEvent): Severity {
  return (kind === "anomaly_start" ? severity : startSeverity) ?? "warning";
}

/** Tags as labels with valid names, prefixed by `tag_` where reserved; empty values are left out. */
function tagLabels({ features }: AnomalyEvent): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tagsOf(features))) {
    const clean = tag.replace(/[^a-zA-Z0-9_]/g, "_");
    const name = reserved.has(clean) || !/^(?!__)[a-zA-Z_]/.test(clean) ? `tag_${clean}` : clean;
    if (value !== "" && !Object.hasOwn(labels, name)) labels[name] = value;
  }
  return labels;
}
