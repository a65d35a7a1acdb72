// Events as English sentences for mails, chats and alerts; plain text without mark-up.
import type { JudgementUrls } from "../../core/access/judgement-link.ts";
import {
  type FeatureReport,
  type HookEvent,
  isEnd,
  rarityOf,
  tagsOfEvent,
} from "../../core/anomaly/event.ts";
import { compareStrength } from "../../core/anomaly/reports/strongest.ts";
import { isWithinBand, oddityOf } from "../../core/anomaly/reports/within-band.ts";
import { tellChange } from "../../core/changes/sentence.ts";
import { formatRarity, formatSi, formatSpan, formatTogether } from "../../core/formats/readable.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { formatMoment, lengthOf, nameFeature } from "./name.ts";
import { noticeOf } from "./notice.ts";

/** Summary by the feature with the highest score: `web-1 cpu usage_user is too high: 93.4`; ends state the duration. */
export function summarize(event: HookEvent): string {
  const notice = noticeOf(event);
  if (notice) return notice.summary;
  const [strongest, ...others] = byStrength(event);
  const isEnd = event.kind === "anomaly_end";
  const lasted = isEnd ? ` for ${formatSpan(lengthOf(event))}` : "";
  if (event.scope) return `${isEnd ? "Over: anomaly" : "Anomaly"} of ${describeFleet(event)}${lasted}`;
  if (!strongest) {
    const of = `model ${event.model}${event.series ? ` (${describeSeries(event.series)})` : ""}`;
    return isEnd ? `Over: anomaly of ${of}${lasted}` : `Anomaly of ${of}`;
  }
  const [name, report] = strongest;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const what = nameFeature(name, report, event);
  if (isEnd) return `Over: ${what} was ${oddityOf(report)}${lasted}${more}`;
  return `${what} is ${oddityOf(report)}: ${formatObserved(report)}${more}`;
}

/** `40 % of the series of model cpu` */
function describeFleet({ model, share }: HookEvent): string {
  const part = share === undefined ? "many" : `${Math.round(100 * share)} %`;
  return `${part} of the series of model ${model}`;
}

