// Known events: times that a calendar announces as unlike others; trainings leave them out, and no anomaly starts in them; pure.
import { type Static, Type } from "@sinclair/typebox";
import { Name } from "../input/name.ts";
import type { Range } from "../series/grid.ts";
import type { Calendars } from "./calendar.ts";

export const KnownEvents = Type.Object(
  { calendar: { ...Name, description: "Name of the calendar that holds them" } },
  {
    additionalProperties: false,
    description:
      "Events that make the series unlike itself, such as a sale or maintenance: trainings leave them out, no anomaly starts in them and nothing is notified; scores stay. Takes effect at once, on trainings with the next one",
    examples: [{ calendar: "sales" }],
  },
);
export type KnownEvents = Static<typeof KnownEvents>;

interface KnownEventsSettings {
  readonly known_events?: KnownEvents;
  readonly timezone?: string;
}

/** The known events of a model that share an instant with a range, by start; instants are left out. */
export function knownEventsIn(
  { known_events: known, timezone }: KnownEventsSettings,
  calendars: Calendars,
  range: Range,
): Range[] {
  const calendar = known && calendars.get(known.calendar);
  if (!calendar) return [];
  return calendar
    .occurrencesIn(range, timezone)
    .filter(({ fromAt, toAt }) => fromAt < toAt)
    .map(({ fromAt, toAt }) => ({ fromAt, toAt }));
}

/** Caps the score that may start an anomaly at 0 for the intervals that share an instant with a known event. */
export function capKnown<P extends { readonly at: number }>(
  points: readonly P[],
  intervalMs: number,
  events: readonly Range[],
): readonly (P & { readonly startCap?: number })[] {
  if (events.length === 0) return points;
  return points.map((point) => {
    const isKnown = events.some(({ fromAt, toAt }) => point.at < toAt && point.at + intervalMs > fromAt);
    return isKnown ? { ...point, startCap: 0 } : point;
  });
}
