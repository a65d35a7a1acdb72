// Events as alerts: labels, annotations and times in the format of Alertmanager.
import { type EventTopic, type HookEvent, isStart, tagsOfEvent, topicOf } from "../../core/anomaly/event.ts";
import type { Severity } from "../../core/anomaly/severity.ts";
import { tellChange } from "../../core/changes/sentence.ts";
import { formatDate } from "../../core/time/time.ts";
import { explain, summarize } from "./describe.ts";
import { formatScore, readValues } from "./text.ts";

interface Alert {
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

const alertNames: Readonly<Record<EventTopic, string>> = {
  anomaly: "TorusAnomaly",
  level_shift: "TorusAnomaly",
  silence: "TorusSilence",
  source: "TorusSource",
  forecast: "TorusForecast",
  drift: "TorusDrift",
};

/** The alert of an event. @param labels override `alertname`, `severity` and tags */
export function toAlert(
  event: HookEvent,
  { timezone, labels = {} }: { timezone: string; labels?: Readonly<Record<string, string>> | undefined },
): Alert {
  const { observed, predicted } = readValues(event, timezone);
  const description = explain(event, timezone);
  const units = Object.entries(event.features).flatMap(([name, { unit }]) => (unit ? [[name, unit]] : []));
  const ended = !isStart(event.kind);
  const feature = event.forecast?.feature ?? Object.keys(event.features).join(",");
  return {
    labels: {
      alertname: alertNames[topicOf(event.kind)],
      severity: labelledSeverity(event),
      ...tagLabels(event),
      ...labels,
      ...(event.source ? { bucket: event.source.bucket } : { model: event.model }),
      ...(feature && { feature }),
      ...(event.test && { test: "true" }),
    },
    annotations: {
      summary: summarize(event),
      ...(description && { description }),
      ...(description && event.score !== undefined && { observed, expected: predicted }),
      ...(event.change && { change: tellChange(event.change) }),
      ...(units.length > 0 && { unit: JSON.stringify(Object.fromEntries(units)) }),
      ...(event.score !== undefined && { score: formatScore(event.score) }),
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
function labelledSeverity({ kind, severity, startSeverity }: HookEvent): Severity {
  return (isStart(kind) ? severity : startSeverity) ?? "warning";
}

/** Tags as labels with valid names, prefixed by `tag_` where reserved; empty values are left out. */
function tagLabels(event: HookEvent): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tagsOfEvent(event))) {
    const clean = tag.replace(/[^a-zA-Z0-9_]/g, "_");
    const name = reserved.has(clean) || !/^(?!__)[a-zA-Z_]/.test(clean) ? `tag_${clean}` : clean;
    if (value !== "" && !Object.hasOwn(labels, name)) labels[name] = value;
  }
  return labels;
}
