// Usual outliers: how high and how close to one another the outliers of a training came, where they came often; pure.
import { Type } from "@sinclair/typebox";
import { numbers, positive, type Stored, strict } from "../stored-schema.ts";

/** Least number of outliers that are usual, and of those in either half of the range. */
const MIN_ALONE = 20;
const MIN_OF_HALF = 5;
/** Points before an outlier without another, from which it is counted by itself. */
const ALONE_SPAN = 10;
/** Outliers whose heights the tail is fitted to. */
const HIGHEST = 20;
/** Least mean logarithm of heights over the twentieth: heights alike would make a little more impossible. */
const MIN_EXCESS = 0.05;
/** Height of points that are counted, as a share of the least outlier. */
const REACH_SHARE = 0.5;
/** Points in which outliers are counted. */
const MAX_SPAN = 40;
/** Points that tell how often so many outliers come together, and least decades for each further one. */
const MIN_CROWDED = 5;
const MIN_DECADES_PER_POINT = 0.3;

/** What is rare by either of two ways is twice as frequent. */
const DECADES_OF_TWO = Math.log10(2);

const SideSchema = Type.Object(
  {
    /** Distance from the usual value beyond which a point is counted, units of the data, and the share of such in decades. */
    reach: positive,
    decades: positive,
    /** Height of the twentieth, how rare it is in decades, and the mean logarithm of the higher ones over it. */
    high: Type.Object({ from: positive, decades: positive, excess: positive }, strict),
    /** By the number of outliers, from one on: decades of so many in the last points; and those of each further one. */
    crowds: numbers(MAX_SPAN),
    further: positive,
  },
  strict,
);
type Side = Stored<typeof SideSchema>;

/** Absent of the sides on which outliers are too few. */
export const UsualOutliersSchema = Type.Object(
  { above: Type.Optional(SideSchema), below: Type.Optional(SideSchema) },
  strict,
);
export type UsualOutliers = Stored<typeof UsualOutliersSchema>;

interface Outliers {
  /** Distances of the points from the usual values, signed, units of the data; NaN = missing. */
  readonly distances: Float64Array;
  /** 1 at the outliers, which are no part of the training. */
  readonly marks: Uint8Array;
  /** Window of the network, in points. */
  readonly window: number;
}

/** @returns undefined where outliers are too few on either side */
export function findUsualOutliers(outliers: Outliers): UsualOutliers | undefined {
  const above = findSide(outliers);
  const below = findSide({ ...outliers, distances: outliers.distances.map((distance) => -distance) });
  return above || below ? { ...(above && { above }), ...(below && { below }) } : undefined;
}

function findSide({ distances, marks, window }: Outliers): Side | undefined {
  const heightOf = (i: number) => distances[i] ?? Number.NaN;
  const outliers = Array.from(distances.keys()).filter((i) => marks[i] === 1 && heightOf(i) > 0);
  if (!areUsual(outliers, distances.length)) return undefined;
  const least = outliers.reduce((height, i) => Math.min(height, heightOf(i)), Number.POSITIVE_INFINITY);
  const reach = REACH_SHARE * least;
  // What recurs by the clock is no outlier, but comes as high and as often.
  const beyond = Array.from(distances.keys()).filter((i) => heightOf(i) > reach);
  const together = beyond.map((i) => countTogether((lag) => heightOf(i - lag), { reach, window }));
  const points = distances.reduce((count, distance) => count + Number(Number.isFinite(distance)), 0);
  const heights = beyond.map(heightOf).sort((a, b) => b - a);
  return {
    reach,
    decades: Math.log10(points / beyond.length),
    high: fitHeights(heights, points),
    ...fitCrowds(together, points),
  };
}

/** Whether outliers come by themselves, all over a range: a long anomaly is many points. @param at their intervals */
function areUsual(at: readonly number[], length: number): boolean {
  const alone = at.filter((i, k) => i - (at[k - 1] ?? Number.NEGATIVE_INFINITY) > ALONE_SPAN);
  const early = alone.filter((i) => i < length / 2).length;
  return alone.length >= MIN_ALONE && Math.min(early, alone.length - early) >= MIN_OF_HALF;
}

/** Tail exponent by Hill (1975). @param heights descending */
function fitHeights(heights: readonly number[], points: number): Side["high"] {
  const highest = heights.slice(0, HIGHEST);
  const from = highest.at(-1)!;
  const excess = highest.reduce((sum, height) => sum + Math.log(height / from), 0) / highest.length;
  return { from, decades: Math.log10(points / HIGHEST), excess: Math.max(MIN_EXCESS, excess) };
}

