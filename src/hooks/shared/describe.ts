// Anomaly events as English sentences for mails, chats and alerts; plain text without mark-up.
import { type AnomalyEvent, type FeatureReport, rarityOf, tagsOf } from "../../core/anomaly/event.ts";
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import { formatRarity, formatSi, formatSpan } from "../../core/formats/readable.ts";
import { formatLocalDate } from "../../core/time/time.ts";

/** Metrics that descriptions leave out. */
const plainMetrics = new Set(["avg", "mean", "average"]);

/** Tag values, measurement, metric and field, as in `web-1 cpu usage_user`; for queries the name of the feature. */
export function nameFeature(name: string, { metric, field, measurement, tags = {} }: FeatureReport): string {
  const what = [measurement, field && field !== "value" ? field : undefined].filter(Boolean).join(" ");
  const whole = metric && !plainMetrics.has(metric) && what ? `${metric} of ${what}` : what || name;
  return [...Object.values(tags), whole].filter((part) => part !== "").join(" ");
}

/** Summary by the feature with the highest score: `web-1 cpu usage_user is too high: 93.4`; ends state the duration. */
export function summarize(event: AnomalyEvent): string {
  if (event.levelShift) return describeLevel(event, event.levelShift);
  const [strongest, ...others] = Object.entries(event.features).sort(([, a], [, b]) => rank(b) - rank(a));
  const isEnd = event.kind === "anomaly_end";
  const lasted = isEnd ? ` for ${formatSpan(lengthOf(event))}` : "";
  if (!strongest)
    return isEnd ? `Over: anomaly of model ${event.model}${lasted}` : `Anomaly of model ${event.model}`;
  const [name, report] = strongest;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const what = nameFeature(name, report);
  if (isEnd) return `Over: ${what} was too ${report.type}${lasted}${more}`;
  return `${what} is too ${report.type}: ${formatObserved(report)}${more}`;
}

/** `web-1 cpu usage_user is at a new level: 130, before 70`. */
function describeLevel({ features }: AnomalyEvent, { feature, from, to }: LevelShift): string {
  const report = features[feature];
  const what = report ? nameFeature(feature, report) : feature;
  return `${what} is at a new level: ${formatSi(to)}, before ${formatSi(from)}`;
}

/** `expected 10.2 (6.2 to 14.2), 20.8 times the half-width of the band` */
function describeExpected({ predicted, lower, upper, factor }: FeatureReport): string {
  const far = factor === undefined ? "" : `, ${formatSi(factor)} times the half-width of the band`;
  return `expected ${formatSi(predicted)} (${formatSi(lower)} to ${formatSi(upper)})${far}`;
}

/** `The most similar stretch of 40 intervals ended 2018-05-12 14:05:00+02:00, 3.1 deviations apart.` */
function describeNearest({ nearest }: FeatureReport, timezone: string): string[] {
  if (!nearest) return [];
  const { at, distance, points } = nearest;
  const ended = formatMoment(at * 1000, timezone);
  return [
    `The most similar stretch of ${points} intervals ended ${ended}, ${formatSi(distance)} deviations apart.`,
  ];
}

/** One line per feature. */
export function explain(event: AnomalyEvent): string {
  if (event.levelShift) return `${describeLevel(event, event.levelShift)}. What follows is compared with it.`;
  const verb = event.kind === "anomaly_end" ? "was" : "is";
  const lines = Object.entries(event.features).map(
    ([name, report]) =>
      `${nameFeature(name, report)} ${verb} too ${report.type}: ${formatObserved(report)}, ${describeExpected(report)}.`,
  );
  return lines.join("\n");
}

/** Body of a mail. */
export function composeText(event: AnomalyEvent, timezone: string): string {
  const { closedBy, test, score, severity } = event;
  const isEnd = event.kind === "anomaly_end";
  const known = explain(event);
  const rarity = rarityOf(event.features);
  const rare = rarity === undefined ? "" : `${formatRarity(rarity)} is so odd.`;
  const explained = known || (isEnd ? "" : `${summarize(event)}.`);
  return [
    ...(test ? ["This is a test, nothing has happened.", ""] : []),
    ...(isEnd ? [`The anomaly is over; it lasted ${formatSpan(lengthOf(event))}.`] : []),
    ...(closedBy === undefined ? [] : [`Closed by: ${closedBy}.`]),
    ...(explained ? [explained] : []),
    ...cautionOf(event),
    ...(rare && !event.levelShift ? [`${rare[0]!.toUpperCase()}${rare.slice(1)}`] : []),
    ...(event.levelShift ? [] : Object.values(event.features))
      .slice(0, 1)
      .flatMap((report) => describeNearest(report, timezone)),
    "",
    ...factsOf(event, timezone).map(([title, value]) => formatFact(title, value)),
    formatFact("score", score.toFixed(1)),
    ...(severity ? [formatFact("severity", severity)] : []),
  ].join("\n");
}

/** A sentence about scores that rest on little evidence. */
function cautionOf({ confidence }: AnomalyEvent): string[] {
  return confidence === "learning"
    ? ["The model is still learning: false alarms are more frequent than later."]
    : [];
}

function formatFact(title: string, value: string): string {
  return `${`${title}:`.padEnd(9)} ${value}`;
}

/** Message for a chat: the first lines of the mail. */
export function composeShort(event: AnomalyEvent, timezone: string): string {
  const facts = factsOf(event, timezone).filter(([title]) => title !== "model" && title !== "bucket");
  const reports = event.levelShift ? [] : Object.values(event.features);
  return [
    `${event.test ? "[test] " : ""}${summarize(event)}`,
    ...(reports.length > 1 ? [explain(event)] : reports.map(describeExpected)),
    ...(event.closedBy === undefined ? [] : [`Closed by: ${event.closedBy}.`]),
    ...cautionOf(event),
    `model ${event.model}; ${facts.map(([title, value]) => `${title} ${value}`).join("; ")}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** `2018-05-16 17:00:20+02:00`: to the second. */
export function formatMoment(at: number, timezone: string): string {
  return formatLocalDate(Math.floor(at / 1000) * 1000, timezone).replace(".000000", "");
}

/** `host=web-1, cpu=cpu-total` */
export function formatTags(features: AnomalyEvent["features"]): string {
  return Object.entries(tagsOf(features))
    .map(([tag, value]) => `${tag}=${value}`)
    .join(", ");
}

/** Distinct buckets of the features. */
export function bucketsOf(features: AnomalyEvent["features"]): string {
  return [...new Set(Object.values(features).flatMap(({ bucket }) => bucket ?? []))].join(", ");
}

/** Duration of the anomaly at the event, ms. */
export function lengthOf({ durationMs, at, startedAt }: AnomalyEvent): number {
  return durationMs ?? Math.max(0, at - startedAt);
}

function factsOf(event: AnomalyEvent, timezone: string): [title: string, value: string][] {
  const { model, startedAt, at, url = "", features } = event;
  const ended = event.kind === "anomaly_end" ? formatMoment(at, timezone) : "";
  const facts: [string, string][] = [
    ["since", formatMoment(startedAt, timezone)],
    ["until", ended],
    ["model", model],
    ["bucket", bucketsOf(features)],
    ["tags", formatTags(features)],
    ["link", url],
  ];
  return facts.filter(([, value]) => value !== "");
}

function formatObserved({ observed }: FeatureReport): string {
  return observed === null ? "nothing observed" : formatSi(observed);
}

function rank({ score, rarity = 0 }: FeatureReport): number {
  return score * 1000 + rarity;
}
