// Members that follow a level, and the repetition of a cycle, on series that can be worked out on paper.
import { describe, expect, test } from "bun:test";
import { kindOf, type SimpleMember } from "../../../../src/models/forecasters/members/index.ts";
import { scalesFor } from "../../../../src/models/forecasters/members/level-kind.ts";
import type { Cycles } from "../../../../src/models/forecasters/season/cycles.ts";
import { columnOf, leadsTo, makeColumn, makeNoise, signal, viewOf } from "../support.ts";

type LevelMethod = "level" | "drift" | "line" | "damped-trend" | "theta";
const methods: readonly LevelMethod[] = ["level", "drift", "line", "damped-trend", "theta"];
const bend: SimpleMember = { method: "bend", season: "none", scale: "linear" };

const levelOf = (method: LevelMethod, over: object = {}) =>
  ({ method, season: "none", scale: "linear", ...over }) as SimpleMember;
const repeatOf = (season: "none" | "day" | "week" | "year" | "week+year"): SimpleMember => ({
  method: "repeat",
  season,
});

interface Way {
  readonly leads?: readonly number[];
  readonly cycles?: Cycles;
  readonly breaks?: boolean;
}

function forecast(
  member: SimpleMember,
  column: Float64Array,
  { leads = [0, 1, 9], cycles = {}, breaks = false }: Way = {},
) {
  const view = viewOf(column, { leads, cycles, breaks });
  return Array.from(kindOf(member.method).forecast(member, view));
}

const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 3));
const shape = [3, -1, 4, -6];
const inDays = { cycles: { day: 4 } };

describe("a line of 1 to 20", () => {
  const line = makeColumn(20, (i) => 1 + i);

  test.each([
    ["the last level stays", "level", [20, 20, 20]],
    ["with the slope of the history it goes on", "drift", [21, 22, 30]],
    ["the line goes on", "line", [21, 22, 30]],
    // The mean of the line and of the last value, for the smoothed level is that.
    ["Theta follows half of the slope", "theta", [20.5, 21, 25]],
  ] as const)("%s", (_, method, values) => {
    expect(forecast(levelOf(method), line)).toEqual(closeTo(values));
  });

  test("a damped trend slows down", () => {
    const values = forecast(levelOf("damped-trend"), line, { leads: leadsTo(10) });
    const changes = values.map((value, i) => value - (values[i - 1] ?? 20));
    expect(values[0]!).toBeWithin(20.5, 21.5);
    for (const [i, change] of changes.entries()) {
      expect(change).toBeGreaterThan(0);
      if (i > 1) expect(change).toBeLessThan(changes[i - 1]!);
    }
  });

  test("before the origin, where a clock is set back, none is lower than at it", () => {
    for (const method of ["level", "drift", "line", "damped-trend"] as const) {
      const [early, first] = forecast(levelOf(method), line, { leads: [-1, 0] });
      expect(early!).toBeLessThanOrEqual(first! + 1e-9);
      expect(early!).toBeGreaterThan(first! - 1.1);
    }
  });
});

