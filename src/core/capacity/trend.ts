// Trend of an envelope, by the longest newest part that one curve explains; pure.
import { type FittedCurve, fitCurve, median, type Place, spread, valueAt, varianceAt } from "./numbers.ts";

/** Fewest places of a trend. */
const MIN_PLACES = 5;
const MIN_BENT = 9;
/** Growth of the part from one attempt to the next. */
const GROWTH = 1.25;
/** A longer part may differ from a shorter one by this many standard errors of it. */
const TOLERANCE = 3.3;
/** The bend is this many standard errors. */
const MIN_BEND = 4;
/** The rise is this many standard errors, with correlated residuals taken into account. */
const CERTAIN = 4;
/** The rise of the part is this many times the deviation of its places. */
const MIN_RISE = 3;
/** Share of the rise that the places have not fallen by before, over as long a time. */
const MAX_FALL = 0.5;
/** Falls of so many deviations are noise. */
const NOISE_FALL = 4;
/** A rise is this many times what a random walk with steps of the same size does in that time. */
const MIN_WALKS = 3;
/** Waves that are shorter than this part of all places are noise. */
const WAVE_PARTS = 5;
/** Parts of a trend whose changes are the steps of a walk. */
const WALK_STEPS = 8;
/** Highest correlation of neighbouring residuals that is taken into account. */
const MAX_MEMORY = 0.95;

export interface Trend {
  readonly curve: FittedCurve;
  /** Standard error of the curve at an instant. */
  readonly errorAt: (at: number) => number;
  /** Whether it rises, against its noise. */
  readonly isRising: boolean;
  /** First instant that it rests on. */
  readonly fromAt: number;
}

/** @param noise of a place, of short range. @returns undefined where there are too few places */
export function findTrend(places: readonly Place[], noise: number): Trend | undefined {
  if (places.length < MIN_PLACES) return undefined;
  const floor = Math.max(noise, noiseOfPlaces(places), wavesOf(places));
  const line = longest(places, 1, floor);
  const bent = places.length >= MIN_BENT ? longest(places, 2, floor) : undefined;
  if (!line) return undefined;
  return describe(isBent(places, { line, bent, floor }) ? bent! : line, places, floor);
}

/** Standard deviation of places around lines through their neighbours. */
function noiseOfPlaces(places: readonly Place[]): number {
  const bends = places.slice(2).map(({ at, value }, i) => {
    const [a, b] = [places[i]!, places[i + 1]!];
    const share = (b.at - a.at) / (at - a.at);
    return Math.abs(b.value - a.value - share * (value - a.value));
  });
  return (1.4826 * median(bends)) / Math.sqrt(1.5);
}

/** Standard deviation of slow waves, as of weeks: of the places around the mean of their neighbourhood. */
function wavesOf(places: readonly Place[]): number {
  const half = Math.floor(places.length / WAVE_PARTS / 2);
  if (half < 2) return 0;
  const inner = places.slice(half, places.length - half);
  return spread(
    inner.map(({ value }, i) => {
      const near = places.slice(i, i + 2 * half + 1);
      return value - near.reduce((sum, place) => sum + place.value, 0) / near.length;
    }),
  );
}

/** The longest newest part whose curve agrees with the curves of all shorter ones. */
function longest(places: readonly Place[], degree: 1 | 2, floor: number): FittedCurve | undefined {
  const least = degree === 1 ? MIN_PLACES : MIN_BENT;
  const known: FittedCurve[] = [];
  for (const size of sizesOf(places.length, least)) {
    const curve = fitCurve(places.slice(-size), degree);
    if (!curve) break;
    if (!known.every((shorter) => agrees(shorter, curve, floor))) break;
    known.push(curve);
  }
  return known.at(-1);
}

function sizesOf(length: number, least: number): number[] {
  const sizes: number[] = [];
  for (let size = least; size < length; size = Math.ceil(size * GROWTH)) sizes.push(size);
  return [...sizes, length];
}

function agrees(shorter: FittedCurve, longer: FittedCurve, floor: number): boolean {
  const error = Math.max(shorter.noise, floor);
  const isNear = (a: number, b: number, variance: number) =>
    Math.abs(a - b) <= TOLERANCE * error * Math.sqrt(variance) + 1e-12 * Math.abs(a);
  return (
    isNear(shorter.level, longer.level, shorter.covariance[0]![0]!) &&
    isNear(shorter.slope, longer.slope, shorter.covariance[1]![1]!)
  );
}

interface Candidates {
  readonly line: FittedCurve;
  readonly bent: FittedCurve | undefined;
  readonly floor: number;
}

/** Whether a parabola explains clearly more than a line, and more than a line after another one. */
function isBent(places: readonly Place[], { line, bent, floor }: Candidates): boolean {
  if (!bent || bent.points < 1.5 * line.points) return false;
  const error = Math.max(bent.noise, floor) * Math.sqrt(bent.covariance[2]![2]!);
  if (Math.abs(bent.bend) < MIN_BEND * error) return false;
  const part = places.slice(-bent.points);
  return sumOf(part, bent) <= 1.1 * brokenSum(part) + part.length * floor * floor * 0.1;
}

const sumOf = (places: readonly Place[], curve: FittedCurve): number =>
  places.reduce((sum, { at, value }) => sum + (value - valueAt(curve, at)) ** 2, 0);

/** Least sum of squares of two lines, one after the other. */
function brokenSum(places: readonly Place[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let cut = 3; cut <= places.length - 3; cut++) {
    const [before, after] = [places.slice(0, cut), places.slice(cut)];
    const [a, b] = [fitCurve(before, 1), fitCurve(after, 1)];
    if (a && b) least = Math.min(least, sumOf(before, a) + sumOf(after, b));
  }
  return least;
}

function describe(curve: FittedCurve, places: readonly Place[], floor: number): Trend {
  const part = places.slice(-curve.points);
  const memory = Math.min(MAX_MEMORY, curve.memory);
  const deviation = Math.max(curve.noise, floor);
  const error = deviation * Math.sqrt((1 + memory) / (1 - memory));
  const rise = valueAt(curve, part.at(-1)!.at) - valueAt(curve, part[0]!.at);
  const slopeError = error * Math.sqrt(curve.covariance[1]![1]!);
  return {
    curve,
    errorAt: (at) => error * Math.sqrt(varianceAt(curve, at)),
    isRising:
      curve.slope > CERTAIN * slopeError &&
      rise > Math.max(MIN_RISE * deviation, MIN_WALKS * walkOf(places, part.length)) &&
      deepestFall(places, part.at(-1)!.at - part[0]!.at) - NOISE_FALL * deviation < MAX_FALL * rise,
    fromAt: part[0]!.at,
  };
}

/** Standard deviation of the way of a random walk over a number of places, with steps like those of the places. */
function walkOf(places: readonly Place[], length: number): number {
  const lag = Math.max(1, Math.floor(length / WALK_STEPS));
  const steps = places.slice(lag).map(({ value }, i) => value - places[i]!.value);
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  const variance = steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / Math.max(1, steps.length - 1);
  return Math.sqrt((variance * (length - 1)) / lag);
}

/** The largest fall between two places that are no further apart: what falls as it rises has no trend. */
function deepestFall(places: readonly Place[], within: number): number {
  let deepest = 0;
  for (let i = 0; i < places.length; i++)
    for (let k = i + 1; k < places.length && places[k]!.at - places[i]!.at <= within; k++)
      deepest = Math.max(deepest, places[i]!.value - places[k]!.value);
  return deepest;
}
