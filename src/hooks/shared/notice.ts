// Sentences of events other than anomalies, one entry per topic.
import { type EventTopic, type HookEvent, isEnd, tagsOfEvent, topicOf } from "../../core/anomaly/event.ts";
import { nameOfChange } from "../../core/changes/name.ts";
import { formatSi, formatSpan, formatTogether } from "../../core/formats/readable.ts";
import { formatMoment, lengthOf, nameFeature } from "./name.ts";

export interface Notice {
  /** One line without a full stop. */
  readonly summary: string;
  /** Further sentences. @param timezone IANA time zone of dates */
  explain(timezone: string): readonly string[];
}

/** Undefined for anomalies, which the reports of their features describe. */
export function noticeOf(event: HookEvent): Notice | undefined {
  const topic = topicOf(event.kind);
  return topic === "anomaly" ? undefined : notices[topic](event);
}

const notices: Readonly<Record<Exclude<EventTopic, "anomaly">, (event: HookEvent) => Notice>> = {
  level_shift: describeLevel,
  silence: describeSilence,
  source: describeSource,
  forecast: describeForecast,
  drift: describeDrift,
};

/** `web-1 cpu usage_user is at a new level: 130, before 70`. */
function describeLevel(event: HookEvent): Notice {
  const { change } = event;
  const { feature, from, to } = event.levelShift!;
  const [now, before] = formatTogether([to, from], { unit: event.features[feature]?.unit });
  return {
    summary: `${nameOf(event, feature)} is at a new level: ${now}, before ${before}`,
    explain: () => [
      ...(change ? [`It began around ${nameOfChange(change)}.`] : []),
      "What follows is compared with it.",
    ],
  };
}

/** `No points for 12 min: model cpu (host=web-1)`. */
function describeSilence(event: HookEvent): Notice {
  const tags = Object.entries(tagsOfEvent(event)).map(([tag, value]) => `${tag}=${value}`);
  const what = `model ${event.model}${tags.length > 0 ? ` (${tags.join(", ")})` : ""}`;
  const span = formatSpan(lengthOf(event));
  if (isGivenUp(event)) return only(`Points are no longer watched, after ${span} without any: ${what}`);
  if (isEnd(event.kind)) return only(`Points are back after ${span}: ${what}`);
  const { newestAt } = event.silence!;
  const known = (timezone: string) =>
    newestAt === undefined
      ? "No point was ever seen."
      : `The newest interval with points ended ${formatMoment(newestAt, timezone)}.`;
  return { summary: `No points for ${span}: ${what}`, explain: (timezone) => [known(timezone)] };
}

/** `Data source influx cannot be read for 5 min`. */
function describeSource(event: HookEvent): Notice {
  const { bucket, reason } = event.source!;
  const span = formatSpan(lengthOf(event));
  if (isGivenUp(event)) return only(`Data source ${bucket} is no longer watched, after ${span} of failures`);
  if (isEnd(event.kind)) return only(`Data source ${bucket} can be read again after ${span}`);
  return {
    summary: `Data source ${bucket} cannot be read for ${span}`,
    explain: () => [`The last error: ${reason}.`, "Models that read it detect nothing until then."],
  };
}

/** `disk used is forecast to exceed 95 in 5.2 d`. */
function describeForecast(event: HookEvent): Notice {
  const { feature, type, threshold, unit, withinMs, madeAt, level, firstAt, earliestAt, latestAt } =
    event.forecast!;
  const name = nameOf(event, feature);
  const breaks = `${type === "low" ? "fall below" : "exceed"} ${formatSi(threshold, { unit })}`;
  if (isGivenUp(event)) return only(`${name} is no longer watched: it was forecast to ${breaks}`);
  if (isEnd(event.kind) || firstAt === undefined)
    return only(`${name} is no longer forecast to ${breaks} within ${formatSpan(withinMs)}`);
  const dates = (timezone: string) => {
    const earliest = earliestAt === undefined ? "unknown" : formatMoment(earliestAt, timezone);
    const latest = latestAt === undefined ? "later than the forecast" : formatMoment(latestAt, timezone);
    return `The forecast does so on ${formatMoment(firstAt, timezone)}; its ${level} % band: ${earliest} to ${latest}.`;
  };
  return {
    summary: `${name} is forecast to ${breaks} in ${formatSpan(Math.max(0, firstAt - madeAt))}`,
    explain: (timezone) => [dates(timezone)],
  };
}

/** `cpu usage_user has changed since the training: 18 % of its points are rare`. */
function describeDrift(event: HookEvent): Notice {
  const { feature, share } = event.drift!;
  const name = nameOf(event, feature);
  if (isGivenUp(event)) return only(`${name} is no longer watched: it had changed since the training`);
  if (isEnd(event.kind)) return only(`${name} is as in the training again`);
  return {
    summary: `${name} has changed since the training: ${Math.round(100 * share)} % of its points are rare`,
    explain: () => ["A training with newer points teaches the model the change."],
  };
}

/** Whether the end says nothing of the data: as the model was stopped, or its settings changed. */
function isGivenUp({ kind, closedBy }: HookEvent): boolean {
  return isEnd(kind) && closedBy !== undefined;
}

function only(summary: string): Notice {
  return { summary, explain: () => [] };
}

function nameOf(event: HookEvent, feature: string): string {
  return nameFeature(feature, event.features[feature] ?? {}, event);
}
