// An event as an alert: labels, annotations and times as Alertmanager has them.
import { type AnomalyEvent, tagsOf } from "../../core/anomaly/event.ts";
import { formatDate } from "../../core/time/time.ts";
import { explain, summarize } from "./describe.ts";
import { formatScore, readValues } from "./text.ts";

export interface Alert {
  /** The same at the start and at the end: they identify the alert. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  /** Absent while the anomaly lasts. */
  readonly endsAt?: string;
  /** Where the event has an address. */
  readonly generatorURL?: string;
}

/** Labels that say what the alert is; no tag takes their place. */
const reserved = new Set(["alertname", "severity", "model", "feature", "test"]);

/** The alert of an event. @param labels further ones, also in place of `alertname`, `severity` and tags */
export function toAlert(
  event: AnomalyEvent,
  { timezone, labels = {} }: { timezone: string; labels?: Readonly<Record<string, string>> | undefined },
): Alert {
  const { observed, predicted } = readValues(event, timezone);
  const description = explain(event);
  const ended = event.kind === "anomaly_end";
  const feature = Object.keys(event.features).join(",");
  return {
    labels: {
      alertname: "TorusAnomaly",
      severity: "warning",
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
      episode: event.episode,
      ...(event.closedBy !== undefined && { closed_by: event.closedBy }),
    },
    startsAt: formatDate(event.startedAt),
    ...(ended && { endsAt: formatDate(Math.max(event.at, event.startedAt)) }),
    ...(event.url !== undefined && { generatorURL: event.url }),
  };
}

/** Tags as labels: names become legal, `tag_` goes before one that is taken; empty values are no labels. */
function tagLabels({ features }: AnomalyEvent): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [tag, value] of Object.entries(tagsOf(features))) {
    const clean = tag.replace(/[^a-zA-Z0-9_]/g, "_");
    const name = reserved.has(clean) || !/^(?!__)[a-zA-Z_]/.test(clean) ? `tag_${clean}` : clean;
    if (value !== "" && !Object.hasOwn(labels, name)) labels[name] = value;
  }
  return labels;
}
