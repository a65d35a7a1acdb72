// Judgement of verdicts against their recipe: what was found, when, in which direction, and what was raised beside; pure.
import type { Event, Made } from "./recipes/recipe.ts";

/** An anomaly that was raised, by interval. */
export interface Raised {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly type: "low" | "high";
}

export interface Found {
  readonly event: Event;
  /** Anomalies of the event; none: it was missed. */
  readonly raised: readonly Raised[];
}

export interface Verdict {
  readonly made: Made;
  readonly found: readonly Found[];
  readonly falseAlarms: readonly Raised[];
  /** Weeks that were judged. */
  readonly weeks: number;
  /** What is wrong, in words; empty: right. */
  readonly reasons: readonly string[];
}

/** Intervals after an event in which an anomaly is still seen as its own. */
const SLACK = 2;
/** False alarms that are tolerated: those that a week is asked for. */
const PER_WEEK = 1;
const WEEK_S = 604_800;

/** @param raised in order of time */
export function judge(made: Made, raised: readonly Raised[]): Verdict {
  const { recipe, values, trained, events } = made;
  const isOf = (event: Event) => (one: Raised) => one.from < event.to + SLACK && one.to > event.from;
  const found = events.map((event) => ({ event, raised: raised.filter(isOf(event)) }));
  const falseAlarms = raised.filter((one) => !events.some((event) => isOf(event)(one)));
  const weeks = ((values.length - trained) * recipe.step) / WEEK_S;
  const { tolerated = Math.ceil(PER_WEEK * weeks) } = recipe;
  const reasons = [
    ...found.flatMap(reasonOf),
    ...(falseAlarms.length > tolerated ? [`${falseAlarms.length} false alarms`] : []),
  ];
  return { made, found, falseAlarms, weeks, reasons };
}

function reasonOf({ event, raised }: Found): string[] {
  const { endsWithin = Number.POSITIVE_INFINITY, pieces = 1 } = event;
  const [first] = raised;
  if (!first) return [`${event.name} is missed`];
  return [
    ...(first.type === (event.type ?? first.type) ? [] : [`${event.name} is ${first.type}`]),
    ...(raised.at(-1)!.to - event.to > endsWithin ? [`${event.name} ends late`] : []),
    ...(raised.length > pieces ? [`${event.name} is ${raised.length} anomalies`] : []),
  ];
}
