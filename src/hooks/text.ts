// Texts about an event: the values of placeholders, and how they are filled in.
import { type Static, Type } from "@sinclair/typebox";
import type { AnomalyEvent } from "../core/event.ts";
import { checkPlaceholders, fillPlaceholders } from "../core/placeholder.ts";
import { formatLocalDate } from "../core/time.ts";

/** What a text may refer to; not all of them have a value at both events. */
export const placeholders = ["model", "score", "date", "predicted", "observed", "reason"] as const;

type Values = Readonly<Record<(typeof placeholders)[number], string>>;

/** A text with placeholders. */
export const Text = Type.String({
  maxLength: 65_536,
  description: "Text; placeholders `{model}`, `{score}`, `{date}`, `{predicted}`, `{observed}`, `{reason}`",
});

/** One text per event, each with a default. */
export const EventTexts = Type.Object(
  { anomaly_start: Type.Optional(Text), anomaly_end: Type.Optional(Text) },
  { additionalProperties: false, description: "Texts of the two events; each has a default" },
);
export type EventTexts = Static<typeof EventTexts>;

/** @throws TorusError `invalid` for an unknown placeholder */
export function checkText(text: string, path: string): void {
  checkPlaceholders(text, placeholders, path);
}

/** @throws TorusError `invalid` for an unknown placeholder */
export function checkTexts(texts: EventTexts | undefined, path: string): void {
  for (const [event, text] of Object.entries(texts ?? {})) checkText(text, `${path}.${event}`);
}

/** The value of each placeholder. */
export function readValues(event: AnomalyEvent, timezone: string): Values {
  const features = Object.entries(event.features);
  const pick = (part: "predicted" | "observed") =>
    JSON.stringify(Object.fromEntries(features.map(([name, report]) => [name, report[part]])));
  return {
    model: event.model,
    score: formatScore(event.score),
    date: formatLocalDate(event.at, timezone),
    predicted: pick("predicted"),
    observed: pick("observed"),
    reason: features
      .map(([name, { type, score }]) => `feature ${name} is too ${type} (score = ${formatScore(score)})`)
      .join("\n"),
  };
}

/** Fills a checked text in. */
export function renderText(text: string, event: AnomalyEvent, timezone: string): string {
  return fillPlaceholders(text, readValues(event, timezone));
}

/** What is said of an event where nobody has said how. */
export function defaultText({ kind, closedBy, features, test }: AnomalyEvent): string {
  const mark = test ? "This is a test, nothing has happened.\n\n" : "";
  if (kind === "anomaly_end") {
    const why = closedBy === undefined ? "" : ` Closed by: ${escapeBraces(closedBy)}.`;
    return `${mark}The anomaly of model {model} ended at {date} (score = {score}).${why}`;
  }
  const details =
    Object.keys(features).length > 0 ? "\n\n{reason}\n\nobserved: {observed}\nexpected: {predicted}" : "";
  return `${mark}Model {model} detected an anomaly at {date} (score = {score}).${details}`;
}

function escapeBraces(text: string): string {
  return text.replace(/[{}]/g, "$&$&");
}

/** One digit behind the point: `76.0`. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}
