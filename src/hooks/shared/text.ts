// Templates of event texts: placeholders and their values.
import { type Static, type TOptional, type TSchema, Type } from "@sinclair/typebox";
import {
  type EventKind,
  eventKinds,
  type FeatureReport,
  type HookEvent,
  isEnd,
  tagsOfEvent,
} from "../../core/anomaly/event.ts";
import { tellChange } from "../../core/changes/sentence.ts";
import { formatSi, formatSpan } from "../../core/formats/readable.ts";
import { checkPlaceholders, fillPlaceholders } from "../../core/input/placeholder.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { formatLocalDate } from "../../core/time/time.ts";
import { bucketsOf, explain, formatTags, summarize } from "./describe.ts";
import { formatMoment, lengthOf } from "./name.ts";

/** Names of placeholders; some have a value at one of the events only. */
export const placeholders = [
  "kind",
  "episode",
  "model",
  "score",
  "severity",
  "date",
  "predicted",
  "observed",
  "reason",
  "bucket",
  "metric",
  "field",
  "tags",
  "series",
  "lower",
  "upper",
  "expected",
  "factor",
  "direction",
  "since",
  "duration",
  "level",
  "level_before",
  "change",
  "cause",
  "budget",
  "title",
  "summary",
  "description",
  "url",
] as const;
/** Characters of `{title}`, which Opsgenie and a text message take. */
export const MAX_TITLE = 130;
/** Prefix of tags: `{tag.host}` is the value of the tag `host`. */
export const TAG_PREFIX = "tag.";

type Values = Readonly<Record<(typeof placeholders)[number], string>>;

const listed = `${placeholders.map((name) => `\`{${name}}\``).join(", ")}, \`{tag.NAME}\``;

/** A text with placeholders. */
export const Text = Type.String({ maxLength: 65_536, description: `Text; placeholders ${listed}` });

/** An optional property per kind of events. */
export function perEvent<T extends TSchema>(schema: T): Record<EventKind, TOptional<T>> {
  const properties = eventKinds.map((kind) => [kind, Type.Optional(schema)]);
  return Object.fromEntries(properties) as Record<EventKind, TOptional<T>>;
}

/** A text per event. */
export const EventTexts = Type.Object(perEvent(Text), {
  additionalProperties: false,
  description: "Texts of the events, each with a default",
});
export type EventTexts = Static<typeof EventTexts>;

/** @throws TorusError `invalid` for an unknown placeholder */
export function checkText(text: string, path: string): void {
  checkPlaceholders(text, placeholders, path, TAG_PREFIX);
}

/** @throws TorusError `invalid` for an unknown placeholder */
export function checkTexts(texts: EventTexts | undefined, path: string): void {
  for (const [event, text] of Object.entries(texts ?? {})) checkText(text, `${path}.${event}`);
}

/** The value of each placeholder, those of tags by `tag.NAME`. */
export function readValues(event: HookEvent, timezone: string): Values & Readonly<Record<string, string>> {
  const { features, levelShift } = event;
  const entries = Object.entries(features);
  const pick = (part: "predicted" | "observed") =>
    JSON.stringify(Object.fromEntries(entries.map(([name, report]) => [name, report[part]])));
  const tags = Object.entries(tagsOfEvent(event)).map(([tag, value]) => [`${TAG_PREFIX}${tag}`, value]);
  const unit = levelShift && features[levelShift.feature]?.unit;
  const level = (value: number | undefined) => (value === undefined ? "" : formatSi(value, { unit }));
  return {
    ...Object.fromEntries(tags),
    kind: event.kind,
    episode: event.episode,
    model: event.model,
    score: event.score === undefined ? "" : formatScore(event.score),
    severity: event.severity ?? "",
    date: formatLocalDate(event.at, timezone),
    predicted: pick("predicted"),
    observed: pick("observed"),
    reason: entries
      .map(([name, { type, score }]) => `feature ${name} is too ${type} (score = ${formatScore(score)})`)
      .join("\n"),
    bucket: bucketsOf(event),
    metric: distinct(features, ({ metric }) => metric),
    field: distinct(features, ({ field }) => field),
    tags: formatTags(event),
    series: event.series ? describeSeries(event.series) : "",
    lower: perFeature(features, ({ lower, unit }) => formatSi(lower, { unit })),
    upper: perFeature(features, ({ upper, unit }) => formatSi(upper, { unit })),
    expected: perFeature(features, ({ predicted, unit }) => formatSi(predicted, { unit })),
    factor: perFeature(features, ({ factor }) => (factor === undefined ? "" : formatSi(factor))),
    direction: perFeature(features, ({ type }) => type),
    since: formatMoment(event.startedAt, timezone),
    duration: isEnd(event.kind) ? formatSpan(lengthOf(event)) : "",
    level: level(levelShift?.to),
    level_before: level(levelShift?.from),
    change: event.change ? tellChange(event.change) : "",
    cause: event.cause ?? "",
    budget: event.budget ?? "",
    title: cutText(summarize(event), MAX_TITLE),
    summary: summarize(event),
    description: explain(event, timezone),
    url: event.url ?? "",
  };
}

/** The value of a single feature, or `name: value` for each of several. */
function perFeature(features: HookEvent["features"], read: (report: FeatureReport) => string): string {
  const values = Object.entries(features).map(([name, report]) => [name, read(report)] as const);
  if (values.length === 1) return values[0]![1];
  return values.map(([name, value]) => `${name}: ${value}`).join(", ");
}

function distinct(
  features: HookEvent["features"],
  read: (report: FeatureReport) => string | undefined,
): string {
  return [...new Set(Object.values(features).flatMap((report) => read(report) ?? []))].join(", ");
}

/** Fills in a checked text. @param escapeValue of values, so that names form no mark-up of the receiver */
export function renderText(
  text: string,
  event: HookEvent,
  timezone: string,
  escapeValue: (value: string) => string = (value) => value,
): string {
  const values = Object.entries(readValues(event, timezone)).map(([name, value]) => [
    name,
    escapeValue(value),
  ]);
  return fillPlaceholders(text, Object.fromEntries(values));
}

/** The longest beginning of a text that fits; one that was cut ends in `...`. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 3).replace(/[\uD800-\uDBFF]$/, "")}...`;
}

/** The longest beginning of a text that fits, whole characters alone. */
export function cutBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  const head = new TextDecoder().decode(bytes.subarray(0, maxBytes - 3)).replace(/\uFFFD+$/, "");
  return `${head}…`;
}

/** One decimal: `76.0`. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}
