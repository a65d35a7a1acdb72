// Weekly season: the usual value at a time of day from days that are alike, which a few weeks hold enough of.
import { mapInSteps } from "../../runtime/steps.ts";
import { medianOf } from "../stats/median.ts";
import { noiseBetweenCycles, SameTimeSample } from "./same-time.ts";

export const DAYS_OF_WEEK = 7;
/** Alike days before and after a point, and the days among which they are looked for. */
const MAX_DAYS = { alike: 8, away: 56 };
/** Share of a day around a time in which two days are compared. */
const COMPARED_SHARE = 1 / 3;
/** Mean difference up to which days are alike, in deviations of the mean of as many weeks: twice that of chance. */
const ALIKE_DEVIATIONS = 2.8;

/**
 * Weighted median at the same time of the other days that are alike.
 * @param column level and trend removed; NaN = missing
 * @param week in intervals, a multiple of 7
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export function averageAlikeDays(
  column: Float64Array,
  week: number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const day = week / DAYS_OF_WEEK;
  const differences = compareDays(column, week);
  const noise = noiseBetweenCycles(column, week);
  const most = ALIKE_DEVIATIONS * noise * Math.sqrt(week / column.length);
  const sample = new SameTimeSample(2 * MAX_DAYS.alike);
  const addAlike = (i: number, direction: number) => {
    let count = 0;
    for (let away = 1; away <= MAX_DAYS.away && count < MAX_DAYS.alike; away++) {
      const center = i + direction * away * day;
      if (center < 0 || center >= column.length) return;
      const shift = (((direction * away) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK;
      if (shift > 0 && differences[shift]![i % week]! > most) continue;
      count += Number(!Number.isNaN(column[center]!));
      sample.add(column[center]!);
      sample.addNeighbours(column, center);
    }
  };
  const usualAt = (i: number) => {
    sample.clear();
    addAlike(i, -1);
    addAlike(i, 1);
    return sample.usual(noise);
  };
  return mapInSteps(column.length, usualAt, signal);
}

/** Mean difference of the usual week around each of its times from that some days later; by days and time. */
function compareDays(column: Float64Array, week: number): Float64Array[] {
  const day = week / DAYS_OF_WEEK;
  const weeks = Math.ceil(column.length / week);
  const usual = Float64Array.from({ length: week }, (_, at) =>
    medianOf(Float64Array.from({ length: weeks }, (_value, k) => column[at + k * week] ?? Number.NaN)),
  );
  const half = Math.max(1, Math.round((COMPARED_SHARE * day) / 2));
  return Array.from({ length: DAYS_OF_WEEK }, (_, days) => {
    const differenceAt = (at: number) =>
      Math.abs(usual[(at + week) % week]! - usual[(at + days * day + week) % week]!) || 0;
    let sum = 0;
    for (let k = -half; k <= half; k++) sum += differenceAt(k);
    return usual.map((_value, at) => {
      const mean = sum / (2 * half + 1);
      sum += differenceAt(at + half + 1) - differenceAt(at - half);
      return mean;
    });
  });
}
