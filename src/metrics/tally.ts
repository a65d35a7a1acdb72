// Counts how often each value comes, in a hash table that is kept.

/** Slots of the largest table; three quarters of them stay free. */
const MAX_SLOTS = 2 ** 18;
/** More values than these do not fit. */
export const MAX_TALLIED = MAX_SLOTS / 4;

let keys = new Float64Array(1024);
/** How often the value of a slot was seen; 0 in a free one. */
let counts = new Int32Array(1024);
/** The slot of each value. */
let slotOf = new Int32Array(256);

/**
 * The value that comes most often, among equals the one that comes first; -0 counts as 0.
 * @param values at least one and `MAX_TALLIED` at most, no NaN among them
 */
export function findMostFrequent(values: Float64Array): number {
  const last = clearSlots(values.length) - 1;
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // Without the sign: 0 and -0 are one value.
    const mixed = Math.imul(words[2 * i]! ^ Math.imul(words[2 * i + 1]! << 1, 0x85ebca6b), 0x9e3779b1);
    let slot = (mixed ^ (mixed >>> 15)) & last;
    while (counts[slot] !== 0 && keys[slot] !== value) slot = (slot + 1) & last;
    keys[slot] = value;
    slotOf[i] = slot;
    const count = counts[slot]! + 1;
    counts[slot] = count;
    if (count > most) most = count;
  }
  let i = 0;
  while (most > 1 && counts[slotOf[i]!]! < most) i++;
  return values[i]! + 0;
}

/** A power of two, at least four times as many as values: with half as many it takes a quarter longer. */
function clearSlots(values: number): number {
  const slots = 4 << (32 - Math.clz32(values - 1));
  if (slots > counts.length) {
    keys = new Float64Array(slots);
    counts = new Int32Array(slots);
    slotOf = new Int32Array(slots / 4);
  } else counts.fill(0, 0, slots);
  return slots;
}
