// Usual course of a series: expected values and errors, by the values outside of outages and of runs at another level.
import { departuresOf } from "../forecasters/history/departure.ts";
import { type Run, withoutOutages, withoutRuns } from "../forecasters/history/outage.ts";
import { type Cycles, MIN_LENGTH } from "../forecasters/season/cycles.ts";
import { firstProfile } from "../forecasters/season/profile.ts";
import { type Course, deviationsFrom, expectCourse, scaleAlong } from "./course.ts";
import type { DetectInput } from "./detection.ts";
import { mixExpectations } from "./expectation.ts";
import { residualScale } from "./residual-scale.ts";
import { DAYS_OF_WEEK } from "./week.ts";

/** Values in a row on one side, and their least distance in deviations, of which a run away from the level is looked for. */
const AWAY = { values: 3, deviations: 4 };

export interface UsualCourse extends Course {
  /** Distances from `expected`, in the unit of each point; NaN = missing. */
  readonly errors: Float64Array;
  /** Deviation of them at each point. */
  readonly scale: Float64Array;
}

/**
 * What is expected of a column.
 * @param judged the column, missing where a value is not to be known
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function expectUsual(
  input: DetectInput,
  judged: Float64Array,
  signal: AbortSignal,
): Promise<UsualCourse> {
  const cycles = cyclesOf(input);
  const without = (runs: readonly Run[], column: Float64Array) =>
    withoutRuns(column, runs).map((value, i) => (Number.isNaN(judged[i]!) ? Number.NaN : value));
  const settled = withoutOutages(input.column, cycles);
  const first = await compare(without([], settled), input, judged, signal);
  if (!isAwayInARow(first)) return first;
  const runs = departuresOf(withoutPeriod(settled, input), Object.values(cycles));
  return runs.length === 0 ? first : compare(without(runs, settled), input, judged, signal);
}

async function compare(
  usual: Float64Array,
  input: DetectInput,
  judged: Float64Array,
  signal: AbortSignal,
): Promise<UsualCourse> {
  const course = await expectCourse(usual, input, signal);
  const { network } = input;
  const expected = network ? mixExpectations(usual, course.expected, network.expected) : course.expected;
  const errors = deviationsFrom(judged, expected, course);
  const scale = scaleAlong(errors, course, residualScale(errors, course.straight, input.maxAnomalyRatio));
  return { ...course, expected, errors, scale };
}

/** A column without its period, by medians, which a run of less than half of the cycles does not move. */
function withoutPeriod(column: Float64Array, { period }: DetectInput): Float64Array {
  if (period === 0) return column;
  const { at } = firstProfile(column, { name: "day", length: period });
  return column.map((value, i) => value - at(i));
}

function isAwayInARow({ errors, scale }: UsualCourse): boolean {
  let [side, row] = [0, 0];
  for (const [i, error] of errors.entries()) {
    if (Number.isNaN(error)) continue;
    const own = Math.abs(error) > AWAY.deviations * scale[i]! ? Math.sign(error) : 0;
    row = own === side ? row + 1 : 1;
    side = own;
    if (side !== 0 && row >= AWAY.values) return true;
  }
  return false;
}

/** The day and the week of a series; its period is a day where the intervals of one are not known. */
function cyclesOf({ period, day = period }: DetectInput): Cycles {
  return day >= MIN_LENGTH ? { day, week: DAYS_OF_WEEK * day } : {};
}
