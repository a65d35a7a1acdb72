// Reasons why a series is related to an anomaly, in words.
import { formatSpan } from "../formats/readable.ts";
import { describeSeries } from "../model/series-text.ts";
import { DAY_MS, HOUR_MS } from "../time/time.ts";
import type { CommonMove } from "./rank.ts";
import type { Tags } from "./tags.ts";

/** What is said of a related series; times in ms. */
interface RelationFacts {
  /** How long before the anomaly it moved; below 0: after it. Absent without an anomaly. */
  readonly leadMs?: number;
  readonly intervalMs: number;
  /** Tags in common, equal or adjacent. */
  readonly equal: Tags;
  readonly adjacent: Tags;
  /** Earlier deviations as strong, and the span they were counted in. */
  readonly past: { readonly times: number; readonly spanMs: number };
  readonly together?: { readonly times: number; readonly of: number };
  /** Share of the others that moved later, less that of those that moved earlier: -1..1. */
  readonly precedence: number;
  /** Number of the others. */
  readonly others: number;
}

/** Share of the others from which a series is said to be first. */
const FIRST_SHARE = 0.8;
/** Fewest earlier occasions that are spoken of. */
const FEWEST_EARLIER = 3;

export function reasonsOf(facts: RelationFacts): string[] {
  const { leadMs, intervalMs, past, together, precedence, others } = facts;
  return [
    ...(leadMs === undefined ? [] : [leadText(leadMs, intervalMs)]),
    ...(others > 1 && precedence >= FIRST_SHARE ? [`moved before nearly all of the ${others} others`] : []),
    ...sharedTexts(facts),
    ...(together && together.of >= FEWEST_EARLIER && together.times > 0
      ? [`deviated beside it in ${together.times} of ${together.of} earlier cases`]
      : []),
    ...pastTexts(past),
  ];
}

function leadText(leadMs: number, intervalMs: number): string {
  if (Math.abs(leadMs) < intervalMs) return "moved at the same time";
  return leadMs > 0 ? `moved ${formatSpan(leadMs)} before it` : `moved ${formatSpan(-leadMs)} after it`;
}

function sharedTexts({ equal, adjacent }: RelationFacts): string[] {
  const pairs = Object.entries(equal).map(([tag, value]) => `${tag}=${value}`);
  return [
    ...(pairs.length > 0 ? [`shares ${pairs.join(", ")}`] : []),
    ...Object.values(adjacent).map((value) => `${value} is named in the tags of both`),
  ];
}

/** Of hours, nothing: they tell little. Of less, that nothing is known. */
function pastTexts({ times, spanMs }: RelationFacts["past"]): string[] {
  if (spanMs < HOUR_MS) return ["less than an hour of earlier scores to compare with"];
  if (spanMs < DAY_MS) return [];
  const span = spanMs < 2 * DAY_MS ? formatSpan(spanMs) : `${Math.round(spanMs / DAY_MS)} days`;
  if (times === 0) return [`never deviated this much in ${span} before`];
  return [`deviated this much ${times === 1 ? "once" : `${times} times`} in ${span} before`];
}

interface Summary {
  /** Series that are watched, and those that deviated in the window. */
  readonly watched: number;
  readonly moved: number;
  readonly common: CommonMove | undefined;
  /** The most probable cause, in words; absent: nothing is related. */
  readonly first?: {
    readonly name: string;
    readonly confidence: number;
    readonly reasons: readonly string[];
  };
  /** Number of the others that are related. */
  readonly others: number;
  /** Confidence that the anomaly itself came first; absent without one. */
  readonly ownConfidence?: number;
}

/** `latency of db (service=db)`; a model of the name of its feature is named once. */
export function nameMoved({
  feature,
  model,
  series,
}: {
  readonly feature: string;
  readonly model: string;
  readonly series?: Tags;
}): string {
  const name = feature === model ? feature : `${feature} of ${model}`;
  return series ? `${name} (${describeSeries(series)})` : name;
}

/** One or two sentences for a person who was paged. */
export function summarize(summary: Summary): string {
  const { common, first, others, ownConfidence } = summary;
  const shared =
    common && `${percent(common.share)} of all series moved at one time: look for a cause common to all.`;
  if (!first) return shared ?? nothingMoved(summary);
  const rest = others > 0 ? ` ${others} more moved with it.` : "";
  const cause =
    ownConfidence !== undefined && ownConfidence >= first.confidence
      ? `It moved first itself (${percent(ownConfidence)}); the next is ${because(first, 1)}.`
      : `The most probable cause is ${because({ ...first, name: `${first.name} (${percent(first.confidence)})` }, 2)}.`;
  return [shared, `${cause}${rest}`].filter(Boolean).join(" ");
}

/** Without an anomaly, of a range. */
function nothingMoved({ watched, moved, ownConfidence }: Summary): string {
  const isRange = ownConfidence === undefined;
  if (watched === 0)
    return isRange
      ? "There was no series to look at: check the tags, the range and what is live."
      : "There was no other series to look at.";
  const [what, when] = isRange ? ["Nothing", "in this range"] : ["Nothing else", "around this time"];
  const deviated = moved === 0 ? `none deviated ${when}` : `${moved} deviated ${when}, as by chance`;
  return `${what} moved unusually: of ${watched} series ${deviated}.`;
}

function because(
  { name, reasons }: { readonly name: string; readonly reasons: readonly string[] },
  most: number,
): string {
  return reasons.length > 0 ? `${name}: ${reasons.slice(0, most).join(", ")}` : name;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
