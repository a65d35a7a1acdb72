// A level with a trend that slows down (Gardner and McKenzie 1985).
import { smoothTrend } from "../history/smoothing.ts";
import { levelKind } from "./level-kind.ts";

export const dampedTrend = levelKind({
  method: "damped-trend",
  text: "level with a trend that slows down",
  prior: 0.5,
  path: ({ values }) => {
    const { level, trend, damping } = smoothTrend(values);
    return (lead) => level + (trend * damping * (1 - damping ** Math.max(0, lead + 1))) / (1 - damping);
  },
});
