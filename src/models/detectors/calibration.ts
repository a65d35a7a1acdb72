// Calibration of the combined detectors by the tail of their own mean, apart at the times of what recurs; pure.
import { Type } from "@sinclair/typebox";
import { numbers, positive, type Stored, strict } from "../stored-schema.ts";
import { fitMeanTail, meanTail, rarityInTail } from "./mean-tail.ts";
import {
  isRecurringTime,
  isRecurringWeekTime,
  type LocalTime,
  MAX_ENTRIES,
  MAX_TIMES,
  type Recurring,
} from "./seasons/recurring.ts";

/** Least number of points that a calibration is fitted to. */
const MIN_POINTS = 200;
/** Decades off what recurs by the clock: it has half as many false alarms as the other times, which have those asked for. */
const RECURRING_DECADES = Math.log10(2);

/** How rare a mean of rarities is among normal points, and how they gather. */
export const CalibrationSchema = Type.Object(
  {
    ...meanTail,
    /** See `Recurring`: what recurs by the clock is no rarer than that; absent where nothing does. */
    recurring: Type.Optional(Type.Array(Type.Tuple([positive, positive]), { maxItems: MAX_ENTRIES })),
    /** Of the other times of the day; absent where nothing recurs, and in versions of older releases. */
    others: Type.Optional(Type.Object({ ...meanTail, times: numbers(MAX_TIMES) }, strict)),
    /** Of the times of the week at which something recurs that does not each day; absent without any. */
    weekly: Type.Optional(Type.Object({ ...meanTail, times: numbers(MAX_TIMES) }, strict)),
  },
  strict,
);
export type Calibration = Stored<typeof CalibrationSchema>;

/** What recurs by the clock. */
interface ByClock {
  /** See `findRecurring`, and the local time and the day of each mean. */
  readonly recurring?: Recurring | undefined;
  readonly timeOf: (i: number) => LocalTime;
  readonly days?: Int32Array | undefined;
  /** See `findWeekTimes`, and the means at those times; absent without any. */
  readonly weekly?: { readonly times: readonly number[]; readonly means: Float64Array } | undefined;
}

/**
 * Fits an exponential tail to the means of the rarities of normal points; where events recur by the clock, one to the
 * other times of the day as well, and one to the times of what recurs by the week.
 * @param all in order of time, decades
 * @returns undefined where they are too few
 */
export function fitCalibration(all: Float64Array, byClock?: ByClock): Calibration | undefined {
  if (all.length < MIN_POINTS) return undefined;
  const whole = fitMeanTail(all, byClock?.days);
  if (!byClock) return whole;
  const { recurring: { known, times } = { known: [], times: [] }, weekly, timeOf, days } = byClock;
  const rarer = known.filter(
    ([mean, decades]) => decades > RECURRING_DECADES && decades < rarityInTail(whole, mean),
  );
  const isOther = (_: number, i: number) => times.length > 0 && !isRecurringTime(times, timeOf(i));
  const others = all.filter(isOther);
  return {
    ...whole,
    ...(rarer.length > 0 && {
      recurring: rarer.map(([mean, decades]) => [mean, decades - RECURRING_DECADES]),
    }),
    ...(others.length >= MIN_POINTS && {
      others: { ...fitMeanTail(others, days?.filter(isOther)), times: [...times] },
    }),
    ...(weekly && { weekly: { ...fitMeanTail(weekly.means), times: [...weekly.times] } }),
  };
}

/**
 * Rarity of a mean, decades: linear up to the tail, of a burst beyond it, and at the times of what recurs no rarer than
 * that.
 * @param time of the mean; absent: at the times of what recurs each day
 */
export function calibrate(whole: Calibration, mean: number, time?: LocalTime): number {
  return calibrationAt(whole, time)(mean);
}

/** As `calibrate`, of all means at a time: a band tries dozens of them. */
export function calibrationAt(whole: Calibration, time?: LocalTime): (mean: number) => number {
  const { others, recurring = [], weekly } = whole;
  if (weekly && time && isRecurringWeekTime(weekly.times, time)) return (mean) => rarityInTail(weekly, mean);
  if (others && time && !isRecurringTime(others.times, time)) return (mean) => rarityInTail(others, mean);
  return (mean) => {
    let rarity = rarityInTail(whole, mean);
    for (const [known, decades] of recurring)
      rarity = Math.min(rarity, decades + Math.max(0, mean - known) / (whole.excess * Math.LN10));
    return rarity;
  };
}
