// mode: the most frequent value, counted in a hash table; more values than the table holds are sorted.
import { defineMetric } from "./kind.ts";

/** Above it, sorting takes less memory than a table. */
const MAX_COUNTED = 2 ** 16;

/**
 * The most frequent value, among equally frequent ones the first; -0 counts as 0. Open addressing over the bits of the
 * values, because a `Map` or sorting takes several times as long for the millions of points of a month.
 * @param values at most `MAX_COUNTED`, without NaN
 */
function countValues(values: Float64Array): number {
  const size = 4 << (32 - Math.clz32(values.length - 1));
  const keys = new Float64Array(size);
  /** 0 in a free slot. */
  const counts = new Int32Array(size);
  const slots = new Int32Array(values.length);
  const bits = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // The shift drops the sign: 0 and -0 are one value.
    const hash = Math.imul(bits[2 * i]! ^ Math.imul(bits[2 * i + 1]! << 1, 0x85ebca6b), 0x9e3779b1);
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    while (counts[slot] !== 0 && keys[slot] !== value) slot = (slot + 1) & (size - 1);
    keys[slot] = value;
    slots[i] = slot;
    counts[slot]!++;
    if (counts[slot]! > most) most = counts[slot]!;
  }
  const first = slots.findIndex((slot) => counts[slot] === most);
  // Adding 0 turns -0 into 0.
  return values[first]! + 0;
}

/** As `countValues`, of any number of values. */
function sortValues(values: Float64Array): number {
  const candidates = new Set(listMostFrequent(values.slice().sort()));
  const first = candidates.size > 0 ? values.find((value) => candidates.has(value)) : values[0];
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
  ({ values }) => (values.length > MAX_COUNTED ? sortValues(values) : countValues(values)),
  { ordered: true },
);
