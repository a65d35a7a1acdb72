// Expectation of a series along its course: of smooth growth, relative to the level, as its deviations grow with it.
import { MAD_TO_DEVIATION } from "../stats/median.ts";
import { expectSeries, levelHalfWidth, type Seasons } from "./expectation.ts";
import { findGrowth, hasDirection } from "./growth.ts";
import { RollingMedian } from "./rolling-median.ts";

export interface Course {
  /** Expected values in units of the data. */
  readonly expected: Float64Array;
  /** Unit of the deviation of each point, in units of the data: 1 without growth. */
  readonly unit: Float64Array;
  /** The column, straight: in that unit. */
  readonly straight: Float64Array;
  /** Half-width of the window in which deviations are alike; absent: they are alike everywhere. */
  readonly reach?: number;
}

/** Expected values of all points. @throws TorusError `canceled` or `deadline` if the signal is aborted */
export async function expectCourse(
  column: Float64Array,
  seasons: Seasons,
  signal: AbortSignal,
): Promise<Course> {
  const isDirected = hasDirection(column, seasons.period);
  const growth = isDirected ? findGrowth(column, seasons.period) : undefined;
  const straight = growth ? column.map(growth.straighten) : column;
  const course = await expectSeries(straight, seasons, signal);
  const expected = growth ? course.map(growth.restore) : course;
  const unit = growth ? expected.map(growth.unitAt) : new Float64Array(column.length).fill(1);
  const reach = levelHalfWidth(column.length, seasons.period);
  return { expected, unit, straight, ...(isDirected && { reach }) };
}

/** Deviations of a column from its course, in the unit of each point; NaN = missing. */
export function deviationsFrom(column: Float64Array, expected: Float64Array, { unit }: Course): Float64Array {
  return column.map((value, i) => (value - expected[i]!) / unit[i]!);
}

/** Scale of each point: the overall one, or a larger one of the points around it. */
export function scaleAlong(errors: Float64Array, { reach }: Course, overall: number): Float64Array {
  if (reach === undefined) return new Float64Array(errors.length).fill(overall);
  const median = new RollingMedian(errors.map(Math.abs), 2 * reach + 1);
  return errors.map((_error, i) => {
    const size = median.over(Math.max(0, i - reach), Math.min(errors.length, i + reach + 1));
    return Math.max(overall, MAD_TO_DEVIATION * (size || 0));
  });
}
