// Notifications of the model m over thirteen minutes, one after the other, with a restart between any two.
import { MINUTE, NOON, type useLiveWorld } from "./world.ts";

const MINUTES = 13;

/** @param values one per minute from noon on @returns minutes of the clock, kinds, and minutes after noon of the values */
export async function notifiedOver(
  world: ReturnType<typeof useLiveWorld>,
  values: readonly number[],
): Promise<string[]> {
  for (const [i, value] of values.entries()) world.bucket.values.set(NOON + i * MINUTE, value);
  await world.start(["m"]);
  const notified: string[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    const before = world.events.length;
    await world.pass(MINUTE);
    for (const { kind, at } of world.events.slice(before))
      notified.push(`12:${minute} ${kind.slice(8)} of ${(at - NOON) / MINUTE}`);
    await world.restart();
  }
  return notified;
}
