// View of a series from an origin: at the present level, by local time, and without what comes after.
import { describe, expect, test } from "bun:test";
import { offsetsOf } from "../../../../src/core/time/timezone.ts";
import { View } from "../../../../src/models/forecasters/history/view.ts";
import { createSeries } from "../../../../src/models/forecasters/local-time.ts";
import {
  DAY,
  HOUR,
  leadsTo,
  makeColumn,
  makeNoise,
  meanAbsolute,
  seasonal,
  viewOf,
  WEEK,
} from "../support.ts";

const noise = makeNoise(19);
const stepAt = 10 * DAY + 10;
/** A season, and 60 more from a step on. */
const stepped = makeColumn(14 * DAY, (i) => seasonal(i % DAY) + (i >= stepAt ? 60 : 0) + noise());

describe("a history with a step", () => {
  const view = viewOf(stepped, { breaks: true });

  test("is moved to the present level", () => {
    expect(view).toMatchObject({ isBroken: true, isFlat: true, isPlain: true });
    expect(view.breaks).toHaveLength(1);
    expect(view.breaks[0]!).toBeWithin(stepAt - 2, stepAt + 3);
    for (let i = 0; i < stepAt - DAY; i++)
      expect(view.column[i]!).toBeWithin(seasonal(i % DAY) + 60 - 6, seasonal(i % DAY) + 60 + 6);
  });

  test("of earlier origins does not know it", () => {
    const early = viewOf(stepped, { breaks: true, origin: stepAt });
    expect(early.isBroken).toBe(false);
    expect(early.column).toEqual(stepped.subarray(0, stepAt));
  });

  test("stays as it is where that is asked for", () => {
    const still = viewOf(stepped);
    expect(still).toMatchObject({ isBroken: false, isFlat: false, breaks: [] });
    expect(still.column).toEqual(stepped);
  });

  test("read in part has its breaks at their places in the whole", () => {
    const part = viewOf(stepped, { breaks: true, history: 10 * DAY });
    expect(part.length).toBe(10 * DAY);
    expect(part.breaks).toHaveLength(1);
    expect(part.breaks[0]!).toBeWithin(stepAt - 2, stepAt + 3);
  });
});

test("pieces of an S-curve are no segments", () => {
  const own = makeNoise(3);
  const column = makeColumn(120, (i) => 50 + 1000 / (1 + Math.exp((75 - i) / 14)) + 4 * own());
  expect(viewOf(column, { breaks: true, cycles: {} }).isBroken).toBe(false);
});

describe("what was removed is restored", () => {
  const flat = new Float64Array(3).fill(100);

  test("a slope after a break goes on", () => {
    const column = makeColumn(80, (i) => i + (i < 50 ? 0 : 100));
    const view = viewOf(column, { breaks: true, cycles: {}, leads: [-1, 0, 10] });
    for (const value of view.column) expect(value).toBeCloseTo(180, 3);
    const restored = Array.from(view.restore(flat));
    expect(restored).toEqual([100, 100, 110].map((value) => expect.closeTo(value, 3)));
  });

  test("a given trend goes on where there is no break", () => {
    const column = makeColumn(4 * WEEK, (i) => i / DAY);
    const trend = { kind: "additive", span: "steady", damping: 1 } as const;
    const view = viewOf(column, { trend, leads: [0, DAY, 10 * DAY] });
    expect(view.isFlat).toBe(true);
    for (const value of view.column) expect(value).toBeCloseTo(28, 9);
    expect(Array.from(view.restore(flat))).toEqual([100, 101, 110].map((value) => expect.closeTo(value, 9)));
  });

  test("nothing where nothing was", () => {
    expect(viewOf(stepped, { leads: [0, 1, 2] }).restore(flat)).toEqual(flat);
  });
});

describe("a level", () => {
  test.each([
    ["of a season twice in the history", 2 * DAY, "day", true],
    ["of one that is not", 2 * DAY - 1, "day", false],
    ["of a week", 2 * WEEK, "week", true],
    ["without a season", 3, "none", true],
  ] as const)("%s", (_, length, set, isKnown) => {
    const view = viewOf(makeColumn(length, (i) => seasonal(i)));
    expect(view.level(set, "linear") !== undefined).toBe(isKnown);
  });

  test("has logarithms where all values are above 0", () => {
    expect(viewOf(makeColumn(20, (i) => 1 + i)).level("none", "log")).toBeDefined();
    expect(viewOf(makeColumn(20, (i) => i)).level("none", "log")).toBeUndefined();
  });

  test("restores its season, and its scale", () => {
    const column = makeColumn(10 * DAY, (i) => Math.exp(2 + 0.1 * (i % 2)));
    const level = viewOf(column, { cycles: { day: 2 } }).level("day", "log")!;
    expect(level.restore(2.05, 0)).toBeCloseTo(Math.exp(2), 6);
    expect(level.restore(2.05, 7)).toBeCloseTo(Math.exp(2.1), 6);
  });

  test("after a step has only the present level; the drift is that of the segments", () => {
    const column = makeColumn(80, (i) => i + (i < 50 ? 0 : 100));
    const level = viewOf(column, { breaks: true, cycles: {} }).level("none", "linear")!;
    expect(level.line).toBeCloseTo(180, 3);
    expect(level.drift).toBeCloseTo(1, 6);
    for (const value of level.values) expect(value).toBeCloseTo(180, 3);
  });

  test("is without spikes", () => {
    const column = makeColumn(60, (i) => (i === 30 ? 900 : 50) + noise());
    expect(Math.max(...viewOf(column).level("none", "linear")!.values)).toBeLessThan(60);
  });
});

