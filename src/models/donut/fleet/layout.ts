// Layout of the series of a fleet for one training: stretches of each, joined; pure.
import type { Series, Stretch, Stretches } from "../../../../wasm/protocol.ts";
import { cutSeries, joinSeries } from "../calibrate.ts";

/** Points of a joined series: they hold more windows than the optimiser draws, and a worker copies them in milliseconds. */
const MAX_POINTS = 200_000;
/** Share of the points of the training part. */
const TRAINING_SHARE = 0.7;
/** Least length of a stretch, in windows: shorter ones hold hardly a window. */
const MIN_STRETCH = 3;
/** Length of the stretches that a long series is cut to, in windows, from all over its range. */
const STRETCH = 6;

/** A standardised series to train on. */
export interface FleetPart {
  readonly series: Series;
  /** Index of the first point of the validation part. */
  readonly validationFrom: number;
  /** Adds the conditions of a stretch; absent: none. @param from index of its first point */
  readonly complete?: (stretch: Series, from: number) => Series;
}

export interface FleetLayout {
  /** All stretches of the training parts, then those of the validation parts. */
  readonly series: Series;
  readonly validationFrom: number;
  readonly stretches: Stretches;
}

interface LayoutOptions {
  /** Length of a window, in intervals. */
  readonly window: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly maxPoints?: number;
}

/**
 * Joins series, of which a training draws as many windows each, in steps of one series. Of more series than fit, some are
 * drawn.
 * @returns undefined where no series holds a window
 */
export function* layoutSteps(
  parts: readonly FleetPart[],
  { window, random, maxPoints = MAX_POINTS }: LayoutOptions,
): Generator<void, FleetLayout | undefined> {
  const usable = parts.filter((part) => holdsWindow(part, window));
  if (usable.length === 0) return undefined;
  const most = Math.max(1, Math.floor(maxPoints / (MIN_STRETCH * window)));
  const drawn = drawIndices(usable.length, most, random).map((i) => usable[i]!);
  const quota = maxPoints / drawn.length;
  const training: Series[][] = [];
  const validation: Series[][] = [];
  for (const part of drawn) {
    yield;
    const { validationFrom: end, series } = part;
    const known = { from: 0, to: end, quota: TRAINING_SHARE * quota };
    training.push(stretchesOf(part, { ...known, window, random }));
    // Windows of the validation part begin in the training part.
    const from = Math.max(0, end - window + 1);
    const held = { from, to: series.values.length, quota: (1 - TRAINING_SHARE) * quota };
    validation.push(stretchesOf(part, { ...held, window, random }));
  }
  const trained = place(training, 0);
  const held = place(validation, trained.end);
  return {
    series: joinSeries([...training, ...validation].flat()),
    validationFrom: trained.end,
    stretches: { training: trained.stretches, validation: held.stretches },
  };
}

function holdsWindow({ series, validationFrom }: FleetPart, window: number): boolean {
  return validationFrom >= window && series.observed.subarray(0, validationFrom).includes(1);
}

/** At most `count` of the indices 0..`length` - 1, ascending. @param random uniform in [0, 1) */
export function drawIndices(length: number, count: number, random: () => number): readonly number[] {
  const all = Array.from({ length }, (_, i) => i);
  if (length <= count) return all;
  const order = all.map((i) => ({ i, order: random() })).sort((a, b) => a.order - b.order);
  return order
    .slice(0, count)
    .map(({ i }) => i)
    .sort((a, b) => a - b);
}

interface StretchRange {
  readonly from: number;
  readonly to: number;
  /** Points at most; at least a window. */
  readonly quota: number;
  readonly window: number;
  readonly random: () => number;
}

/**
 * Stretches from all over a range, the whole range if it is short. Drawn, as those of all series would else be of the same
 * days: a training on weekends alone.
 */
function stretchesOf(part: FleetPart, { from, to, quota, window, random }: StretchRange): Series[] {
  const { series, complete = (stretch) => stretch } = part;
  const length = to - from;
  if (length <= quota) return [complete(cutSeries(series, from, to), from)];
  const count = Math.max(1, Math.floor(quota / (STRETCH * window)));
  const size = Math.min(length, Math.max(window, Math.floor(quota / count)));
  return Array.from({ length: count }, (_, k) => {
    const start = from + Math.floor(((length - size) * (k + random())) / count);
    return complete(cutSeries(series, start, start + size), start);
  });
}

/** Places of stretches in a joined series. @param groups by source @param from place of the first */
function place(
  groups: readonly (readonly Series[])[],
  from: number,
): { readonly stretches: readonly Stretch[]; readonly end: number } {
  let end = from;
  const stretches = groups.flatMap((own, source) =>
    own.map(({ values }): Stretch => {
      end += values.length;
      return { source, from: end - values.length, to: end };
    }),
  );
  return { stretches, end };
}
