// mode: the most frequent value.
import { defineMetric } from "./kind.ts";

export const mode = defineMetric(
  { name: "mode", description: "Most frequent value; among equals the one that came first" },
  ({ values }) => {
    const counts = new Map<number, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    let best = Number.NaN;
    let most = 0;
    // A Map iterates in order of first insertion, so a tie leaves the earliest value in place.
    for (const [value, times] of counts) if (times > most) [best, most] = [value, times];
    return best;
  },
  { ordered: true },
);
