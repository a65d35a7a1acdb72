// Departures of a series: runs away from its level that are over or fade; missing to members, or their level would be between the two; pure.
import { localTimeOf, type Series } from "../local-time.ts";
import { calendarCycles } from "../season/cycles.ts";
import { historyLength } from "../season/history-length.ts";
import { awayOf } from "./away.ts";
import { burstOf } from "./burst.ts";
import { MAX_OUTAGES, outagesOf, type Run, withoutRuns } from "./outage.ts";
import { oddSpikes, USUAL } from "./spikes.ts";
import { View } from "./view.ts";

/** Newest values that a level is the median of. */
const WINDOW = 1000;
/** Least length, as one or two values are spikes, and the greatest one as a share of the window. */
const MIN_LENGTH = 3;
const MAX_SHARE = 1 / 4;
/** Share of a run that is away a cycle before or after, too, where it comes again. */
const MIN_ALIKE = 0.5;
/** Share of the distance from the level within which it is reached again: a slope passes through more of it. */
const BACK = 0.5;
/** Most departures of a window: of more of them they are how the series goes. */
const MAX_DEPARTURES = 3;
/** Most runs that are left out. */
export const MAX_LEFT_OUT = MAX_OUTAGES + MAX_DEPARTURES + USUAL * WINDOW;

/** Runs that are left out of a history, the oldest first: intervals from the first value to the end, and their number. */
export interface Departures {
  readonly runs: readonly (readonly [ago: number, points: number])[];
  /** What a burst that fades still adds at a lead; absent without one. */
  readonly fading?: ((lead: number) => number) | undefined;
}

/** A history without what is no part of how it goes on. */
export interface CleanHistory {
  /** Without outages; departures are part of it. */
  readonly usual: Series;
  /** View of `usual` from its end. */
  readonly whole: View;
  /** Without outages and departures. */
  readonly series: Series;
  readonly leftOut: Departures;
}

/** Leaves outages and departures out. @param viewOf view from the end of a series */
export function cleanHistory(given: Series, viewOf = viewFromEnd): CleanHistory {
  const { column } = localTimeOf(given);
  const outages = outagesOf(column, given.cycles ?? calendarCycles(given.intervalMs)).map(
    ([from, to]) => [column.length - from, to - from] as const,
  );
  const usual = withoutDepartures(given, { runs: outages });
  const whole = viewOf(usual);
  const departures = recentDepartures(whole);
  const series = withoutDepartures(usual, departures);
  const runs = [...outages, ...departures.runs].toSorted(([a], [b]) => b - a);
  return { usual, whole, series, leftOut: { ...departures, runs } };
}

/** The series without what is left out of it. */
export function withoutDepartures(series: Series, { runs }: Departures): Series {
  if (runs.length === 0) return series;
  const { column, startOf, placeOf } = localTimeOf(series);
  const end = startOf(series.column.length);
  const isAway = (place: number) =>
    runs.some(([ago, points]) => place >= end - ago && place < end - ago + points);
  const clean = (values: Float64Array, place: (i: number) => number) =>
    values.map((value, i) => (isAway(place(i)) ? Number.NaN : value));
  return {
    ...series,
    column: clean(series.column, placeOf),
    ...(series.local && { local: { ...series.local, column: clean(column, (i) => i) } }),
  };
}

/** Departures among the newest values, a burst, and spikes, which a season of few cycles would repeat. */
export function recentDepartures(whole: View): Departures {
  const level = whole.withoutSeasons?.subarray(-WINDOW);
  if (!level) return { runs: [] };
  const { day = [], week = [], year = [], extra = [] } = whole.cycles;
  const cycles = [day, week, year, extra].flat();
  const bounds = awayOf(level);
  const burst = burstOf(level, cycles, bounds);
  const runs = burst ? [[burst.from, level.length] as const] : departuresOf(level, cycles, bounds);
  const spikes = oddSpikes(withoutRuns(level, runs), cycles).map((i) => [i, i + 1] as const);
  const all = [...runs, ...spikes]
    .toSorted(([a], [b]) => a - b)
    .map(([from, to]) => [level.length - from, to - from] as const);
  return { runs: all, fading: burst?.at };
}

/** View from the end of a series as it is. */
function viewFromEnd(series: Series): View {
  const target = { origin: series.column.length, leads: [], history: historyLength(series) };
  return new View(series, target, { breaks: false });
}

/**
 * Bounds of the runs away from a level, or its trend, that end before it does.
 * @param level NaN = missing
 * @param cycles in values: what was away a cycle before or after, too, is a season that is not yet known
 */
export function departuresOf(
  level: Float64Array,
  cycles: readonly number[] = [],
  bounds = awayOf(level),
): Run[] {
  if (!bounds) return [];
  const { usual, distance: away } = bounds;
  const known = [...level.keys()].filter((i) => Number.isFinite(level[i]!));
  const sides = bridged(known.map((i) => sideOf(level[i]! - usual[i]!, away)));
  const all = stretchesOf(sides).filter(([from, to]) => sides[from] !== 0 && to - from >= MIN_LENGTH);
  const runs = all.filter(([from, to]) => {
    const isAlike = (i: number) => sideOf((level[i] ?? Number.NaN) - usual[i]!, away) === sides[from];
    const lags = cycles.flatMap((cycle) => [-Math.round(cycle), Math.round(cycle)]);
    return !lags.some((lag) => comesAgain(known.slice(from, to), lag, isAlike));
  });
  const points = runs.reduce((sum, [from, to]) => sum + to - from, 0);
  const isBack = (i: number) => Math.abs(level[i]! - usual[i]!) < BACK * away;
  const isOver = runs.every(([from, to]) => from > 0 && known.slice(to).some(isBack));
  if (!isOver || runs.length > MAX_DEPARTURES || points > MAX_SHARE * known.length) return [];
  return runs.map(([from, to]) => [known[from]!, known[to - 1]! + 1] as const);
}

/** Whether much of a run is away some time before or after, too: of a longer run what lies outside of it. */
function comesAgain(run: readonly number[], lag: number, isAlike: (i: number) => boolean): boolean {
  const others = run.map((i) => i + lag).filter((i) => i < run[0]! || i > run.at(-1)!);
  return others.length > 0 && others.filter(isAlike).length >= MIN_ALIKE * others.length;
}

/** Values of one side in sequence. */
function stretchesOf(sides: readonly Side[]): Run[] {
  const all: Run[] = [];
  for (let from = 0; from < sides.length; ) {
    let to = from + 1;
    while (to < sides.length && sides[to] === sides[from]) to++;
    all.push([from, to]);
    from = to;
  }
  return all;
}

/** The sides without spikes of one or two values: these do not end what is away before and after them. */
function bridged(sides: readonly Side[]): Side[] {
  const whole = [...sides];
  for (const [from, to] of stretchesOf(sides)) {
    const before = whole[from - 1];
    if (to - from < MIN_LENGTH && before && before === sides[to]) whole.fill(before, from, to);
  }
  return whole;
}

type Side = -1 | 0 | 1;

function sideOf(distance: number, away: number): Side {
  if (!(Math.abs(distance) > away)) return 0;
  return distance < 0 ? -1 : 1;
}