test("a view that shares the parts of another one has the same levels", () => {
  const [series, target] = [
    { column: stepped, intervalMs: HOUR },
    { origin: stepped.length, leads: [0], history: stepped.length },
  ];
  const first = new View(series, target, { breaks: true });
  const shared = new View(series, target, { breaks: false }, first);
  const own = new View(series, target, { breaks: false });
  expect(shared.level("day", "linear")!.values).toEqual(own.level("day", "linear")!.values);
  expect(shared.isBroken).toBe(false);
});

describe("a view that takes the breaks of a later one", () => {
  const column = makeColumn(200, (i) => (i < 80 ? 10 : i < 150 ? 50 : 90) + noise());
  const series = { column, intervalMs: HOUR };
  const viewAt = (origin: number, seen?: View) =>
    new View(series, { origin, leads: [0], history: 200 }, { breaks: true }, seen);
  const later = viewAt(200);

  test("is at the level of its own origin, and knows no break after it", () => {
    const view = viewAt(140, later);
    expect(view.breaks).toEqual([80]);
    expect(view.column).toHaveLength(140);
    for (const value of view.column) expect(value).toBeWithin(44, 56);
    expect(view.level("none", "linear")!.line).toBeWithin(48, 52);
  });

  test("has none before the first", () => {
    expect(viewAt(60, later).isBroken).toBe(false);
  });
});

test("a year that has not come three times may look like breaks", () => {
  const mayBeYearly = (days: number) =>
    viewOf(
      makeColumn(days, () => 1),
      { intervalMs: 24 * HOUR },
    ).mayBeYearly;
  expect([200, 300, 1000, 1100].map(mayBeYearly)).toEqual([false, true, true, false]);
  expect(viewOf(makeColumn(1000, () => 1)).mayBeYearly).toBe(false);
});

describe("leads across a change of the clock in Paris", () => {
  test.each([
    // One hour after midnight, an hour is left out, or comes twice.
    ["forward", Date.UTC(2026, 2, 29, 0), [0, 2, 3]],
    ["back", Date.UTC(2026, 9, 25, 0), [0, 0, 1]],
  ] as const)("set %s", (_, originAt, leads) => {
    const origin = 3 * DAY;
    const startAt = originAt - origin * HOUR;
    const timeline = { startAt, intervalMs: HOUR, offsetAt: offsetsOf("Europe/Paris") };
    const series = createSeries(
      makeColumn(4 * DAY, (i) => i),
      timeline,
    );
    const view = new View(series, { origin, leads: leadsTo(3), history: WEEK }, { breaks: false });
    expect([...view.leads]).toEqual([...leads]);
    expect(view.column).toEqual(makeColumn(origin, (i) => i));
  });
});

describe("a yearly season", () => {
  const cycles = { week: 7, year: 60 };
  const yearly = (i: number) => 30 * Math.sin((2 * Math.PI * i) / 60);
  const column = makeColumn(150, (i) => 100 + yearly(i) + (i % 7 < 5 ? 10 : 0));
  const leads = leadsTo(30);

  test("is left out of a history, and added to what is forecast from it", () => {
    const { recent, restore } = viewOf(column, { cycles, leads }).without("year")!;
    const from = column.length - recent.length;
    for (const [k, value] of recent.entries()) {
      const i = from + k;
      expect(value).toBeWithin(column[i]! - yearly(i) - 4, column[i]! - yearly(i) + 4);
    }
    for (const [lead, value] of restore(new Float64Array(leads.length)).entries())
      expect(value).toBeWithin(yearly(150 + lead) - 4, yearly(150 + lead) + 4);
  });

  test("is not known of less than two years", () => {
    expect(viewOf(column.subarray(0, 119), { cycles }).without("year")).toBeUndefined();
  });
});

describe("a season before and after a step", () => {
  const size = 150;
  const after = (i: number) => i >= size - 6;
  const shapes = {
    shares: (i: number) => (after(i) ? 100 : 50) * (1 + 0.02 * wave(i)),
    sums: (i: number) => (after(i) ? 100 : 50) + wave(i),
  };
  const wave = (i: number) => 10 * Math.sin((2 * Math.PI * i) / 7);
  const cycles = { week: 7 };
  const make = (name: keyof typeof shapes, seed: number) => {
    const own = makeNoise(seed);
    return viewOf(
      makeColumn(size, (i) => shapes[name](i) + own()),
      { breaks: true, cycles, intervalMs: 24 * HOUR, history: size },
    );
  };

  test.each([1, 2, 3, 4, 5])("grows with the level where it is a share of it, seed %p", (seed) => {
    const view = make("shares", seed);
    expect(view.breaks).toEqual([size - 6]);
    expect(view.start.level).toBeWithin(96, 104);
    expect(
      meanAbsolute(
        view.column,
        makeColumn(size, (i) => 100 + 2 * wave(i)),
      ),
    ).toBeLessThan(3);
    expect(view.level("week", "linear")).toBeUndefined();
    expect(view.level("week", "log")).toBeDefined();
  });

  test.each([1, 2, 3, 4, 5])("stays as it is where it is added, seed %p", (seed) => {
    const view = make("sums", seed);
    expect(view.breaks).toEqual([size - 6]);
    expect(
      meanAbsolute(
        view.column,
        makeColumn(size, (i) => 100 + wave(i)),
      ),
    ).toBeLessThan(3);
    expect(view.level("week", "linear")).toBeDefined();
    expect(view.level("week", "log")).toBeUndefined();
  });
});
