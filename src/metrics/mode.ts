// mode: the most frequent value.
import { copyValues } from "./copy.ts";
import { defineMetric } from "./kind.ts";
import { findMostFrequent, MAX_TALLIED } from "./tally.ts";

/** As `findMostFrequent`, of any number of values: in the memory of a copy, but slower. */
function findBySorting(values: Float64Array): number {
  const equals = new Set(listMostFrequent(copyValues(values).sort()));
  // None comes twice.
  if (equals.size === 0) return values[0]! + 0;
  return values.find((value) => equals.has(value))! + 0;
}

/** The values that come most often, ascending; none where no value comes twice. */
function listMostFrequent(sorted: Float64Array): number[] {
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
  ({ values }) => (values.length > MAX_TALLIED ? findBySorting(values) : findMostFrequent(values)),
  { ordered: true },
);
