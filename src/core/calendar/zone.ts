// Time zones of an iCalendar file: IANA and Windows names, and definitions of its own (VTIMEZONE, RFC 5545, 3.6.5); pure.
import { TorusError } from "../errors.ts";
import { DAY_MS } from "../time/time.ts";
import { isTimezone, offsetsOf } from "../time/timezone.ts";
import { type Budget, startsOf } from "./rule.ts";
import { loadOf } from "./rule-load.ts";
import type { Rule } from "./rule-parts.ts";
import { type OffsetAt, utc } from "./wall-time.ts";
import { windowsZones } from "./windows-zones.ts";

/** Switches of one definition in a year, and dates of all years. */
const MAX_SWITCHES = 2000;
/** Steps to find those of a year. */
const MAX_STEPS = 10_000;
/** Years in memory. */
const MAX_YEARS = 256;

/** A part of a VTIMEZONE: the switches to one offset, ms. */
export interface Observance {
  readonly offsetBefore: number;
  readonly offsetAfter: number;
  /** Wall-clock ms of the first switch, as `rule` and `dates` are. */
  readonly start: number;
  readonly rules: readonly Rule[];
  readonly dates: readonly number[];
}

/**
 * The zone of a TZID that is an IANA name, also behind a prefix as in `/vendor/Europe/Berlin`, or the name of a zone of
 * Windows; undefined for others.
 */
export function namedZone(tzid: string): OffsetAt | undefined {
  const ofWindows = windowsZones.get(tzid.trim().toLowerCase());
  if (ofWindows !== undefined) return offsetsOf(ofWindows) ?? utc;
  const parts = tzid.split("/").filter((part) => part !== "");
  for (let i = 0; i < Math.min(parts.length, 6); i++) {
    const name = parts.slice(i).join("/");
    if (isTimezone(name)) return offsetsOf(name) ?? utc;
  }
  return undefined;
}

/** @throws TorusError `invalid` for a definition with too many switches. @returns steps to find those of a year */
export function checkObservances(observances: readonly Observance[]): number {
  const loads = observances.flatMap(({ rules, start }) => rules.map((rule) => loadOf(rule, start)));
  const dates = observances.reduce((sum, each) => sum + 1 + each.dates.length, 0);
  const switches = loads.reduce((sum, { starts }) => sum + starts, dates);
  const steps = loads.reduce((sum, load) => sum + load.steps, dates);
  if (switches <= MAX_SWITCHES && steps <= MAX_STEPS) return steps;
  throw new TorusError(
    "invalid",
    `has too many switches: up to ${switches} in a year, at most ${MAX_SWITCHES} are possible`,
  );
}

/**
 * The zone of a definition; switches are found by year, at first use.
 * @param budget of the steps to find them
 */
export function definedZone(observances: readonly Observance[], budget: Budget): OffsetAt {
  const steps = checkObservances(observances);
  const byYear = new Map<number, readonly Switch[]>();
  const switchesIn = (year: number) => {
    const known = byYear.get(year);
    if (known) return known;
    budget.left -= steps;
    if (budget.left < 0) throw new TorusError("invalid", "is used in too many years, with too many switches");
    const found = findSwitches(observances, year);
    if (byYear.size >= MAX_YEARS) byYear.clear();
    byYear.set(year, found);
    return found;
  };
  const fixed = findFixed(observances);
  const first = observances.toSorted((a, b) => a.start - b.start)[0];
  return (at) => {
    const year = new Date(at).getUTCFullYear();
    for (const switches of [switchesIn(year), switchesIn(year - 1), fixed]) {
      const last = switches.findLast((each) => each.at <= at);
      if (last) return last.offset;
    }
    return first?.offsetBefore ?? 0;
  };
}

/** From this instant on, ms since the epoch, the offset is in force. */
interface Switch {
  readonly at: number;
  readonly offset: number;
}

/** Switches in a year of UTC, in order. */
function findSwitches(observances: readonly Observance[], year: number): Switch[] {
  const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  const wall = { from: from - DAY_MS, to: to + DAY_MS };
  return observances
    .flatMap(({ rules, start, dates, offsetBefore, offsetAfter }) => {
      const starts = [start, ...dates, ...rules.flatMap((rule) => startsOf(rule, start, wall))];
      return starts.map((ms) => ({ at: ms - offsetBefore, offset: offsetAfter }));
    })
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at);
}

/** First and last switch of each part: those in force where the years near an instant have none. */
function findFixed(observances: readonly Observance[]): Switch[] {
  return observances
    .flatMap(({ rules, start, dates, offsetBefore, offsetAfter }) => {
      const last = rules.flatMap((rule) => {
        if (rule.until === undefined) return [];
        const range = { from: rule.until - 2 * 366 * DAY_MS, to: rule.until + 1 };
        return startsOf(rule, start, range).slice(-1);
      });
      return [start, ...dates, ...last].map((ms) => ({ at: ms - offsetBefore, offset: offsetAfter }));
    })
    .sort((a, b) => a.at - b.at);
}
