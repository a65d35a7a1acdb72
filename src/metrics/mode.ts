// mode: the most frequent value.
import { copyValues } from "./copy.ts";
import { defineMetric } from "./kind.ts";

/** The values that come most often, ascending; none where no value comes twice. */
function findMostFrequent(sorted: Float64Array): number[] {
  let found: number[] = [];
  let most = 0;
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    if (to - from < most) continue;
    // Adding 0 turns -0 into 0.
    if (to - from > most) found = [sorted[from]! + 0];
    else if (most > 1) found.push(sorted[from]! + 0);
    most = to - from;
  }
  return most > 1 ? found : [];
}

export const mode = defineMetric(
  { name: "mode", description: "Most frequent value; among equals the one that came first" },
  ({ values }) => {
    const found = findMostFrequent(copyValues(values).sort());
    // None comes twice.
    if (found.length === 0) return values[0]! + 0;
    if (found.length === 1) return found[0]!;
    const equals = new Set(found);
    return values.find((value) => equals.has(value))! + 0;
  },
  { ordered: true },
);
