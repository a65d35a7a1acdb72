// Pacer: the first value at once, the last one after the interval, none after a stop.
import { expect, test } from "bun:test";
import { Pacer } from "../../src/runtime/pacer.ts";
import { FakeClock } from "../jobs/fakes.ts";

function makePacer() {
  const clock = new FakeClock();
  const calls: [number, number][] = [];
  const startAt = clock.now();
  const call = (value: number) => void calls.push([clock.now() - startAt, value]);
  return { clock, calls, pacer: new Pacer<number>({ clock, intervalMs: 500, call }) };
}

test("many values become one call per interval, and the last one arrives", () => {
  const { clock, calls, pacer } = makePacer();
  for (let i = 0; i <= 12; i++) {
    pacer.give(i);
    clock.advance(100);
  }
  clock.advance(1000);
  expect(calls).toEqual([
    [0, 0],
    [500, 4],
    [1000, 9],
    [1500, 12],
  ]);
  pacer.give(13);
  expect(calls.at(-1)).toEqual([clock.now() - 1_000_000, 13]);
});

test("a stop drops what waits; a clock that was set back holds nothing up", () => {
  const { clock, calls, pacer } = makePacer();
  pacer.give(1);
  pacer.give(2);
  pacer.stop();
  clock.advance(1000);
  expect([calls.length, clock.pending]).toEqual([1, 0]);
  clock.at -= 3_600_000;
  pacer.give(3);
  clock.advance(500);
  expect(calls.at(-1)![1]).toBe(3);
});
