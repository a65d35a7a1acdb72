// Window detectors: distance of the last window from its nearest earlier one, of values and of their differences.
import { Neighbours } from "../neighbours/neighbours.ts";
import { quantise } from "../neighbours/quanta.ts";
import { DISTANCE_FLOOR } from "../neighbours/windows.ts";
import { type DetectorKind, type DetectorSample, type Training, toStoredZ, toZ, unscored } from "./kind.ts";

/** Least number of points for windows of a length, in lengths. */
const MIN_SPANS = 6;
/** Least number of scored points. */
const MIN_SCORED = 30;
/** Points whose neighbours are searched in some milliseconds. */
const POINTS_PER_STEP = 100;

/** Windows of `span` values. */
export function windowsOf(span: number): DetectorKind {
  return {
    explanation: `an unusual course of the last ${span} intervals`,
    weight: 1,
    expects: false,
    holds: span,
    judgesShape: true,
    windows: { span, of: "values" },
    *sample(training) {
      const { linear, bound } = training;
      const values = training.filled.map((value) => toZ(linear, value));
      return yield* sampleWindows(training, {
        ...{ span, values, bound },
        toExpected: (z) => z * linear.scale + linear.center,
      });
    },
    judge({ bounded, linear, oneSided }, _, value) {
      if (!bounded.prepare(span)) return undefined;
      const nearest = Number.isFinite(value) ? bounded.nearest(span, toZ(linear, value)) : undefined;
      const expected = oneSided ? bounded.expected(span) * linear.scale + linear.center : Number.NaN;
      return { expected, statistic: nearest?.distance, nearest };
    },
  };
}

/** Windows of `span` differences from one value to the next: of another level, the same course. */
export function changesOf(span: number): DetectorKind {
  return {
    explanation: `an unusual order of changes in the last ${span} intervals`,
    weight: 1,
    expects: false,
    holds: span + 1,
    judgesShape: true,
    windows: { span, of: "changes" },
    *sample(training) {
      const { linear, filled } = training;
      const z = filled.map((value) => toStoredZ(linear, value));
      const values = z.map((value, i) => (i === 0 ? 0 : value - z[i - 1]!));
      const before = (i: number) => filled[Math.max(0, i - 1)]!;
      return yield* sampleWindows(training, {
        span,
        values,
        toExpected: (z, i) => before(i) + z * linear.scale,
      });
    },
    judge({ changes, neighbours, linear, oneSided }, _, value) {
      if (!changes.prepare(span)) return undefined;
      const last = neighbours.newest;
      const nearest = Number.isFinite(value)
        ? changes.nearest(span, toStoredZ(linear, value) - last)
        : undefined;
      const expected = oneSided ? (last + changes.expected(span)) * linear.scale + linear.center : Number.NaN;
      return { expected, statistic: nearest?.distance, nearest };
    },
  };
}

interface WindowSeries {
  readonly span: number;
  /** In deviations. */
  readonly values: Float64Array;
  readonly bound?: number | undefined;
  readonly toExpected: (value: number, i: number) => number;
}

/** Distances of every window from those before it. */
function* sampleWindows(
  { column, windowsFrom, oneSided }: Training,
  { span, values, bound, toExpected }: WindowSeries,
): Generator<void, DetectorSample | undefined> {
  const points = column.reduce((count, value) => count + Number(Number.isFinite(value)), 0);
  if (points < MIN_SPANS * span) return undefined;
  const before = values.subarray(0, windowsFrom).map(quantise);
  const neighbours = new Neighbours(before, column.length - windowsFrom, bound);
  const [statistic, expected] = [unscored(column), unscored(column)];
  let scored = 0;
  for (let i = windowsFrom; i < column.length; i++) {
    if (i % POINTS_PER_STEP === 0) yield;
    const z = values[i]!;
    if (neighbours.prepare(span) && !Number.isNaN(column[i]!)) {
      statistic[i] = neighbours.nearest(span, z).distance;
      if (oneSided) expected[i] = toExpected(neighbours.expected(span), i);
      scored++;
    }
    neighbours.push(z);
  }
  neighbours.release();
  return scored >= MIN_SCORED ? { statistic, expected, minScale: DISTANCE_FLOOR } : undefined;
}
