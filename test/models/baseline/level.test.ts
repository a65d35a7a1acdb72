// Level: a step is the new level within a day, a known level and one after a change within hours; outages, drift and gaps are none.
import { describe, expect, test } from "bun:test";
import { LevelFollower, type LevelInput, type LevelMemory } from "../../../src/models/baseline/level.ts";
import { createRandom } from "../../../wasm/random.ts";

const MINUTE = 60_000;
const timeline = { startAt: 0, intervalMs: 10 * MINUTE };
const DAY = 144;
const HOUR = 6;

const usualAt = (i: number) => 50 + 20 * Math.sin((2 * Math.PI * i) / DAY);

function series(days: number, offsetAt: (i: number) => number): Float64Array {
  const random = createRandom(4);
  return Float64Array.from({ length: days * DAY }, (_, i) => usualAt(i) + offsetAt(i) + random.normal());
}

function followLevel(
  { flat, ...input }: Omit<LevelInput, "length"> & { readonly flat: Float64Array },
  memory?: LevelMemory,
): LevelFollower {
  const level = new LevelFollower({ ...input, length: flat.length }, memory);
  for (let i = input.from; i < flat.length; i++) level.step(i, flat[i]!);
  return level;
}

const follow = (flat: Float64Array, from = 0, memory?: LevelMemory) =>
  followLevel({ flat, usualAt, scale: 1, timeline, from }, memory);

describe("a step", () => {
  const STEP = 3 * DAY + 2 * HOUR;
  const flat = series(8, (i) => (i < STEP ? 0 : 30));
  const { shifts, offsets } = follow(flat);

  test("is found once, within a day", () => {
    expect(shifts).toHaveLength(1);
    const [{ index, sinceAt, from, to }] = shifts as [(typeof shifts)[0]];
    expect(index - STEP).toBeWithin(DAY - 3 * HOUR, DAY + 6 * HOUR);
    expect(sinceAt / timeline.intervalMs - STEP).toBeWithin(-3 * HOUR, 3 * HOUR + 1);
    expect(from).toBe(0);
    expect(to).toBeWithin(29.5, 30.5);
    expect([offsets[index - 1], offsets[index]]).toEqual([0, to]);
  });

  test("a memory continues as one pass, wherever it is cut", () => {
    for (const cut of [STEP, STEP + 50, shifts[0]!.index - 1, shifts[0]!.index, shifts[0]!.index + 1]) {
      const first = follow(flat.subarray(0, cut));
      const memory = JSON.parse(JSON.stringify(first.memory));
      const second = follow(flat, cut, memory);
      expect([...first.shifts, ...second.shifts]).toEqual([...shifts]);
      expect(second.offsets.subarray(cut)).toEqual(offsets.subarray(cut));
    }
  });

  test("of an evaluation that starts with it, the history has the new level since the step", () => {
    const { index, sinceAt, to } = shifts[0]!;
    const { memory } = follow(flat.subarray(0, index));
    const later = follow(flat.subarray(0, index + 1), index, memory).offsets;
    const since = sinceAt / timeline.intervalMs;
    expect([later[since - 1], later[since], later[index - 1]]).toEqual([0, to, to]);
  });

  test("back to the level before takes hours", () => {
    const BACK = 6 * DAY + HOUR;
    const back = follow(series(8, (i) => (i < STEP || i >= BACK ? 0 : 30))).shifts;
    expect(back).toHaveLength(2);
    expect(back[1]).toMatchObject({ from: back[0]!.to, to: 0 });
    expect(back[1]!.index - BACK).toBeWithin(3 * HOUR, 6 * HOUR);
  });

  test("a second step to a third level is another", () => {
    const { shifts: two } = follow(series(10, (i) => (i < STEP ? 0 : i < 6 * DAY ? 30 : -40)));
    expect(two.map(({ to }) => Math.round(to / 10))).toEqual([3, -4]);
  });
});

describe("steps in a row are found as soon as the first", () => {
  const PERIOD = 5 * DAY;
  const STEPS = 6;
  /** Intervals from each step to its shift. */
  const delaysOf = (offsetAt: (step: number) => number) => {
    const { shifts } = follow(series(5 * (STEPS + 1), (i) => offsetAt(Math.floor(i / PERIOD))));
    return shifts.map(({ index }, k) => index - (k + 1) * PERIOD);
  };

  test("each to a new level", () => {
    const delays = delaysOf((step) => 10 * step);
    expect(delays).toHaveLength(STEPS);
    for (const delay of delays) expect(delay).toBeWithin(DAY - 3 * HOUR, DAY + 6 * HOUR);
  });

  test("back and forth between two levels", () => {
    const [first, ...others] = delaysOf((step) => 10 * (step % 2));
    expect(first).toBeWithin(DAY - 3 * HOUR, DAY + 6 * HOUR);
    expect(others).toHaveLength(STEPS - 1);
    for (const delay of others) expect(delay).toBeWithin(3 * HOUR, 6 * HOUR + 1);
  });
});

