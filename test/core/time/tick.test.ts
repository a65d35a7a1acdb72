// Ticks: a table of clock steps, a simulated year of faults, even spread of models.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { dueSlot, moveSlot, phaseOf, slotAt, startOfSlot } from "../../../src/core/time/tick.ts";
import { roundsOf } from "../../support/rounds.ts";

const rhythm = { intervalMs: 100, phaseMs: 30 };

interface Row {
  readonly shows: string;
  readonly last?: number;
  readonly now: number;
  readonly slot?: number;
  readonly missed?: number;
  readonly next: number;
}

const rows: readonly Row[] = [
  { shows: "the first time: due at once", now: 75, slot: 0, next: 130 },
  { shows: "not before its phase: the slot before", now: 20, slot: -1, next: 30 },
  { shows: "nothing until the next slot", last: 3, now: 429, next: 430 },
  { shows: "due at its very beginning", last: 3, now: 430, slot: 4, next: 530 },
  { shows: "late but within the slot: nothing missed", last: 3, now: 525, slot: 4, next: 530 },
  { shows: "overrun: the newest one, the others counted", last: 3, now: 735, slot: 7, missed: 3, next: 830 },
  {
    shows: "promise 17: an hour ahead is one evaluation",
    last: 3,
    now: 3_600_430,
    slot: 36004,
    missed: 36000,
    next: 3_600_530,
  },
  { shows: "promise 17: back within the slot is no repeat", last: 4, now: 431, next: 530 },
  { shows: "promise 17: back by less than an interval is no repeat", last: 4, now: 380, next: 530 },
  { shows: "promise 17: back by more goes on from the new time", last: 4, now: 229, slot: 1, next: 230 },
  { shows: "promise 17: back an hour goes on at once", last: 36004, now: 430, slot: 4, next: 530 },
];

for (const { shows, last, now, slot, missed = 0, next } of rows) {
  test(shows, () => {
    const tick = dueSlot({ ...rhythm, lastSlot: last, nowAt: now });
    expect(tick).toEqual({ ...(slot !== undefined && { slot }), missed, nextAt: next });
  });
}

/** What happens to a server between two looks at the clock, as a step of the clock in ms. */
const mishap = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 60_000, max: 86_400_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -7_200_000, max: 0 }) },
);

test("promise 17: a simulated year of delays, suspends and clock steps: never twice, never ahead, never blind", () => {
  const steps = fc.array(mishap, { minLength: 50, maxLength: 400 });
  const intervals = fc.constantFrom(1000, 60_000, 300_000, 3_600_000);
  fc.assert(
    fc.property(steps, intervals, fc.string(), (list, intervalMs, name) => {
      const own = { intervalMs, phaseMs: phaseOf(name, intervalMs) };
      let nowAt = Date.UTC(2026, 0, 1);
      let lastSlot: number | undefined;
      for (const step of list) {
        nowAt += step;
        const { slot, missed, nextAt } = dueSlot({ ...own, lastSlot, nowAt });
        expect(nextAt).toBeGreaterThan(nowAt);
        // Two: one that goes back by about an interval cannot be told from one that goes back by less.
        expect(nextAt - nowAt).toBeLessThanOrEqual(2 * intervalMs);
        if (slot === undefined) {
          expect(Math.abs(slotAt(own, nowAt) - lastSlot!)).toBeLessThanOrEqual(1);
          continue;
        }
        expect(startOfSlot(own, slot)).toBeLessThanOrEqual(nowAt);
        expect(startOfSlot(own, slot + 1)).toBeGreaterThan(nowAt);
        expect(slot).not.toBe(lastSlot ?? Number.NaN);
        if (lastSlot !== undefined && slot > lastSlot) expect(missed).toBe(slot - lastSlot - 1);
        lastSlot = slot;
      }
    }),
    { numRuns: roundsOf(200) },
  );
});

test("promise 17: a year at one minute, asked when it said, has every slot once and no drift", () => {
  const own = { intervalMs: 60_000, phaseMs: 12_345 };
  const startAt = Date.UTC(2026, 0, 1);
  let nowAt = startAt;
  let lastSlot: number | undefined;
  let count = 0;
  while (nowAt < startAt + 365 * 86_400_000) {
    const { slot, missed, nextAt } = dueSlot({ ...own, lastSlot, nowAt });
    if (slot === undefined || missed !== 0) throw new Error(`at ${nowAt}`);
    lastSlot = slot;
    count++;
    // Timers are late, never early.
    nowAt = nextAt + (count % 7);
  }
  expect(count).toBe(365 * 1440 + 1);
});

test("a changed interval goes on where the old one was", () => {
  const to = { intervalMs: 1000, phaseMs: 500 };
  const moved = moveSlot(104, rhythm, to);
  expect(startOfSlot(to, moved)).toBeLessThanOrEqual(startOfSlot(rhythm, 104));
  expect(dueSlot({ ...to, lastSlot: moved, nowAt: startOfSlot(rhythm, 104) }).slot).toBeUndefined();
});

test("5 000 models at a minute spread evenly: no second has more than twice its share", () => {
  for (const nameOf of [
    (i: number) => `model-${i}`,
    (i: number) => `web_${String(i).padStart(5, "0")}_cpu`,
  ]) {
    const perSecond = new Array<number>(60).fill(0);
    for (let i = 0; i < 5000; i++) perSecond[Math.floor(phaseOf(nameOf(i), 60_000) / 1000)]!++;
    expect(Math.max(...perSecond)).toBeLessThan((2 * 5000) / 60);
    expect(Math.min(...perSecond)).toBeGreaterThan(5000 / 60 / 2);
  }
  expect(phaseOf("", 1000)).toBeLessThan(1000);
});
