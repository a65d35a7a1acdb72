// Shapes of a day, a week and a year.
import { DAY, type LocalTime, utc } from "./timeline.ts";

const YEAR = 365.25 * DAY;
const WORKDAYS = 5;

/** A wave from -1 to 1 over a period in seconds. */
export function wave(at: number, period: number): number {
  return Math.sin((2 * Math.PI * at) / period);
}

export function yearWave(at: number): number {
  return wave(at, YEAR);
}

/** 1 from 8 to 18 o'clock, else 0. */
export function officeHours({ hour }: LocalTime): number {
  return hour >= 8 && hour < 18 ? 1 : 0;
}

/** 0 to 1: quiet at night, a peak at noon and a higher one in the evening. */
export function twoPeaks({ hour }: LocalTime): number {
  const peak = (middle: number, width: number) => Math.exp(-(((hour - middle) / width) ** 2));
  return 0.7 * peak(11, 2.5) + peak(19, 2);
}

export function isWeekend({ weekday }: Pick<LocalTime, "weekday">): boolean {
  return weekday >= WORKDAYS;
}

/** Seven values that repeat, Monday first; 0 to 1. */
export function weekShape(at: number): number {
  return [0.8, 0.9, 1, 0.95, 0.7, 0.15, 0][utc(at).weekday]!;
}

/** Twelve values that repeat, January first; -1 to 1. */
export function monthShape(at: number): number {
  const month = new Date(at * 1000).getUTCMonth();
  return [-0.9, -0.8, -0.2, 0.1, 0.3, 0.7, 1, 0.9, 0.2, -0.1, -0.6, -0.6][month]!;
}
