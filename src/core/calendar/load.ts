// Load of a calendar: the occurrences of its events in the year that has most of them, bounded before any is made.
import { TorusError } from "../errors.ts";
import { DAY_MS } from "../time/time.ts";
import type { CalendarEvent } from "./event.ts";
import type { Budget } from "./rule.ts";
import { loadOf, withoutCount } from "./rule-load.ts";

/** Occurrences in a year: one every quarter of an hour, and some. */
export const MAX_OCCURRENCES = 40_000;
/** Steps to find the occurrences of a year. */
const MAX_STEPS = 200_000;
/** Steps to find the ends of rules with COUNT. */
const MAX_COUNT_STEPS = 200_000;
const LAST_YEAR = 9999;
const YEAR_MS = 365 * DAY_MS;

interface Load {
  readonly starts: number;
  readonly steps: number;
}

export class CalendarLoad {
  readonly #counting: Budget = { left: MAX_COUNT_STEPS };
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
    const length = (duration.days * DAY_MS + duration.ms) / YEAR_MS;
    const years = 1 + Math.ceil(length);
    // Those that have begun before a year and last into it count as well.
    const factor = 1 + length;
    const loads = event.rules.map((rule) => loadOf(rule, start.ms));
    const starts = loads.reduce((sum, load) => sum + load.starts, 0) * factor;
    const steps = loads.reduce((sum, load) => sum + load.steps, 0) * factor;
    const excess = explainExcess({ starts, steps }, "a year");
    if (excess !== undefined) throw tooOften(ruleText, excess);
    const rules = event.rules.map((rule) => withoutCount(rule, start.ms, this.#counting));
    if (!rules.every((rule) => rule !== undefined)) throw countTooLong(ruleText);
    const first = yearOf(start.ms);
    if (rules.length === 0 || replaces) this.#put({ starts: 1, steps: 1 }, first, first + years);
    for (const [i, { until = Infinity }] of rules.entries())
      this.#put(
        { starts: loads[i]!.starts * factor, steps: loads[i]!.steps * factor },
        first,
        yearOf(until) + years,
      );
    for (const { start: added } of event.added)
      this.#put({ starts: 1, steps: 1 }, yearOf(added.ms), yearOf(added.ms) + years);
    if (starts > this.#heaviest.starts) this.#heaviest = { event: number, rule: ruleText, starts };
    return { ...event, rules };
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

  #put({ starts, steps }: Load, first: number, last: number): void {
    // A range of wall-clock time reaches into the years beside it.
    const [from, to] = [Math.max(0, first - 1), Math.min(LAST_YEAR, last + 1)];
    this.#starts[from]! += starts;
    this.#steps[from]! += steps;
    this.#starts[to + 1]! -= starts;
    this.#steps[to + 1]! -= steps;
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

/** A date beyond the four digits of years counts to the last one. */
function yearOf(ms: number): number {
  return Number.isFinite(ms) && ms < Date.UTC(LAST_YEAR + 1, 0, 1)
    ? new Date(ms).getUTCFullYear()
    : LAST_YEAR;
}

/** What of a load is beyond its cap: occurrences, or the steps to find them. */
function explainExcess({ starts, steps }: Load, year: string): string | undefined {
  if (starts > MAX_OCCURRENCES)
    return `up to ${Math.ceil(starts)} occurrences in ${year}, at most ${MAX_OCCURRENCES} are possible`;
  if (steps > MAX_STEPS)
    return `up to ${Math.ceil(steps)} steps to find the occurrences of ${year}, at most ${MAX_STEPS} are possible`;
  return undefined;
}

function tooOften(rule: string, excess: string): TorusError {
  return new TorusError(
    "invalid",
    `${shorten(rule)} repeats too often: ${excess}; give it a longer INTERVAL, or limit it by BYDAY, BYHOUR or BYMINUTE`,
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
