// Members of a combination: which there are, and that none looks ahead.
import { describe, expect, test } from "bun:test";
import {
  historyLength,
  predictSimple,
  type SimpleMember,
  seasonalMembers,
  smoothedSeasons,
} from "../../../src/models/forecasters/members.ts";
import { DAY, HOUR, leadsTo, makeColumn, makeNoise, meanAbsolute, seasonal, WEEK } from "./support.ts";

const MINUTE = 60_000;
const day = 24;
const week = 168;

test.each([
  [{ day, week }, ["week", "mixed", "day"], [{ day }, { day, week }]],
  [{ day }, ["day"], [{ day }]],
  [{ week }, ["week"], [{ week }]],
  [{}, ["none"], [{}]],
])("with the seasons %p: %p, smoothed %p", (seasons, names, smoothed) => {
  expect(seasonalMembers(seasons)).toMatchObject(names.map((season) => ({ method: "seasonal", season })));
  expect(smoothedSeasons(seasons)).toEqual(smoothed);
});

test.each([
  ["eight weeks of hours", HOUR, 56 * 24],
  ["of minutes", MINUTE, 56 * 1440],
  ["of seconds no more than 100 000", 1000, 100_000],
  ["56 weeks", 7 * 24 * HOUR, 56],
])("history: %s", (_, intervalMs, intervals) => {
  expect(historyLength(intervalMs)).toBe(intervals);
});

const smoothing = { level: 0.03, trend: 0, damping: 0.99, day: 0.15, week: 0.2, memory: 0.5 };
const every: readonly SimpleMember[] = [
  ...seasonalMembers({ day, week }),
  ...seasonalMembers({}),
  ...smoothedSeasons({ day, week }).map(
    (seasons) => ({ method: "holt-winters", seasons, smoothing }) as const,
  ),
];
const nameOf = (member: SimpleMember) =>
  "season" in member ? member.season : Object.keys(member.seasons).join("+");

describe.each(every.map((member) => [nameOf(member), member] as const))("%s", (_, member) => {
  const noise = makeNoise(21);
  const column = makeColumn(8 * WEEK, (i) => (i % 41 === 3 ? Number.NaN : seasonal(i) + noise()));
  const origins = [2 * WEEK + 5, 5 * WEEK, 7 * WEEK + 11];
  const targets = { origins, leads: leadsTo(2 * DAY) };
  const run = (values: Float64Array) => predictSimple(member, { column: values, intervalMs: HOUR }, targets);

  test("what comes after an origin changes nothing", () => {
    const whole = run(column);
    for (const [k, origin] of origins.entries()) {
      const changed = column.map((value, i) => (i >= origin ? -1e9 : value));
      expect(run(changed)[k]).toEqual(whole[k]!);
      const cut = { ...targets, origins: origins.slice(0, k + 1) };
      const series = { column: column.slice(0, origin), intervalMs: HOUR };
      expect(predictSimple(member, series, cut)[k]).toEqual(whole[k]!);
    }
  });

  test("without anything before it, it foretells nothing", () => {
    const nothing = makeColumn(100, () => Number.NaN);
    const [first] = predictSimple(
      member,
      { column: nothing, intervalMs: HOUR },
      { origins: [100], leads: [0, 1] },
    );
    expect(Array.from(first!)).toEqual([Number.NaN, Number.NaN]);
  });
});

test.each(
  every.filter((member) => nameOf(member) !== "none").map((member) => [nameOf(member), member] as const),
)("%s foretells a daily wave to within its noise", (_, member) => {
  const noise = makeNoise(22);
  const wave = (i: number) => 100 + 20 * Math.sin((2 * Math.PI * i) / DAY);
  const column = makeColumn(6 * WEEK, (i) => wave(i) + 2 * noise());
  const targets = { origins: [6 * WEEK], leads: leadsTo(2 * DAY) };
  const [predicted] = predictSimple(member, { column, intervalMs: HOUR }, targets);
  expect(
    meanAbsolute(
      predicted!,
      makeColumn(2 * DAY, (i) => wave(6 * WEEK + i)),
    ),
  ).toBeLessThan(2);
});
