// The last level, smoothed, with the slope of the history.
import { smoothLevel } from "../history/smoothing.ts";
import { levelKind } from "./level-kind.ts";

export const drift = levelKind({
  method: "drift",
  text: "last level with the slope of the history",
  prior: 0.5,
  path: ({ values, slope, drift: moved }) => {
    const own = slope - moved;
    const { level } = smoothLevel(values.map((value, i) => value - own * i));
    return (lead) => level + own * (values.length + Math.max(0, lead));
  },
});
