// integral: the area under the points, by the trapezoid rule.
import { defineMetric } from "./kind.ts";

export const integral = defineMetric(
  {
    name: "integral",
    description:
      "Area under the points of the interval in value x seconds, by the trapezoid rule; 0 for one point",
  },
  ({ times, values }) => {
    let doubled = 0;
    for (let i = 1; i < times.length; i++) {
      doubled += (values[i]! + values[i - 1]!) * (times[i]! - times[i - 1]!);
    }
    return doubled / 2000;
  },
  { ordered: true, unit: "other" },
);
