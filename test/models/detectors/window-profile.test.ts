// Window profile: as comparing every pair of windows, without barred ones; yields while it computes.
import { expect, test } from "bun:test";
import { MAX_LAG, quantise } from "../../../src/models/detectors/neighbours/quanta.ts";
import { MIN_LAG, toDistance } from "../../../src/models/detectors/neighbours/windows.ts";
import { profileOf } from "../../../src/models/detectors/window-profile.ts";
import { createRandom } from "../../../wasm/random.ts";

const { signal } = new AbortController();
const random = createRandom(5);
const noise = (length: number) => Float64Array.from({ length }, () => quantise(random.normal()));

/** Mean over the windows that hold a point, each compared with every other one. */
function naiveProfile(quanta: Float64Array, span: number, barred: Uint8Array): number[] {
  const distanceOf = (end: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let other = span - 1; other < quanta.length; other++) {
      const lag = Math.abs(other - end);
      if (lag < Math.max(MIN_LAG, span) || lag > MAX_LAG || barred[other] === 1) continue;
      let sum = 0;
      for (let k = 0; k < span; k++) sum += (quanta[end - k]! - quanta[other - k]!) ** 2;
      least = Math.min(least, sum);
    }
    return toDistance(least, span);
  };
  return Array.from(quanta, (_, i) => {
    const ends = Array.from({ length: span }, (_, k) => i + k).filter(
      (end) => end >= span - 1 && end < quanta.length,
    );
    const distances = ends.map(distanceOf).filter(Number.isFinite);
    return distances.reduce((sum, distance) => sum + distance / distances.length, 0);
  });
}

test.each([1, 3, 10])("windows of %i points are compared with all earlier and later ones", async (span) => {
  const quanta = noise(80);
  const barred = new Uint8Array(80).fill(1, 20, 30);
  const profile = await profileOf(quanta, { span, barred, signal });
  const expected = naiveProfile(quanta, span, barred);
  for (const [i, value] of profile.entries()) expect(value).toBeCloseTo(expected[i]!, 9);
});

test("a stretch that returns is near, before and after; one that is barred excuses nothing", async () => {
  const quanta = noise(300);
  const shape = quanta.slice(50, 60).map((value) => value + quantise(6));
  for (const at of [50, 200]) quanta.set(shape, at);
  const free = new Uint8Array(300);
  const near = await profileOf(quanta, { span: 10, barred: free, signal });
  const far = await profileOf(quanta, { span: 10, barred: free.slice().fill(1, 200, 215), signal });
  // Windows that reach beyond the stretch differ.
  expect(near[54]!).toBeLessThan(0.7 * far[54]!);
  expect(near[204]!).toBeCloseTo(far[204]!, 9);
});

test("windows farther apart than the largest lag are strangers; without any other there is no distance", async () => {
  const quanta = new Float64Array(MAX_LAG + 20).map((_, i) => quantise(i / 100));
  quanta.fill(quantise(45), 0, 3);
  quanta.fill(quantise(45), quanta.length - 3);
  const barred = new Uint8Array(quanta.length);
  expect((await profileOf(quanta, { span: 3, barred, signal }))[0]!).toBeGreaterThan(1);
  expect(
    (await profileOf(noise(8), { span: 5, barred: new Uint8Array(8), signal })).every(Number.isNaN),
  ).toBe(true);
});

test("a long series leaves the event loop free, and stops when it is canceled", async () => {
  const controller = new AbortController();
  let turns = 0;
  const count = () => {
    if (++turns === 5) controller.abort();
    else setImmediate(count);
  };
  setImmediate(count);
  const quanta = noise(100_000);
  const work = profileOf(quanta, { span: 10, barred: new Uint8Array(100_000), signal: controller.signal });
  await expect(work).rejects.toMatchObject({ code: "canceled" });
  expect(turns).toBe(5);
});
