// Slots per receiver: few while it hangs or is unknown, more once it answers, never all for hanging ones.
import { expect, test } from "bun:test";
import { ReceiverSlots, type Slot } from "../../src/delivery/receiver-slots.ts";

const hung = { failed: true, durationMs: 15_000 };
const answered = { failed: false, durationMs: 20 };

/** Takes as many slots of a receiver as there are. */
function takeAll(slots: ReceiverSlots, receiver: string, retry = false): Slot[] {
  const taken: Slot[] = [];
  for (let slot = slots.take(receiver, retry); slot; slot = slots.take(receiver, retry)) taken.push(slot);
  return taken;
}

test("an unknown receiver gets 2, one that answers 8, one that hangs 1", () => {
  const slots = new ReceiverSlots();
  const first = takeAll(slots, "a");
  expect(first).toHaveLength(2);
  expect(slots.listFull()).toEqual(["a"]);
  for (const slot of first) slot.release(answered);
  const second = takeAll(slots, "a");
  expect(second).toHaveLength(8);
  for (const slot of second) slot.release(hung);
  expect(takeAll(slots, "a")).toHaveLength(1);
});

test("a failure that comes at once is no hanging", () => {
  const slots = new ReceiverSlots();
  slots.take("a", false)!.release({ failed: true, durationMs: 5 });
  expect(takeAll(slots, "a")).toHaveLength(8);
});

test("receivers that hang leave half of the slots", () => {
  const slots = new ReceiverSlots();
  for (let i = 0; i < 200; i++) slots.take(`dead${i}`, false)?.release(hung);
  for (let i = 0; i < 200; i++) slots.take(`dead${i}`, false);
  expect(slots.free(true)).toBe(0);
  expect(slots.free(false)).toBe(64);
  expect(slots.listFull()).toContain("dead199");
  expect(takeAll(slots, "good")).toHaveLength(2);
});

test("so do retries, of whatever receiver", () => {
  const slots = new ReceiverSlots();
  for (let i = 0; i < 200; i++) takeAll(slots, `r${i}`, true);
  expect([slots.free(true), slots.free(false)]).toEqual([0, 64]);
});
