// Recipes of growth with an outage or spikes in its past: the values before and after them tell how it goes on.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { twoPeaks, weekShape, yearWave } from "./shapes.ts";
import { DAY, every, everyMonths, HOUR, MINUTE, secondsOf, utc, WEEK } from "./timeline.ts";

export function makeDisturbedGrowth(seed: number): Recipe[] {
  return makeRecipes("growth with odd points", seed, [...outages, ...spikes, minutes]);
}

/** Growth by one factor over a history. */
const FACTOR = 2.5;
/** In units of the data. */
const SPIKE = 250;

interface Outage {
  /** Points before the end at which it begins and ends. */
  readonly begin: number;
  readonly end: number;
}

/** A plan whose values are 0 in an outage. */
function withOutage({ begin, end }: Outage, plan: Plan): Plan {
  return {
    ...plan,
    name: `${plan.name}, outage of ${begin - end} points, over since ${end}`,
    record: (value, i) => (i >= plan.length - begin && i < plan.length - end ? 0 : value),
  };
}

const hourly: Plan = {
  name: "line, 1 h",
  at: every(HOUR),
  length: 400,
  horizon: 48,
  value: (i) => 100 + i,
  noise: 4,
  tolerance: 8,
};

const outages: readonly Plan[] = [
  withOutage({ begin: 14, end: 2 }, hourly),
  withOutage({ begin: 60, end: 20 }, hourly),
  withOutage(
    { begin: 30, end: 10 },
    { ...hourly, name: "line, 1 d", at: every(DAY), length: 200, horizon: 28, value: (i) => 100 + 2 * i },
  ),
  withOutage(
    { begin: 60, end: 20 },
    {
      ...hourly,
      name: "line and week, 1 d",
      at: every(DAY),
      length: 200,
      horizon: 28,
      value: (i, at) => 100 + 2 * i + 40 * weekShape(at),
    },
  ),
  ...[
    { begin: 14, end: 2 },
    { begin: 30, end: 10 },
  ].map((outage) =>
    withOutage(outage, {
      ...hourly,
      name: "day and growth, 1 h",
      length: 480,
      value: (i, at) => 100 * FACTOR ** (i / 480) + 30 * twoPeaks(utc(at)),
      noise: 3,
    }),
  ),
  withOutage(
    { begin: 60, end: 20 },
    {
      ...hourly,
      name: "line, 5 min",
      at: every(5 * MINUTE),
      length: 864,
      horizon: 144,
      value: (i) => 20 + 0.1 * i,
      noise: 1,
      tolerance: 3,
    },
  ),
  withOutage(
    { begin: 30, end: 10 },
    {
      ...hourly,
      name: "year and line, 1 month",
      at: everyMonths(1, "2015-01-01"),
      length: 86,
      horizon: 12,
      value: (i) => 50 + i + 15 * Math.sin((i * Math.PI) / 6),
      noise: 1,
      tolerance: 4,
    },
  ),
];

/** A plan of which some values, counted back from the end, are far higher. */
function withSpikes(ages: readonly number[], height: number, plan: Plan): Plan {
  return {
    ...plan,
    name: `${plan.name}, ${plan.length} points, spikes ${ages.join(", ")} points ago`,
    record: (value, i) => (ages.includes(plan.length - i) ? value + height : value),
  };
}

const weekly = (length: number): Plan => ({
  name: "year and line, 1 w",
  at: every(WEEK, secondsOf("2019-03-03")),
  length,
  horizon: 20,
  value: (i, at) => 150 + 0.5 * i + 60 * yearWave(at),
  noise: 3,
  tolerance: 8,
});

const spikes: readonly Plan[] = [
  withSpikes([7, 16, 41], SPIKE, weekly(120)),
  withSpikes([7, 16, 41], SPIKE, weekly(160)),
  withSpikes([12, 25, 100], SPIKE, weekly(160)),
  withSpikes([87, 92], SPIKE, weekly(120)),
  withSpikes([15, 24, 51, 81], SPIKE / 2, {
    name: "week and growth, 1 d",
    at: every(DAY),
    length: 200,
    horizon: 28,
    value: (i, at) => 50 * FACTOR ** (i / 200) + 40 * weekShape(at),
    noise: 1.3,
    tolerance: 5,
  }),
];

/** Of many points a bend explains all but the newest, which then tell nothing of it. */
const minutes: Plan = {
  name: "day and growth, 1 min, 6200 points",
  at: every(MINUTE),
  length: 6200,
  horizon: 1440,
  value: (i, at) => 1000 * FACTOR ** (i / 6200) + 300 * twoPeaks(utc(at)),
  noise: 15,
  tolerance: 120,
};
