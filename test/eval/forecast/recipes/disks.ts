// Recipes of disks and tables that fill: slopes with a daily wave, and clean-ups each day or week.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { wave } from "./shapes.ts";
import { DAY, every, HOUR, MINUTE, MONDAY, WEEK } from "./timeline.ts";
import { ofLine, ofSeason, ofSlope } from "./tolerance.ts";

const STEPS = { "5 min": 5 * MINUTE, "15 min": 15 * MINUTE, "1 h": HOUR, "1 d": DAY } as const;
type Interval = keyof typeof STEPS;

export function makeDisks(seed: number): Recipe[] {
  return makeRecipes("disk", seed, [
    slope({ interval: "1 h", days: 14, horizon: 48 }),
    slope({ interval: "1 h", days: 45, horizon: 72 }),
    slope({ interval: "15 min", days: 10, horizon: 96 }),
    slope({ interval: "1 d", days: 60, horizon: 14 }),
    cleanUp({ interval: "1 h", days: 10, horizon: 48, cycle: DAY, fill: 12, rest: 1 }),
    cleanUp({ interval: "15 min", days: 7, horizon: 96, cycle: DAY, fill: 12, rest: 0.5 }),
    cleanUp({ interval: "5 min", days: 8, horizon: 288, cycle: DAY, fill: 20, rest: 0 }),
    cleanUp({ interval: "1 h", days: 42, horizon: 168, cycle: WEEK, fill: 30, rest: 2 }),
    cleanUp({ interval: "1 d", days: 84, horizon: 14, cycle: WEEK, fill: 28, rest: 3 }),
  ]);
}

interface Span {
  readonly interval: Interval;
  readonly days: number;
  readonly horizon: number;
}

/** 0.7 a day, with a small wave of the day where a day has several points. */
function slope({ interval, days, horizon }: Span): Plan {
  const step = STEPS[interval];
  const length = (days * DAY) / step;
  const noise = 0.15;
  return {
    name: `0.7 a day, ${interval}, ${days} days`,
    at: every(step),
    length,
    horizon,
    value: (_, at) => 40 + (0.7 * (at - MONDAY)) / DAY + (step < DAY ? 0.8 * wave(at, DAY) : 0),
    noise,
    tolerance: ofLine({ slope: (0.7 * step) / DAY, noise, length, horizon }) + 0.05,
  };
}

interface CleanUp extends Span {
  /** Seconds between two clean-ups. */
  readonly cycle: number;
  /** What a cycle adds. */
  readonly fill: number;
  /** What a clean-up leaves of it. */
  readonly rest: number;
}

function cleanUp({ interval, days, horizon, cycle, fill, rest }: CleanUp): Plan {
  const step = STEPS[interval];
  const length = (days * DAY) / step;
  const noise = 0.01 * fill;
  const cycles = (days * DAY) / cycle;
  const value = (_: number, at: number) => {
    const since = at - MONDAY;
    return 100 + Math.floor(since / cycle) * rest + (fill * (since % cycle)) / cycle;
  };
  const growth = ofSlope({ slope: (rest * step) / cycle, noise, length, horizon });
  return {
    name: `clean-up each ${cycle === DAY ? "day" : "week"}, ${interval}, ${days} days, ${rest} stay of ${fill}`,
    at: every(step),
    length,
    horizon,
    value,
    noise,
    tolerance: ofSeason({ range: fill, noise, cycles }) + growth,
  };
}
