// mode: the most frequent value.
import { defineMetric } from "./kind.ts";

/** The most frequent value, among equally frequent ones the first; -0 counts as 0. */
function findMostFrequent(values: Float64Array): number {
  const candidates = new Set(listMostFrequent(values.slice().sort()));
  const first = candidates.size > 0 ? values.find((value) => candidates.has(value)) : values[0];
  // Adding 0 turns -0 into 0.
  return first! + 0;
}

/** The most frequent values; none if no value occurs twice. */
function listMostFrequent(sorted: Float64Array): number[] {
  let found: number[] = [];
  let most = 1;
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    const count = to - from;
    if (count > most) found = [];
    most = Math.max(most, count);
    if (count > 1 && count === most) found.push(sorted[from]!);
  }
  return found;
}

export const mode = defineMetric(
  { name: "mode", description: "Most frequent value; among equals the one that came first" },
  ({ values }) => findMostFrequent(values),
  { ordered: true },
);