describe("of one direction that counts", () => {
  const [STEP, BACK] = [3 * DAY + 2 * HOUR, 6 * DAY + HOUR];
  const followSide = (flat: Float64Array, above: boolean, from = 0, memory?: LevelMemory) =>
    followLevel({ flat, usualAt, scale: 1, timeline, from, sides: { above, below: !above } }, memory);
  const flat = series(8, (i) => (i < STEP || i >= BACK ? 0 : -30));

  test("the return from a step in the other one is known at its first value", () => {
    const { shifts } = followSide(flat, true);
    expect(shifts).toHaveLength(2);
    expect(shifts[1]).toMatchObject({ index: BACK, sinceAt: BACK * timeline.intervalMs, to: 0 });
    expect(followSide(flat, false).shifts[1]!.index - BACK).toBeWithin(3 * HOUR, 6 * HOUR);
  });

  test("a memory continues as one pass", () => {
    const { shifts, offsets } = followSide(flat, true);
    const memory = followSide(flat.subarray(0, BACK), true).memory;
    const later = followSide(flat, true, BACK, memory);
    expect(later.shifts).toEqual([shifts[1]!]);
    expect(later.offsets.subarray(BACK)).toEqual(offsets.subarray(BACK));
  });
});

describe("after a change", () => {
  const STEP = 3 * DAY + 2 * HOUR;
  const followAfter = (changeAt: number, offsetAt: (i: number) => number) =>
    followLevel({
      ...{ flat: series(8, offsetAt), usualAt, scale: 1, timeline, from: 0 },
      changes: [changeAt * timeline.intervalMs],
    }).shifts;
  const step = (i: number) => (i < STEP ? 0 : 30);

  test.each([-HOUR, 0, HOUR])("%d intervals from the step, six hours are enough", (beside) => {
    const [shift, ...others] = followAfter(STEP + beside, step);
    expect(others).toEqual([]);
    expect(shift!.index - STEP).toBeWithin(6 * HOUR, 9 * HOUR + 1);
    expect(shift!.to).toBeWithin(29.5, 30.5);
  });

  test.each([-6 * HOUR, 6 * HOUR])("%d intervals from the step, a day is needed", (beside) => {
    const [shift] = followAfter(STEP + beside, step);
    expect(shift!.index - STEP).toBeWithin(DAY - 3 * HOUR, DAY + 6 * HOUR);
  });

  test.each<[string, (i: number) => number]>([
    ["noise", () => 0],
    ["an offset within the noise", (i) => (i < STEP ? 0 : 2)],
    ["five hours", (i) => (i >= STEP && i < STEP + 5 * HOUR ? 30 : 0)],
    ["an outage: values at zero, not shifted", (i) => (i < STEP ? 0 : -usualAt(i))],
  ])("%s is no step", (_, offsetAt) => expect(followAfter(STEP, offsetAt)).toEqual([]));
});

describe("no step", () => {
  test.each<[string, (i: number) => number]>([
    ["noise", () => 0],
    ["an offset within the noise", (i) => (i < 3 * DAY ? 0 : 2)],
    ["twenty hours", (i) => (i >= 3 * DAY && i < 3 * DAY + 20 * HOUR ? 30 : 0)],
    ["an outage: values at zero, not shifted", (i) => (i < 3 * DAY ? 0 : -usualAt(i))],
    ["a wave of two days", (i) => 15 * Math.sin((Math.PI * i) / DAY)],
  ])("%s", (_, offsetAt) => expect(follow(series(8, offsetAt)).shifts).toEqual([]));

  test("gaps of hours within the day begin it anew", () => {
    const flat = series(8, (i) => (i < 3 * DAY ? 0 : 30));
    for (let day = 3; day < 8; day++) flat.fill(Number.NaN, day * DAY + 60, day * DAY + 60 + 3 * HOUR + 12);
    expect(follow(flat).shifts).toEqual([]);
  });

  test("intervals of hours, and series without noise, have none", () => {
    const flat = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 9));
    const zero = { flat, usualAt: () => 0, from: 0 };
    expect(
      followLevel({ ...zero, scale: 1, timeline: { startAt: 0, intervalMs: 120 * MINUTE } }).shifts,
    ).toEqual([]);
    expect(followLevel({ ...zero, scale: 0, timeline }).shifts).toEqual([]);
  });
});
