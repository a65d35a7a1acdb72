// Counts how often each value comes, in a hash table that is kept.

/** Slots of the largest table; half of them stay free. */
const MAX_SLOTS = 2 ** 17;
/** More values than these do not fit. */
export const MAX_TALLIED = MAX_SLOTS / 2;

let keys = new Float64Array(1024);
/** How often the value of a slot was seen; 0 in a free one. */
let counts = new Int32Array(1024);
const bits = new Uint32Array(2);
const number = new Float64Array(bits.buffer);

/**
 * The value that comes most often, among equals the one that comes first; -0 counts as 0.
 * @param values at least one and `MAX_TALLIED` at most, no NaN among them
 */
export function findMostFrequent(values: Float64Array): number {
  const slots = clearSlots(values.length);
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! + 0;
    const slot = findSlot(value, slots);
    keys[slot] = value;
    const count = counts[slot]! + 1;
    counts[slot] = count;
    if (count > most) most = count;
  }
  let i = 0;
  while (most > 1 && counts[findSlot(values[i]! + 0, slots)]! < most) i++;
  return values[i]! + 0;
}

/** A power of two, at least twice as many as values. */
function clearSlots(values: number): number {
  const slots = 2 << (32 - Math.clz32(values - 1));
  if (slots > counts.length) {
    keys = new Float64Array(slots);
    counts = new Int32Array(slots);
  } else counts.fill(0, 0, slots);
  return slots;
}

/** Of the value, or free. */
function findSlot(value: number, slots: number): number {
  number[0] = value;
  const mixed = Math.imul(bits[0]! ^ Math.imul(bits[1]!, 0x85ebca6b), 0x9e3779b1);
  let slot = (mixed ^ (mixed >>> 15)) & (slots - 1);
  while (counts[slot] !== 0 && keys[slot] !== value) slot = (slot + 1) & (slots - 1);
  return slot;
}
