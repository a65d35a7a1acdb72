// Time zones of an iCalendar file: IANA names, and definitions of its own (VTIMEZONE, RFC 5545, 3.6.5); pure.
import { DAY_MS } from "../time/time.ts";
import { isTimezone, offsetsOf } from "../time/timezone.ts";
import { type Rule, startsOf } from "./rule.ts";
import { type OffsetAt, utc } from "./wall-time.ts";

/** Bounds the rules of one definition. */
const MAX_STEPS = 10_000;

/** A part of a VTIMEZONE: the switches to one offset, ms. */
export interface Observance {
  readonly offsetBefore: number;
  readonly offsetAfter: number;
  /** Wall-clock ms of the first switch, as `rule` and `dates` are. */
  readonly start: number;
  readonly rules: readonly Rule[];
  readonly dates: readonly number[];
}

/** The zone of a TZID that is an IANA name, also behind a prefix as in `/vendor/Europe/Berlin`; undefined for others. */
export function namedZone(tzid: string): OffsetAt | undefined {
  const parts = tzid.split("/").filter((part) => part !== "");
  for (let i = 0; i < Math.min(parts.length, 6); i++) {
    const name = parts.slice(i).join("/");
    if (isTimezone(name)) return offsetsOf(name) ?? utc;
  }
  return undefined;
}

/** The zone of a definition; switches are found by year, at first use. */
export function definedZone(observances: readonly Observance[]): OffsetAt {
  const byYear = new Map<number, readonly Switch[]>();
  const switchesIn = (year: number) => {
    const known = byYear.get(year);
    if (known) return known;
    const found = findSwitches(observances, year);
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
  const budget = { left: MAX_STEPS };
  return observances
    .flatMap(({ rules, start, dates, offsetBefore, offsetAfter }) => {
      const starts = [start, ...dates, ...rules.flatMap((rule) => startsOf(rule, start, wall, budget))];
      return starts.map((ms) => ({ at: ms - offsetBefore, offset: offsetAfter }));
    })
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at);
}

/** First and last switch of each part: those in force where the years near an instant have none. */
function findFixed(observances: readonly Observance[]): Switch[] {
  const budget = { left: MAX_STEPS };
  return observances
    .flatMap(({ rules, start, dates, offsetBefore, offsetAfter }) => {
      const last = rules.flatMap((rule) => {
        if (rule.until === undefined && rule.count === undefined) return [];
        const to = (rule.until ?? start + 400 * 366 * DAY_MS) + 1;
        const from = rule.until === undefined ? start : rule.until - 2 * 366 * DAY_MS;
        return startsOf(rule, start, { from, to }, budget).slice(-1);
      });
      return [start, ...dates, ...last].map((ms) => ({ at: ms - offsetBefore, offset: offsetAfter }));
    })
    .sort((a, b) => a.at - b.at);
}
