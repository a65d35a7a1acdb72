// Recipes of straight lines, rising and falling, at nine intervals, without and with noise.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { DAY, every, everyMonths, HOUR, MINUTE, WEEK } from "./timeline.ts";
import { ofLine } from "./tolerance.ts";

interface Grid {
  readonly interval: string;
  readonly at: (i: number) => number;
  /** Lengths and horizons. */
  readonly spans: readonly (readonly [length: number, horizon: number])[];
}

const grids: readonly Grid[] = [
  {
    interval: "1 min",
    at: every(MINUTE),
    spans: [
      [360, 30],
      [1440, 40],
    ],
  },
  {
    interval: "5 min",
    at: every(5 * MINUTE),
    spans: [
      [72, 12],
      [288, 24],
      [576, 36],
      [864, 48],
    ],
  },
  {
    interval: "15 min",
    at: every(15 * MINUTE),
    spans: [
      [24, 8],
      [192, 24],
      [288, 24],
      [576, 48],
    ],
  },
  {
    interval: "1 h",
    at: every(HOUR),
    spans: [
      [24, 6],
      [48, 12],
      [72, 24],
      [168, 24],
      [720, 48],
    ],
  },
  {
    interval: "1 d",
    at: every(DAY),
    spans: [
      [12, 5],
      [30, 6],
      [60, 14],
      [120, 28],
    ],
  },
  {
    interval: "1 w",
    at: every(WEEK),
    spans: [
      [12, 4],
      [26, 6],
      [104, 13],
    ],
  },
  {
    interval: "1 month",
    at: everyMonths(1, "2017-01-01"),
    spans: [
      [24, 6],
      [60, 12],
      [84, 12],
    ],
  },
];

/** Noise as a share of the range of the history. */
const noises = [0.002, 0.02, 0.1];
const START = 500;
/** Whole change over the history: a falling line stays well above 0. */
const RANGE = 290;

export function makeLines(seed: number): Recipe[] {
  const plans = grids.flatMap((grid) =>
    grid.spans.map(([length, horizon], k) => planLine(grid, { length, horizon, sign: k % 2 === 0 ? 1 : -1 })),
  );
  return makeRecipes("line", seed, plans);
}

/** Each interval and length has one of the noises, and the other direction than without noise. */
export function makeNoisyLines(seed: number): Recipe[] {
  const spans = grids.flatMap((grid) => grid.spans.map((span, k) => ({ grid, span, k })));
  const plans = spans.map(({ grid, span: [length, horizon], k }, i) => {
    const share = noises[i % noises.length]!;
    return planLine(grid, { length, horizon, sign: k % 2 === 0 ? -1 : 1, share });
  });
  return makeRecipes("line with noise", seed, plans);
}

interface Line {
  readonly length: number;
  readonly horizon: number;
  readonly sign: 1 | -1;
  readonly share?: number;
}

function planLine({ interval, at }: Grid, { length, horizon, sign, share = 0 }: Line): Plan {
  const slope = (sign * RANGE) / (length - 1);
  const noise = share * RANGE;
  const direction = sign > 0 ? "rising" : "falling";
  return {
    name: `${interval}, ${length} points, ${direction}${share > 0 ? `, noise ${100 * share} %` : ""}`,
    at,
    length,
    horizon,
    value: (i) => START + slope * i,
    noise,
    tolerance: ofLine({ slope, noise, length, horizon }),
  };
}
