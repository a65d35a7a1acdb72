// Change over time: derivative of a gauge, rate of a counter.
import { defineMetric, type IntervalPoints } from "./kind.ts";

/** Change per second; missing where no time has passed. */
function perSecond(change: number, elapsedMs: number): number {
  return elapsedMs > 0 ? (change * 1000) / elapsedMs : Number.NaN;
}

export const derivative = defineMetric(
  {
    name: "derivative",
    description:
      "Difference of the last values of this and the nearest earlier interval with points, per second",
  },
  ({ times, values, previous }) => {
    if (!previous) return Number.NaN;
    const end = values.length - 1;
    return perSecond(values[end]! - previous.value, times[end]! - previous.at);
  },
  { aliases: ["deriv"], ordered: true, looksBack: true },
);

/** Total growth of a counter; a fall means it restarted from 0, so its new value is the growth. */
function addIncreases({ values, previous }: IntervalPoints): number {
  let increase = 0;
  let before = previous ? previous.value : values[0]!;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    increase += value < before ? value : value - before;
    before = value;
  }
  return increase;
}

export const rate = defineMetric(
  {
    name: "rate",
    description:
      "Increase of a counter per second, restarts of the counter taken into account; of one series, for several counters taken together would look like restarts: choose one with match_all (prometheus and influxdb add up the rates of all)",
  },
  (points) => {
    const { times, previous } = points;
    return perSecond(addIncreases(points), times[times.length - 1]! - (previous?.at ?? times[0]!));
  },
  { ordered: true, looksBack: true },
);