/** `expected 10.2 (6.2 to 14.2), 20.8 times the half-width of the band`; within the band, what is odd instead. */
function describeExpected(report: FeatureReport): string {
  const { factor, explanation } = report;
  const { predicted, lower, upper } = numbersOf(report);
  const range = `expected ${predicted} (${lower} to ${upper})`;
  if (explanation && isWithinBand(report)) return `${range}: ${explanation}`;
  const far = factor === undefined ? "" : `, ${formatSi(factor)} times the half-width of the band`;
  return `${range}${far}`;
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
export function explain(event: HookEvent, timezone: string): string {
  const notice = noticeOf(event);
  if (notice) return [`${notice.summary}.`, ...notice.explain(timezone)].join(" ");
  const verb = event.kind === "anomaly_end" ? "was" : "is";
  const lines = byStrength(event).map(
    ([name, report]) =>
      `${nameFeature(name, report, event)} ${verb} ${oddityOf(report)}: ${formatObserved(report)}, ${describeExpected(report)}.`,
  );
  return lines.join("\n");
}

/** Body of a mail. */
export function composeText(event: HookEvent, timezone: string): string {
  const { closedBy, test, score, severity } = event;
  return [
    ...(test ? ["This is a test, nothing has happened.", ""] : []),
    ...(event.kind === "anomaly_end"
      ? [`The anomaly is over; it lasted ${formatSpan(lengthOf(event))}.`]
      : []),
    ...(closedBy === undefined ? [] : [`Closed by: ${closedBy}.`]),
    ...explanationOf(event, timezone),
    "",
    ...factsOf(event, timezone).map(([title, value]) => formatFact(title, value)),
    ...(score === undefined ? [] : [formatFact("score", score.toFixed(1))]),
    ...(severity ? [formatFact("severity", severity)] : []),
    ...judgementOf(event),
  ].join("\n");
}

/** Links that ask for a judgement. */
function judgementOf({ judge }: HookEvent): string[] {
  return judge
    ? ["", "Was it an anomaly? A page asks once more before anything changes.", ...listLinks(judge)]
    : [];
}

/** Labels of buttons that judge, with their links. */
export function buttonsOf({ real, noise, mute }: JudgementUrls): readonly (readonly [string, string])[] {
  return [
    ["It was one", real],
    ["Noise", noise],
    ["Mute 2 h", mute],
  ];
}

/** A line of a chat message with the links, in the form of the receiver; none where there are no links. */
export function judgementLine({ judge }: HookEvent, link: (label: string, url: string) => string): string[] {
  if (!judge) return [];
  const { real, noise, mute } = judge;
  return [`Was it an anomaly? ${link("Yes", real)} · ${link("Noise", noise)} · ${link("Mute 2 h", mute)}`];
}

/** A line per link. */
export function listLinks({ real, noise, mute }: JudgementUrls): string[] {
  return [formatFact("yes", real), formatFact("noise", noise), formatFact("mute 2 h", mute)];
}

function explanationOf(event: HookEvent, timezone: string): string[] {
  if (noticeOf(event)) return [explain(event, timezone)];
  const known = explain(event, timezone);
  const explained = known || (event.kind === "anomaly_end" ? "" : `${summarize(event)}.`);
  const rarity = rarityOf(event.features);
  const rare = rarity === undefined ? "" : `${formatRarity(rarity)} is so odd.`;
  const [first] = Object.values(event.features);
  return [
    ...(explained ? [explained] : []),
    ...causeOf(event),
    ...cautionOf(event),
    ...(rare ? [`${rare[0]!.toUpperCase()}${rare.slice(1)}`] : []),
    ...(first ? describeNearest(first, timezone) : []),
  ];
}

/** Sentences about the change before it, what moved before it, and the error budget. */
function causeOf({ change, cause, budget }: HookEvent): string[] {
  return [
    ...(change ? [`It began ${tellChange(change)}.`] : []),
    ...(cause === undefined ? [] : [`The most probable cause is ${cause}.`]),
    ...(budget ? [`${budget[0]!.toUpperCase()}${budget.slice(1)}.`] : []),
  ];
}

/** A sentence about scores that rest on little evidence. */
function cautionOf({ confidence }: HookEvent): string[] {
  return confidence === "learning"
    ? ["The model is still learning: false alarms are more frequent than later."]
    : [];
}

function formatFact(title: string, value: string): string {
  return `${`${title}:`.padEnd(9)} ${value}`;
}

/** The summary as a title, which marks a test. */
export function titleOf(event: HookEvent): string {
  return `${event.test ? "[test] " : ""}${summarize(event)}`;
}

/** Sentences of a message below its title: the first lines of the mail. */
export function tellShort(event: HookEvent, timezone: string): string[] {
  const notice = noticeOf(event);
  const reports = notice ? [] : Object.values(event.features);
  return [
    ...(notice?.explain(timezone) ?? []),
    ...(reports.length > 1 ? explain(event, timezone).split("\n") : reports.map(describeExpected)),
    ...(event.closedBy === undefined ? [] : [`Closed by: ${event.closedBy}.`]),
    ...causeOf(event),
    ...cautionOf(event),
  ].filter((line) => line !== "");
}

/** Message for a chat: title, sentences, and a line of facts. */
export function composeShort(event: HookEvent, timezone: string): string {
  const facts = factsOf(event, timezone).filter(([title]) => title !== "model" && title !== "bucket");
  const listed = facts.map(([title, value]) => `${title} ${value}`).join("; ");
  const place = event.source ? "" : `model ${event.model}; `;
  return [titleOf(event), ...tellShort(event, timezone), `${place}${listed}`].join("\n");
}

/** `host=web-1, cpu=cpu-total` */
export function formatTags(event: HookEvent): string {
  return Object.entries(tagsOfEvent(event))
    .map(([tag, value]) => `${tag}=${value}`)
    .join(", ");
}

/** Distinct buckets of the features; of a failure, the one that cannot be read. */
export function bucketsOf({ source, features }: HookEvent): string {
  if (source) return source.bucket;
  return [...new Set(Object.values(features).flatMap(({ bucket }) => bucket ?? []))].join(", ");
}

/** When, where and what of an event, without those that are unknown. */
export function factsOf(event: HookEvent, timezone: string): [title: string, value: string][] {
  const { model, startedAt, at, url = "" } = event;
  const ended = isEnd(event.kind) ? formatMoment(at, timezone) : "";
  const facts: [string, string][] = [
    ["since", formatMoment(startedAt, timezone)],
    ["until", ended],
    ["model", event.source ? "" : model],
    ["bucket", bucketsOf(event)],
    ["tags", formatTags(event)],
    ["link", url],
  ];
  return facts.filter(([, value]) => value !== "");
}

function formatObserved(report: FeatureReport): string {
  return numbersOf(report).observed ?? "nothing observed";
}

/** The numbers of a report in the digits in which they differ; `observed` is absent where nothing was. */
function numbersOf({ observed, predicted, lower, upper, unit }: FeatureReport) {
  const numbers = [predicted, lower, upper, ...(observed === null ? [] : [observed])];
  const texts = formatTogether(numbers, { scale: upper - lower, unit });
  return { predicted: texts[0]!, lower: texts[1]!, upper: texts[2]!, observed: texts[3] };
}

function byStrength({ features }: HookEvent): [name: string, report: FeatureReport][] {
  return Object.entries(features).sort(([, a], [, b]) => compareStrength(a, b));
}
