// Changes of single days of the week, as a Sunday that is open since May: the weeks before are moved by them; pure.
import { DAY_MS } from "../../core/time/time.ts";
import { type DayTable, slotOf, tableOf } from "../baseline/day-table.ts";
import { dayOf, localTimeAt, weekdayOf } from "../baseline/local-day.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { meanOf } from "../stats/mean.ts";
import { medianOf } from "../stats/median.ts";
import { createSeries, type Series } from "./local-time.ts";
import { calendarCycles } from "./season/cycles.ts";

/** Slots of a day in which changes are looked for, and in which amounts are known. */
const SLOTS = { few: 24, most: 288 };
const WEEK = 7;
/** Days on either side that a day is compared with. */
const NEAR_DAYS = 3;
/** Least and most weeks since a change, as two of a kind may be holidays, and the same before it. */
const WEEKS = { least: 3, most: 12 };
/** Least change, in deviations of the weeks before or since. */
const MIN_CHANGE = 8;
/** Most days of the week that change by themselves: where more do, all has changed. */
const MAX_CHANGED = 2;
/** Share of the slots of a day that must have a value. */
const MIN_PRESENT = 0.8;

interface Change {
  readonly weekday: number;
  /** First day since the change. */
  readonly from: number;
  /** What it added, by slot. */
  readonly amounts: Float64Array;
}

/** A day beside those around it. */
interface Compared {
  readonly day: number;
  /** Its mean less that of the other days, and its values by slot less that. */
  readonly distance: number;
  readonly values: Float64Array;
}

/** The series as if days of the week had always been as they are now; the series itself where none has changed. */
export function atPresentWeek(series: Series, timeline: Timeline): Series {
  const { intervalMs } = timeline;
  if (!(series.cycles ?? calendarCycles(intervalMs)).week) return series;
  if (changedDays(sampledTable(series.column, timeline)).length === 0) return series;
  const changes = changedDays(tableOf(series.column, timeline, SLOTS.most));
  const column = series.column.map((value, i) => {
    const local = localTimeAt(timeline.startAt + i * intervalMs, timeline.offsetAt);
    const day = dayOf(local);
    const change = changes.find(({ weekday, from }) => weekday === weekdayOf(day) && day < from);
    return change ? value + (change.amounts[slotOf(local, change.amounts.length)]! || 0) : value;
  });
  return { ...createSeries(column, timeline), intervalMs: series.intervalMs, cycles: series.cycles };
}

/** A value an hour tells whether a day has changed. */
function sampledTable(column: Float64Array, timeline: Timeline): DayTable {
  const stride = Math.max(1, Math.floor(DAY_MS / SLOTS.few / timeline.intervalMs));
  const sampled = Float64Array.from(
    { length: Math.ceil(column.length / stride) },
    (_, k) => column[k * stride]!,
  );
  return tableOf(sampled, { ...timeline, intervalMs: stride * timeline.intervalMs }, SLOTS.few);
}

/** Changes of days of the week; none where more than two of them have changed. */
export function changedDays(table: DayTable): readonly Change[] {
  const days = compare(table.slice(-WEEK * (2 * WEEKS.most + 1)));
  const byWeekday = Map.groupBy(days, ({ day }) => weekdayOf(day));
  const found = [...byWeekday].flatMap(([weekday, own]) => {
    const since = weeksSince(own.map(({ distance }) => distance));
    if (since === 0) return [];
    const now = own.slice(-since);
    const before = own.slice(-since - WEEKS.most, -since);
    const earlier = usualOf(before);
    const amounts = usualOf(now).map((value, slot) => value - earlier[slot]!);
    return [{ weekday, from: now[0]!.day, amounts }];
  });
  return found.length <= MAX_CHANGED ? found : [];
}

function compare(table: DayTable): Compared[] {
  const whole = table.filter(({ isHoliday, values }) => {
    return !isHoliday && values.filter(Number.isFinite).length >= MIN_PRESENT * values.length;
  });
  const means = new Map(whole.map(({ day, values }) => [day, meanOf(values)]));
  return whole.map(({ day, values }) => {
    const near: number[] = [];
    for (let k = -NEAR_DAYS; k <= NEAR_DAYS; k++) if (k !== 0) near.push(means.get(day + k) ?? Number.NaN);
    const others = medianOf(near);
    return { day, distance: means.get(day)! - others, values: values.map((value) => value - others) };
  });
}

/** Weeks since the distances changed; 0: they did not. */
function weeksSince(all: readonly number[]): number {
  const distances = all.filter(Number.isFinite);
  const most = Math.min(WEEKS.most, distances.length - WEEKS.least);
  let [since, least] = [0, Number.POSITIVE_INFINITY];
  for (let weeks = WEEKS.least; weeks <= most; weeks++) {
    const error = splitAt(distances, weeks).reduce((sum, part) => sum + spreadOf(part) * part.length, 0);
    if (error < least) [since, least] = [weeks, error];
  }
  if (since === 0) return 0;
  const [before, now] = splitAt(distances, since);
  const change = medianOf(now) - medianOf(before);
  const isApart = now.every((value) => before.every((other) => (value - other) * change > 0));
  return isApart && Math.abs(change) > MIN_CHANGE * Math.max(spreadOf(before), spreadOf(now)) ? since : 0;
}

function splitAt(distances: readonly number[], since: number): readonly [number[], number[]] {
  return [distances.slice(-since - WEEKS.most, -since), distances.slice(-since)];
}

/** Mean distance from the median: of few weeks it is surer than a median. */
function spreadOf(values: readonly number[]): number {
  const center = medianOf(values);
  return meanOf(values.map((value) => Math.abs(value - center)));
}

/** Median by slot. */
function usualOf(days: readonly Compared[]): Float64Array {
  return days[0]!.values.map((_, slot) => medianOf(days.map(({ values }) => values[slot]!)));
}