describe("a bend", () => {
  const parabola = (i: number) => 5 + i * i;

  test("goes on, its season added", () => {
    const column = makeColumn(40, (i) => parabola(i) + 100 * shape[i % 4]!);
    expect(forecast(bend, makeColumn(40, parabola))).toEqual(closeTo([40, 41, 49].map(parabola)));
    const values = forecast({ ...bend, season: "day" }, column, inDays);
    for (const [k, i] of [40, 41, 49].entries())
      expect(Math.abs(values[k]! - parabola(i) - 100 * shape[i % 4]!)).toBeLessThan(40);
  });

  test("has no forecast of a line", () => {
    expect(
      forecast(
        bend,
        makeColumn(40, (i) => 3 * i),
      ),
    ).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe.each(methods)("%s", (method) => {
  test("a constant goes on", () => {
    expect(
      forecast(
        levelOf(method),
        makeColumn(30, () => 7),
      ),
    ).toEqual(closeTo([7, 7, 7]));
  });

  test("a season is removed and added again, at its place", () => {
    const column = makeColumn(40, (i) => 50 + shape[i % 4]!);
    const values = forecast(levelOf(method, { season: "day" }), column, { ...inDays, leads: leadsTo(6) });
    expect(values).toEqual(closeTo([53, 49, 54, 44, 53, 49]));
  });

  test("on the scale of logarithms a constant, too, goes on", () => {
    expect(
      forecast(
        levelOf(method, { scale: "log" }),
        makeColumn(30, () => 7),
      ),
    ).toEqual(closeTo([7, 7, 7]));
  });

  test("values that have no logarithm are followed as they are", () => {
    const column = makeColumn(30, () => -7);
    expect(forecast(levelOf(method, { scale: "log" }), column)).toEqual(closeTo([-7, -7, -7]));
  });

  test("without a history that holds its season twice there is none", () => {
    const column = makeColumn(30, () => 7);
    const values = forecast(levelOf(method, { season: "year" }), column, { cycles: { year: 20 } });
    expect(values).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  test("after a step the new level goes on", () => {
    const noise = makeNoise(18);
    const column = makeColumn(80, (i) => (i < 60 ? 10 : 50) + 0.5 * noise());
    const values = forecast(levelOf(method), column, { breaks: true });
    for (const value of values) expect(value).toBeWithin(48, 52);
  });

  test("one value is all that is known", () => {
    expect(forecast(levelOf(method), columnOf(5))).toEqual([5, 5, 5]);
  });

  test("nothing known, nothing forecast", () => {
    const nothing = new Array(3).fill(Number.NaN);
    expect(forecast(levelOf(method), columnOf())).toEqual(nothing);
    expect(forecast(levelOf(method), columnOf(Number.NaN, Number.NaN))).toEqual(nothing);
  });
});

test.each(["line", "drift"] as const)("growth by a tenth goes on by shares: %s", (method) => {
  const column = makeColumn(30, (i) => 1.1 ** i);
  const [first, second, later] = forecast(levelOf(method, { scale: "log" }), column);
  expect(first! / 1.1 ** 30).toBeCloseTo(1, 3);
  expect(second! / 1.1 ** 31).toBeCloseTo(1, 3);
  expect(later! / 1.1 ** 39).toBeCloseTo(1, 3);
});

test("after a step on a line, the line goes on", () => {
  const column = makeColumn(80, (i) => i + (i < 50 ? 0 : 100));
  for (const method of ["line", "drift"] as const)
    expect(forecast(levelOf(method), column, { breaks: true })).toEqual(closeTo([180, 181, 189]));
});

describe("repetition", () => {
  test("of a week and a year is that of the same day of the week, about a year ago", () => {
    const days = 3 * 366;
    const ahead = { cycles: { week: 7, year: 365.25 }, leads: [0, 6, 363, 364, 370, 728] };
    const weeks = makeColumn(days, (i) => i % 7);
    const expected = ahead.leads.map((lead) => (days + lead) % 7);
    expect(forecast(repeatOf("week+year"), weeks, ahead)).toEqual(expected);
    expect(forecast(repeatOf("year"), weeks, ahead)).not.toEqual(expected);
    // A single day, 52 weeks ago.
    const once = makeColumn(days, (i) => (i === days + 6 - 364 ? 1 : 0));
    expect(forecast(repeatOf("week+year"), once, ahead)).toEqual([0, 1, 0, 0, 1, 0]);
  });

  test("of a week and a year grows as much as the last year did", () => {
    const way = { cycles: { week: 7, year: 28 }, leads: [0, 20] };
    const line = makeColumn(84, (i) => i);
    expect(forecast(repeatOf("week+year"), line, way)).toEqual([84, 104]);
  });

  test("of a cycle goes on as often as is asked for", () => {
    const column = columnOf(0, 0, 0, 0, 1, 2, 3, 4);
    expect(forecast(repeatOf("day"), column, { ...inDays, leads: leadsTo(9) })).toEqual([
      1, 2, 3, 4, 1, 2, 3, 4, 1,
    ]);
  });

  test("without a cycle is that of the last value", () => {
    expect(forecast(repeatOf("none"), columnOf(3, 9))).toEqual([9, 9, 9]);
  });

  test("a missing value is that of a cycle before, up to four", () => {
    const column = columnOf(5, 6, 7, 8, 1, 2, 3, 4, Number.NaN, Number.NaN, 3, 4);
    expect(forecast(repeatOf("day"), column, { ...inDays, leads: leadsTo(4) })).toEqual([1, 2, 3, 4]);
    const gap = makeColumn(24, (i) => (i < 4 ? 7 : Number.NaN));
    expect(forecast(repeatOf("day"), gap, { ...inDays, leads: [0] })).toEqual([Number.NaN]);
    expect(forecast(repeatOf("day"), gap.subarray(0, 16), { ...inDays, leads: [0] })).toEqual([7]);
  });

  test("of a year grows as much as the last one did", () => {
    const column = columnOf(1, 2, 3, 4, 11, 12, 13, 14);
    const values = forecast(repeatOf("year"), column, { cycles: { year: 4 }, leads: leadsTo(5) });
    expect(values).toEqual([21, 22, 23, 24, 31]);
  });

  test("of a year does not grow where its months disagree", () => {
    const column = columnOf(1, 2, 3, 4, 11, -8, 13, -6);
    const values = forecast(repeatOf("year"), column, { cycles: { year: 4 }, leads: leadsTo(4) });
    expect(values).toEqual([11, -8, 13, -6]);
  });

  test("of a fractional cycle takes the nearest value", () => {
    const column = makeColumn(20, (i) => i);
    const values = forecast(repeatOf("day"), column, { cycles: { day: 4.4 }, leads: leadsTo(5) });
    // Those at 20 + lead - 4.4; of the last lead that has not come, but a cycle before.
    expect(values).toEqual([16, 17, 18, 19, 15]);
  });
});

describe("what competes", () => {
  const propose = async (method: SimpleMember["method"], column: Float64Array, cycles: Cycles) => {
    const view = viewOf(column, { cycles, history: column.length });
    const series = { column, intervalMs: view.intervalMs };
    const proposal = { series, points: column.length, before: view, horizon: 24, isAlone: false };
    return (await kindOf(method).propose(proposal, signal)) as readonly SimpleMember[];
  };
  const seasonsOf = (members: readonly SimpleMember[]) =>
    members.map((member) => ("season" in member ? member.season : ""));

  test.each([
    ["a level", "level", 500, ["none", "day", "week"]],
    ["a level of many points, which know their day", "level", 2500, ["day", "week"]],
    ["a level of less than two days", "level", 40, ["none"]],
    ["a repetition of a cycle seen once", "repeat", 40, ["none", "day"]],
    ["medians", "seasonal", 500, ["week", "mixed", "day"]],
    ["medians of hardly any points", "seasonal", 11, []],
  ] as const)("%s", async (_, method, length, seasons) => {
    const members = await propose(
      method,
      makeColumn(length, (i) => -(i % 5)),
      { day: 24, week: 168 },
    );
    expect(seasonsOf(members)).toEqual([...seasons]);
  });

  test("a repetition of the same day of the week, of a year seen once", async () => {
    const members = await propose(
      "repeat",
      makeColumn(40, (i) => -(i % 5)),
      { week: 7, year: 36.5 },
    );
    expect(seasonsOf(members)).toEqual(["none", "week", "year", "week+year"]);
  });

  test("Holt-Winters of hardly any points does not", async () => {
    expect(
      await propose(
        "holt-winters",
        makeColumn(11, (i) => i),
        {},
      ),
    ).toEqual([]);
    expect(
      await propose(
        "holt-winters",
        makeColumn(12, (i) => i),
        {},
      ),
    ).toHaveLength(1);
  });

  test.each([
    ["values above 0 of different size", (i: number) => 1 + (i % 5), 100, ["linear", "log"]],
    ["with gaps", (i: number) => (i % 3 ? 1 + (i % 5) : Number.NaN), 100, ["linear", "log"]],
    ["a 0 among them", (i: number) => i % 5, 100, ["linear"]],
    ["values of one size", (i: number) => 100 + (i % 5), 100, ["linear"]],
    ["many points", (i: number) => 1 + (i % 5), 2001, ["linear"]],
  ] as const)("scales of %s", (_, value, length, scales) => {
    expect(scalesFor(viewOf(makeColumn(length, value), { history: length }))).toEqual([...scales]);
  });
});
