// Recipes of slopes that change, stop or start, and of the newest slope going on.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { DAY, every, HOUR, MINUTE, WEEK } from "./timeline.ts";
import { ofLine } from "./tolerance.ts";

interface Span {
  readonly interval: string;
  readonly step: number;
  /** Points before and since the change. */
  readonly before: number;
  readonly since: number;
  readonly horizon: number;
}

const spans: readonly Span[] = [
  { interval: "5 min", step: 5 * MINUTE, before: 288, since: 60, horizon: 24 },
  { interval: "1 h", step: HOUR, before: 168, since: 72, horizon: 24 },
  { interval: "1 d", step: DAY, before: 90, since: 30, horizon: 14 },
  { interval: "1 w", step: WEEK, before: 52, since: 20, horizon: 8 },
];

/** Slopes in thousandths of the start a point. */
const changes = {
  changes: [1, 4],
  turns: [4, -2],
  stops: [4, 0],
  starts: [0, 4],
} as const;

/** Part of what the slope before would have made of the horizon. */
const SHARE_OF_BEND = 0.1;
const START = 1000;
const NOISE = 2;

export function makeSlopes(seed: number): Recipe[] {
  const kinds = Object.entries(changes);
  const plans = kinds.flatMap(([name, [first, second]]) =>
    spans.map((span) => bend(name, { ...span, first, second })),
  );
  return makeRecipes("slope that changes", seed, plans);
}

interface Bend extends Span {
  readonly first: number;
  readonly second: number;
}

function bend(name: string, { interval, step, before, since, horizon, first, second }: Bend): Plan {
  const value = (i: number) => START + first * Math.min(i, before) + second * Math.max(0, i - before);
  const continued = ofLine({ slope: second, noise: NOISE, length: since, horizon });
  return {
    name: `${name} ${since} points ago, ${interval}`,
    at: every(step),
    length: before + since,
    horizon,
    value,
    noise: NOISE,
    tolerance: continued + SHARE_OF_BEND * Math.abs(second - first) * (horizon / 2),
    isUncertain: true,
  };
}
