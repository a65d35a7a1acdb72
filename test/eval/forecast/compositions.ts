// Compositions: series of a season, a trend and disturbances drawn at random, whose continuation is known.
import { createRandom } from "../../../wasm/random.ts";
import { type Draw, drawOf } from "../draw.ts";
import { makeRecipes, type Plan, type Recipe } from "./recipes/recipe.ts";
import { isWeekend, monthShape, officeHours, twoPeaks, wave, weekShape, yearWave } from "./recipes/shapes.ts";
import { DAY, every, everyMonths, HOUR, MINUTE, secondsOf, utc, WEEK } from "./recipes/timeline.ts";

/** One interval: the points that a series has, and what may repeat in it. */
interface Grid {
  readonly name: string;
  readonly at: (i: number) => number;
  readonly points: readonly [least: number, most: number];
  readonly horizons: readonly number[];
  /** Points of the longest season. */
  readonly cycle: number;
  readonly seasons: readonly Season[];
}

interface Season {
  readonly name: string;
  /** 0 to 1 at a time. */
  readonly at: (at: number) => number;
}

const START = secondsOf("2021-03-07");
const none: Season = { name: "no season", at: () => 0 };
const year: Season = { name: "year", at: (at) => 0.5 + 0.5 * yearWave(at) };
const days: readonly Season[] = [
  { name: "wave of a day", at: (at) => 0.5 + 0.5 * wave(at - 9 * HOUR, DAY) },
  { name: "two peaks a day", at: (at) => twoPeaks(utc(at)) },
  { name: "office hours", at: (at) => officeHours(utc(at)) },
  { name: "nightly job", at: (at) => Number(utc(at).hour < 2) },
];
const workdays = days.map(
  ({ name, at }): Season => ({
    name: `${name}, less at weekends`,
    at: (time) => at(time) * (isWeekend(utc(time)) ? 0.4 : 1),
  }),
);

/** Of days that are all there, or of more than two weeks. */
function withinDays(name: string, step: number, [least, most]: readonly [number, number]): Grid {
  const day = DAY / step;
  return {
    name,
    at: every(step, START),
    points: [least * day, most * day],
    horizons: [day / 2, day],
    cycle: day,
    seasons: [none, ...days, ...(least > 14 ? workdays : [])],
  };
}

const grids: readonly Grid[] = [
  withinDays("1 min", MINUTE, [2.5, 5]),
  withinDays("5 min", 5 * MINUTE, [3, 9]),
  withinDays("15 min", 15 * MINUTE, [15, 25]),
  withinDays("1 h", HOUR, [15, 60]),
  {
    name: "1 d",
    at: every(DAY, START),
    points: [60, 500],
    horizons: [14, 28],
    cycle: 7,
    seasons: [none, { name: "week", at: weekShape }],
  },
  {
    name: "1 w",
    at: every(WEEK, START),
    points: [120, 270],
    horizons: [8, 26],
    cycle: 52,
    seasons: [none, year],
  },
  {
    name: "1 month",
    at: everyMonths(1, "2016-01-01"),
    points: [36, 90],
    horizons: [12],
    cycle: 12,
    seasons: [none, { name: "year", at: (at) => 0.5 + 0.5 * monthShape(at) }],
  },
];

/** Growth over a history as a share of the level, at a place in it from 0 on. */
const trends: readonly { readonly name: string; readonly at: (place: number) => number }[] = [
  { name: "flat", at: () => 0 },
  { name: "rises", at: (place) => 0.8 * place },
  { name: "falls", at: (place) => -0.4 * place },
  { name: "grows by shares", at: (place) => 2.5 ** place - 1 },
  { name: "rises since half", at: (place) => Math.max(0, place - 0.5) },
];

/** Newest share of a history without a step: of one that is younger, two continuations are as likely. */
const SETTLED = 0.25;
/** Share of points that are spikes at most. */
const SPIKES = 0.02;

/** Compositions of a seed. */
export function makeCompositions(count: number, seed: number): Recipe[] {
  const draw = drawOf(createRandom(seed));
  return Array.from({ length: count }, (_, k) => {
    const grid = draw.pick(grids);
    return makeRecipes(`composition by ${grid.name}`, seed, [compose(`${k}`, grid, draw)]);
  }).flat();
}

function compose(label: string, grid: Grid, draw: Draw): Plan {
  const { within, pick, chance } = draw;
  const length = Math.round(within(...grid.points));
  const horizon = pick(grid.horizons);
  const [season, trend, level] = [pick(grid.seasons), pick(trends), pick([5, 100, 1000])];
  const range = level * within(0.3, 1);
  const noise = range * within(0.02, 0.1);
  const step = chance(0.2) ? { from: length * within(0.2, 1 - SETTLED), by: range } : undefined;
  const value = (i: number, at: number) =>
    level * (1 + trend.at(i / length)) + range * season.at(at) + (step && i >= step.from ? step.by : 0);
  const disturbed = disturb({ length, cycle: grid.cycle, range }, draw);
  const ahead = level * (trend.at((length + horizon) / length) - trend.at(1));
  return {
    name: `${label}: ${length} points, ${season.name}, ${trend.name}${step ? ", step" : ""}${disturbed.name}`,
    at: grid.at,
    length,
    horizon,
    value,
    noise,
    record: disturbed.record,
    // Somewhat more than the noise, the season and the growth let expect of a good forecast.
    tolerance: noise + 0.06 * range + 0.15 * Math.abs(ahead),
    isUncertain: step !== undefined,
  };
}

/** Spikes, an outage and missing points, each in a part of the series; the last point is there. */
function disturb(
  { length, cycle, range }: { readonly length: number; readonly cycle: number; readonly range: number },
  { within, chance }: Draw,
): { readonly name: string; readonly record: NonNullable<Plan["record"]> } {
  const spikes = new Map<number, number>();
  const most = Math.min(6, SPIKES * length);
  if (chance(0.4))
    while (spikes.size < most) spikes.set(Math.floor(within(0, length)), within(1.5, 5) * range);
  const hasOutage = chance(0.3);
  const points = Math.max(3, Math.round(within(0.2, 0.8) * Math.min(cycle, length / 5)));
  const begin = Math.floor(within(1, length - points - 3));
  const lost = chance(0.5) ? 0 : Number.NaN;
  const missing = chance(0.2) ? within(0.05, 0.25) : 0;
  const gone = new Set(Array.from({ length: length - 1 }, (_, i) => i).filter(() => chance(missing)));
  const names = [
    spikes.size > 0 && `${spikes.size} spikes`,
    hasOutage && `${lost === 0 ? "0" : "nothing"} for ${points} points until ${length - begin - points} ago`,
    missing > 0 && "points missing",
  ].filter(Boolean);
  return {
    name: names.map((name) => `, ${name}`).join(""),
    record: (value, i) => {
      if (i >= length) return value;
      if (gone.has(i)) return Number.NaN;
      return hasOutage && i >= begin && i < begin + points ? lost : value + (spikes.get(i) ?? 0);
    },
  };
}
