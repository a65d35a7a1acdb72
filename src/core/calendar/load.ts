// Load of a calendar: the occurrences of its events in the year that has most of them, bounded before any is made.
import { TorusError } from "../errors.ts";
import { DAY_MS } from "../time/time.ts";
import type { CalendarEvent, Duration } from "./event.ts";
import { type Budget, startsOf } from "./rule.ts";
import { loadOf, type RuleLoad, withoutCount } from "./rule-load.ts";
import type { Rule } from "./rule-parts.ts";

/** Occurrences in a year: one every quarter of an hour, and some. */
export const MAX_OCCURRENCES = 40_000;
/** Steps to find the occurrences of a year. */
const MAX_STEPS = 200_000;
/** Steps to find the ends of rules with COUNT. */
const MAX_COUNT_STEPS = 200_000;
/** Steps to find the first starts of rules; beyond, they are taken to have one. */
const MAX_LOOKING_STEPS = 200_000;
/** 29 February falls on a certain weekday within 40 years, also across 2100; times the interval of a rule. */
const CYCLE_MS = 41 * 366 * DAY_MS;
const LAST_YEAR = 9999;
const YEAR_MS = 365 * DAY_MS;
/** What a year looks for beside its own: offsets of zones, and a day that is longer than written. */
const MARGIN_MS = 3 * DAY_MS;
const single: RuleLoad = { starts: 1, steps: 1 };

export class CalendarLoad {
  readonly #counting: Budget = { left: MAX_COUNT_STEPS };
  readonly #looking: Budget = { left: MAX_LOOKING_STEPS };
  /** By year, how much more there is than in the year before. */
  readonly #starts = new Float64Array(LAST_YEAR + 2);
  readonly #steps = new Float64Array(LAST_YEAR + 2);
  #heaviest = { event: 0, rule: "", starts: 0 };

  /**
   * Adds an event.
   * @param number of the event in the text
   * @param ruleText its RRULE as written, for messages
   * @returns the event with the ends of its rules
   * @throws TorusError `invalid` for an event that repeats too often by itself
   */
  add(event: CalendarEvent, number: number, ruleText: string): CalendarEvent {
    const { start, duration, replaces } = event;
    const lengthMs = lengthOf(duration);
    // Those that have begun before a year and last into it count as well.
    const years = 1 + lengthMs / YEAR_MS;
    const judge = (rules: readonly Rule[]) => {
      const loads = rules.map((rule) => loadOf(rule, start.ms, years));
      const excess = explainExcess(sumOf(loads), "a year");
      if (excess !== undefined) throw tooOften(ruleText, excess);
      return loads;
    };
    judge(event.rules);
    if (this.#neverOccurs(event)) throw new TorusError("invalid", `${shorten(ruleText)} never occurs`);
    const rules = event.rules.map((rule) => withoutCount(rule, start.ms, this.#counting));
    if (!rules.every((rule) => rule !== undefined)) throw countTooLong(ruleText);
    const loads = judge(rules);
    if (rules.length === 0 || replaces) this.#put(single, start.ms, start.ms + lengthMs);
    for (const [i, { until = Infinity }] of rules.entries()) this.#put(loads[i]!, start.ms, until + lengthMs);
    for (const added of event.added)
      this.#put(single, added.start.ms, added.start.ms + lengthOf(added.duration ?? duration));
    const { starts } = sumOf(loads);
    if (starts > this.#heaviest.starts) this.#heaviest = { event: number, rule: ruleText, starts };
    return { ...event, rules };
  }

  /** Whether rules alone make an event, and none of them has a start, as on 30 February. */
  #neverOccurs({ start: { ms }, rules, added, replaces }: CalendarEvent): boolean {
    if (rules.length === 0 || added.length > 0 || replaces) return false;
    const isEmpty = (rule: Rule) => {
      const to = Math.min(ms + CYCLE_MS * rule.interval, Date.UTC(LAST_YEAR, 0, 1));
      return startsOf({ ...rule, count: 1 }, ms, { from: ms, to }, this.#looking).length === 0;
    };
    return rules.every(isEmpty) && this.#looking.left > 0;
  }

  /** @throws TorusError `invalid` where a year has too many occurrences of all events together */
  check(): void {
    let [starts, steps] = [0, 0];
    for (let year = 0; year <= LAST_YEAR; year++) {
      starts += this.#starts[year]!;
      steps += this.#steps[year]!;
      const excess = explainExcess({ starts, steps }, String(year));
      if (excess !== undefined) throw this.#tooMany(excess);
    }
  }

  /** @param from of the first start, `to` of the last end, wall-clock ms */
  #put({ starts, steps }: RuleLoad, from: number, to: number): void {
    const first = Math.max(0, yearOf(from - MARGIN_MS));
    const last = Math.max(first, yearOf(to + MARGIN_MS));
    this.#starts[first]! += starts;
    this.#steps[first]! += steps;
    this.#starts[last + 1]! -= starts;
    this.#steps[last + 1]! -= steps;
  }

  #tooMany(excess: string): TorusError {
    const { event, rule } = this.#heaviest;
    const most = rule === "" ? "" : `, most of them by event ${event} (${shorten(rule)})`;
    return new TorusError(
      "invalid",
      `has events that repeat too often: together ${excess}${most}; leave some out, or divide them into several calendars`,
    );
  }
}

function lengthOf({ days, ms }: Duration): number {
  return days * DAY_MS + ms;
}

function sumOf(loads: readonly RuleLoad[]): RuleLoad {
  const sum = (of: (load: RuleLoad) => number) => loads.reduce((total, load) => total + of(load), 0);
  return { starts: sum(({ starts }) => starts), steps: sum(({ steps }) => steps) };
}

/** A date beyond the four digits of years counts to the last one. */
function yearOf(ms: number): number {
  return Number.isFinite(ms) && ms < Date.UTC(LAST_YEAR + 1, 0, 1)
    ? new Date(ms).getUTCFullYear()
    : LAST_YEAR;
}

/** What of a load is beyond its cap: occurrences, or the steps to find them. */
function explainExcess({ starts, steps }: RuleLoad, year: string): string | undefined {
  if (starts > MAX_OCCURRENCES)
    return `up to ${Math.ceil(starts)} occurrences in ${year}, at most ${MAX_OCCURRENCES} are possible`;
  if (steps > MAX_STEPS)
    return `up to ${Math.ceil(steps)} steps to find the occurrences of ${year}, at most ${MAX_STEPS} are possible`;
  return undefined;
}

function tooOften(rule: string, excess: string): TorusError {
  return new TorusError(
    "invalid",
    `${shorten(rule)} repeats too often: ${excess}; give it a longer INTERVAL, or limit it by COUNT, UNTIL, BYDAY, BYHOUR or BYMINUTE`,
  );
}

function countTooLong(rule: string): TorusError {
  return new TorusError(
    "invalid",
    `${shorten(rule)} takes too many steps to count: give it UNTIL in place of COUNT`,
  );
}

function shorten(rule: string): string {
  return `RRULE ${rule.length > 120 ? `${rule.slice(0, 120)}..` : rule}`;
}
