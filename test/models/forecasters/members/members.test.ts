// Members of a combination: which there are, and that none looks ahead.
import { describe, expect, test } from "bun:test";
import { setOf, withAdded } from "../../../../src/models/forecasters/members/added-cycle.ts";
import { smoothedSeasons } from "../../../../src/models/forecasters/members/holt-winters-kind.ts";
import { kindOf, memberKinds, type SimpleMember } from "../../../../src/models/forecasters/members/index.ts";
import { seasonalMembers } from "../../../../src/models/forecasters/members/seasonal.ts";
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

test("each kind is registered under the method of its members", () => {
  for (const [method, kind] of Object.entries(memberKinds)) expect(kind.method).toBe(method as never);
});

const smoothing = { level: 0.03, trend: 0, damping: 0.99, day: 0.15, week: 0.2, memory: 0.5 };
const levels = (["level", "drift", "line", "damped-trend", "theta"] as const).flatMap((method) =>
  (["none", "day", "week"] as const).map((season) => ({ method, season, scale: "linear" }) as const),
);
const every: readonly SimpleMember[] = [
  ...seasonalMembers({ day, week }),
  ...seasonalMembers({}),
  ...smoothedSeasons({ day, week }).map(
    (seasons) => ({ method: "holt-winters", seasons, smoothing }) as const,
  ),
  ...levels,
  ...levels.slice(0, 2).map((member) => ({ ...member, scale: "log" }) as const),
  { method: "repeat", season: "none" },
  { method: "repeat", season: "day" },
  { method: "repeat", season: "week" },
];
const seasonOf = (member: SimpleMember) =>
  "season" in member ? member.season : Object.keys(member.seasons).join("+");
const nameOf = (member: SimpleMember) => `${member.method} ${seasonOf(member)}`;
const named = (members: readonly SimpleMember[]) =>
  members.map((member) => [nameOf(member), member] as const);

const run = (member: SimpleMember, column: Float64Array, origin = column.length, breaks = false) =>
  kindOf(member.method).forecast(member, viewOf(column, { origin, leads: leadsTo(2 * DAY), breaks }));

describe.each(named(every))("%s", (_, member) => {
  const noise = makeNoise(21);
  const column = makeColumn(8 * WEEK, (i) =>
    i % 41 === 3 ? Number.NaN : seasonal(i) + noise() + (i > 4 * WEEK ? 60 : 0),
  );

  test.each([
    [2 * WEEK + 5, false],
    [5 * WEEK, true],
    [7 * WEEK + 11, false],
    [7 * WEEK + 11, true],
  ])("what comes after interval %d changes nothing; breaks are looked for: %p", (origin, breaks) => {
    const known = run(member, column, origin, breaks);
    const changed = column.map((value, i) => (i >= origin ? -1e9 : value));
    expect(known.every(Number.isFinite)).toBe(true);
    expect(run(member, changed, origin, breaks)).toEqual(known);
    expect(run(member, column.slice(0, origin), origin, breaks)).toEqual(known);
  });

  test("without anything before it, it forecasts nothing", () => {
    const nothing = run(
      member,
      makeColumn(100, () => Number.NaN),
    );
    expect(nothing.every(Number.isNaN)).toBe(true);
  });
});

test.each(
  named(every.filter((member) => seasonOf(member) !== "none")),
)("%s forecasts a daily wave to within its noise", (_, member) => {
  const noise = makeNoise(22);
  const wave = (i: number) => 100 + 20 * Math.sin((2 * Math.PI * i) / DAY);
  const column = makeColumn(6 * WEEK, (i) => wave(i) + 2 * noise());
  const truth = makeColumn(2 * DAY, (i) => wave(6 * WEEK + i));
  expect(meanAbsolute(run(member, column), truth)).toBeLessThan(2);
});

describe("members without the year", () => {
  const daily = { week: 7, year: 365.25 };
  const seasons = { week: 7 };
  const members: readonly SimpleMember[] = [
    { method: "seasonal", season: "week", follow: 0.5, year: true },
    { method: "holt-winters", seasons, smoothing, year: true },
  ];
  const yearly = makeColumn(1100, (i) => 100 + 40 * Math.sin((2 * Math.PI * i) / 365.25) + (i % 7));
  const leads = leadsTo(60);
  const view = (end: number) =>
    viewOf(yearly.subarray(0, end), { leads, cycles: daily, intervalMs: 24 * HOUR });

  test.each(named(members))("%s: the year goes on", (_, member) => {
    const values = kindOf(member.method).forecast(member, view(1000));
    expect(meanAbsolute(values, yearly.subarray(1000, 1060))).toBeLessThan(4);
  });

  test.each(named(members))("%s: less than two years tell nothing", (_, member) => {
    const values = kindOf(member.method).forecast(member, view(700));
    expect(Array.from(values).every(Number.isNaN)).toBe(true);
  });

  test("are proposed beside the others where there are two years", () => {
    const usual = seasonalMembers({ week: 7 });
    expect(withAdded(usual, daily, 700)).toEqual(usual);
    expect(withAdded(usual, daily, 731)).toEqual([...usual, { ...usual[0]!, year: true }]);
    expect(withAdded(usual, { week: 7 }, 5000)).toEqual(usual);
    expect([setOf("none", {}), setOf("week", {})]).toEqual(["none", "week"]);
    expect([setOf("none", { year: true }), setOf("week", { year: true })]).toEqual(["year", "week+year"]);
  });
});