function fitCrowds(together: readonly number[], points: number): Pick<Side, "crowds" | "further"> {
  const atLeast = (count: number) => together.filter((own) => own >= count).length;
  const crowds: number[] = [];
  while (atLeast(crowds.length + 1) >= MIN_CROWDED)
    crowds.push(Math.log10(points / atLeast(crowds.length + 1)));
  const drop = atLeast(crowds.length) / Math.max(1, atLeast(crowds.length + 1));
  return { crowds, further: Math.max(MIN_DECADES_PER_POINT, Math.log10(drop)) };
}

/** Points beyond the reach among the last ones, an outlier itself included. */
function countTogether(
  distanceBefore: Distances,
  { reach, window }: { reach: number; window: number },
): number {
  let count = 1;
  for (let lag = 1; lag < Math.min(MAX_SPAN, window); lag++) if (distanceBefore(lag) > reach) count++;
  return count;
}

/** Distance from the usual value of the point so many before, signed, units of the data. */
type Distances = (lag: number) => number;

/** What an outlier is measured by, with what is odd about it in words. */
export const outlierMeasures = {
  height: { explanation: "a larger outlier than usual" },
  crowd: { explanation: "more outliers close together than usual" },
} as const;
export type OutlierMeasure = keyof typeof outlierMeasures;

/** Bounds of the rarity of a point, decades; `least` of a point that others find half as rare, or rarer. */
export interface RarityBounds {
  readonly least: number;
  readonly most: number;
  /** The rarer of the two. */
  readonly by: OutlierMeasure;
}

/** One point among the usual outliers. */
export interface OutlierJudge {
  /** By the distance of its value; undefined: it is no outlier. */
  boundsOf(distance: number): RarityBounds | undefined;
  /** Whether it goes on a crowd of outliers: more together than known, the last of them not long before. */
  isCrowded(distance: number): boolean;
}

/**
 * Judges the values of one point among the usual outliers: they are as rare as so high ones, or so many together. Heights
 * beyond the twentieth by the tail of a power law (Weissman 1978). More together than known are no less rare than that.
 * @param window of the network, in points
 */
export function judgeOutliers(
  { above, below }: UsualOutliers,
  distanceBefore: Distances,
  window: number,
): OutlierJudge {
  const sides = [
    ...(above ? [new SideJudge(above, distanceBefore, window)] : []),
    ...(below ? [new SideJudge(below, (lag) => -distanceBefore(lag), window, -1)] : []),
  ];
  return {
    boundsOf: (distance) => sides.find((side) => side.isOutlier(distance))?.boundsOf(distance),
    isCrowded: (distance) => sides.some((side) => side.isCrowded(distance)),
  };
}

class SideJudge {
  #before: number | undefined;

  constructor(
    private readonly side: Side,
    private readonly distanceBefore: Distances,
    private readonly window: number,
    private readonly sign = 1,
  ) {}

  isOutlier(distance: number): boolean {
    return this.sign * distance > this.side.reach;
  }

  boundsOf(distance: number): RarityBounds {
    const { side } = this;
    const { crowds, further } = side;
    const count = 1 + this.#outliersBefore;
    const known = crowds[count - 1];
    const crowd = known ?? crowds.at(-1)! + (count - crowds.length) * further;
    const toRarity = (decades: number) => Math.max(side.decades, decades - DECADES_OF_TWO);
    const height = decadesOfHeight(side, this.sign * distance);
    const most = toRarity(Math.max(height, crowd));
    return {
      least: known === undefined ? toRarity(crowd) : 0,
      most,
      by: crowd > height ? "crowd" : "height",
    };
  }

  isCrowded(distance: number): boolean {
    const { crowds, reach } = this.side;
    const isOutlier = this.isOutlier(distance);
    if (this.#outliersBefore + Number(isOutlier) <= crowds.length) return false;
    if (isOutlier) return true;
    const longest = Math.floor(MAX_SPAN / (crowds.length + 1));
    for (let lag = 1; lag <= longest; lag++) if (this.distanceBefore(lag) > reach) return true;
    return false;
  }

  /** A band asks for dozens of values. */
  get #outliersBefore(): number {
    const { reach } = this.side;
    this.#before ??= countTogether(this.distanceBefore, { reach, window: this.window }) - 1;
    return this.#before;
  }
}

function decadesOfHeight({ reach, decades, high }: Side, height: number): number {
  if (height > high.from) return high.decades + Math.log10(height / high.from) / high.excess;
  return decades + (Math.log(height / reach) / Math.log(high.from / reach)) * (high.decades - decades);
}
