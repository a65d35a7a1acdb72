// Members of a combination: which there are, and that none looks ahead.
import { describe, expect, test } from "bun:test";
import { smoothedSeasons } from "../../../../src/models/forecasters/members/holt-winters-kind.ts";
import { kindOf, memberKinds, type SimpleMember } from "../../../../src/models/forecasters/members/index.ts";
import { seasonalMembers } from "../../../../src/models/forecasters/members/seasonal.ts";
import { DAY, leadsTo, makeColumn, makeNoise, meanAbsolute, seasonal, viewOf, WEEK } from "../support.ts";

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
