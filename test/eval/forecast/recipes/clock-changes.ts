// Recipes of clock changes: office hours and evenings stay at their local time, days at their local midnight.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { isWeekend, officeHours, twoPeaks, weekShape } from "./shapes.ts";
import {
  DAY,
  every,
  HOUR,
  type LocalTime,
  localMidnights,
  localTimeOf,
  MINUTE,
  secondsOf,
} from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

const zones = {
  "Europe/Berlin": { spring: "2024-03-31", autumn: "2024-10-27" },
  "America/New_York": { spring: "2024-03-10", autumn: "2024-11-03" },
} as const;
type Zone = keyof typeof zones;

const shapes = {
  "office hours": (time: LocalTime) => (isWeekend(time) ? 0 : officeHours(time)),
  "two peaks": twoPeaks,
} as const;

interface Change {
  readonly zone: Zone;
  readonly season: "spring" | "autumn";
  readonly shape: keyof typeof shapes;
  readonly minutes: number;
  /** Days from the midnight before the change to the end of the history. */
  readonly end: number;
  readonly noise: number;
}

const changes: readonly Change[] = [
  { zone: "Europe/Berlin", season: "spring", shape: "office hours", minutes: 60, end: -1, noise: 2 },
  { zone: "Europe/Berlin", season: "autumn", shape: "office hours", minutes: 30, end: 0, noise: 2 },
  { zone: "Europe/Berlin", season: "spring", shape: "office hours", minutes: 60, end: 3, noise: 0 },
  { zone: "Europe/Berlin", season: "autumn", shape: "two peaks", minutes: 60, end: 2, noise: 4 },
  { zone: "Europe/Berlin", season: "spring", shape: "two peaks", minutes: 15, end: -1, noise: 2 },
  { zone: "America/New_York", season: "spring", shape: "office hours", minutes: 60, end: 0, noise: 0 },
  { zone: "America/New_York", season: "autumn", shape: "office hours", minutes: 60, end: 1, noise: 2 },
  { zone: "America/New_York", season: "autumn", shape: "two peaks", minutes: 30, end: -1, noise: 4 },
];

const WEEKS = 5;
const RANGE = 90;

export function makeClockChanges(seed: number): Recipe[] {
  const days = [
    { zone: "Europe/Berlin", season: "spring" },
    { zone: "America/New_York", season: "autumn" },
  ] as const;
  return makeRecipes("clock change", seed, [...changes.map(plan), ...days.map(planMidnights)]);
}

function plan({ zone, season, shape, minutes, end, noise }: Change): Plan {
  const step = minutes * MINUTE;
  const localTime = localTimeOf(zone);
  const length = (WEEKS * 7 * DAY) / step;
  // The clock changes on a Sunday at night; the horizon reaches into the working week.
  const endAt = secondsOf(zones[zone][season]) + end * DAY;
  return {
    name: `${zone}, ${season}, ${shape}, ${minutes} min, from ${nameOf(end)} the change`,
    at: every(step, endAt - length * step),
    length,
    horizon: ((end > 0 ? 3 : 6) * DAY) / step,
    value: (_, at) => 10 + RANGE * shapes[shape](localTime(at)),
    noise,
    // An hour too early or late for a day would be 3 % of the range and more.
    tolerance: 0.01 * RANGE + ofSeason({ range: 0, noise, cycles: WEEKS }),
    options: { timezone: zone },
  };
}

/** Of the end of the history, in days from the midnight before the change. */
function nameOf(end: number): string {
  if (end === 0) return "the midnight before";
  return end > 0 ? `${end} d after` : `${-end} d before`;
}

/** One value a day at local midnight: the days of the change have 23 and 25 hours. */
function planMidnights({ zone, season }: { zone: Zone; season: "spring" | "autumn" }): Plan {
  const days = 70;
  const start = secondsOf(zones[zone][season]) - (days + 3) * DAY;
  const noise = 2;
  return {
    name: `${zone}, ${season}, local midnights`,
    at: localMidnights(zone, new Date(start * 1000).toISOString().slice(0, 10)),
    length: days,
    horizon: 10,
    value: (_, at) => 100 + 60 * weekShape(at + 12 * HOUR),
    noise,
    tolerance: ofSeason({ range: 60, noise, cycles: days / 7 }),
    options: { timezone: zone },
  };
}
