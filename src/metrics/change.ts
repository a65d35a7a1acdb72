// Change over time: derivative of a gauge, rate of a counter that may restart.
import { type Change, defineMetric, type IntervalPoints, type Metric, type MetricTraits } from "./kind.ts";

/** Change per second; NaN if no time has passed. */
function perSecond(change: number, elapsedMs: number): number {
  return elapsedMs > 0 ? (change * 1000) / elapsedMs : Number.NaN;
}

/** Increase of a counter from one finite value to the next; a decrease means that it restarted from 0. */
export function counterIncrease(before: number, value: number): number {
  return value >= before ? value - before : value;
}

function measureChange({ times, values, previous }: IntervalPoints): Change {
  const end = values.length - 1;
  let growth = 0;
  let before = previous ? previous.value : values[0]!;
  for (let i = 0; i <= end; i++) {
    growth += counterIncrease(before, values[i]!);
    before = values[i]!;
  }
  const { at, value } = previous ?? { at: times[0]!, value: values[0]! };
  return {
    fromAt: at,
    from: value,
    toAt: times[end]!,
    to: values[end]!,
    growth,
    isFromBefore: previous !== undefined,
  };
}

/** Builds a metric from the change of one series. */
function defineChange(
  about: Pick<Metric, "name" | "description">,
  ofChange: (change: Change) => number,
  traits: Partial<MetricTraits> = {},
): Metric {
  return defineMetric(about, (points) => ofChange(measureChange(points)), {
    ...traits,
    ordered: true,
    unit: "per second",
    fromDelta: ofChange,
  });
}

export const derivative = defineChange(
  {
    name: "derivative",
    description:
      "Difference of the last values of this and the nearest earlier interval with points, per second; of several " +
      "series the sum of theirs, as with `rate`",
  },
  ({ isFromBefore, from, fromAt, to, toAt }) =>
    isFromBefore ? perSecond(to - from, toAt - fromAt) : Number.NaN,
  { aliases: ["deriv"] },
);

export const rate = defineChange(
  {
    name: "rate",
    description:
      "Increase of a counter per second, restarts of the counter taken into account; of several series the sum of " +
      "theirs, each with a history of its own. Buckets of kinds that cannot tell series by themselves have a setting " +
      "`series_by` for it; without it their points are taken for those of one counter",
  },
  ({ growth, fromAt, toAt }) => perSecond(growth, toAt - fromAt),
);
