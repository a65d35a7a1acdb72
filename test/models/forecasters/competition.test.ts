// Competition of members: shares by group of leads, corrections of a bias, and combinations.
import { describe, expect, test } from "bun:test";
import { orRepetition } from "../../../src/models/forecasters/backtest.ts";
import {
  type Arena,
  type Candidate,
  measureCandidates,
} from "../../../src/models/forecasters/candidate-errors.ts";
import { blend, weighCandidates } from "../../../src/models/forecasters/competition.ts";
import type { Member } from "../../../src/models/forecasters/members/index.ts";
import { arenaOf, both, candidate, donut, drift, type ErrorAt, level, originsOf, theta } from "./arena.ts";
import { makeColumn } from "./support.ts";

function weigh(arena: Arena, ...errors: readonly (readonly [Member, ErrorAt, number?])[]) {
  const candidates = errors.map(([member, errorAt, prior]) => candidate(member, errorAt, arena, prior));
  return weighCandidates(measureCandidates(arena, candidates));
}

const sharesOf = (weighed: ReturnType<typeof weigh>) =>
  Object.fromEntries(weighed.map(({ member, shares }) => [member.method, shares]));

describe("shares", () => {
  test("a clearly better member forecasts alone", () => {
    expect(sharesOf(weigh(arenaOf(), [level, both(1)], [drift, both(8)]))).toEqual({ level: [1, 1, 1] });
  });

  test("each group of leads has members of its own", () => {
    const chosen = weigh(
      arenaOf(),
      [level, both((_, lead) => (lead < 2 ? 1 : 8))],
      [drift, both((_, lead) => (lead >= 2 && lead < 8 ? 1 : 8))],
      [theta, both((_, lead) => (lead >= 8 ? 1 : 8))],
    );
    expect(sharesOf(chosen)).toEqual({ level: [1, 0, 0], drift: [0, 1, 0], theta: [0, 0, 1] });
  });

  test("of members that are equally good are as their priors", () => {
    const chosen = weigh(arenaOf(), [level, both(1), 2], [donut, both(1), 1]);
    expect(sharesOf(chosen)).toEqual({
      level: new Array(3).fill(expect.closeTo(2 / 3, 9)),
      donut: new Array(3).fill(expect.closeTo(1 / 3, 9)),
    });
  });

  test("a method has no more of them for having many members", () => {
    const others = (["day", "week"] as const).map((season): Member => ({ ...level, season }));
    const chosen = weigh(arenaOf(), [level, both(1)], ...others.map((own) => [own, both(1)] as const), [
      donut,
      both(1),
    ]);
    const ofNetwork = chosen.find(({ member }) => member.method === "donut")!;
    expect(ofNetwork.shares).toEqual(new Array(3).fill(expect.closeTo(1 / 2, 9)));
  });

  test("newer errors count more", () => {
    const early = both((k) => (k < 6 ? 1 : 1.3));
    const late = both((k) => (k < 6 ? 1.3 : 1));
    const { level: first, drift: second } = sharesOf(weigh(arenaOf(), [level, early], [drift, late]));
    for (const group of [0, 1, 2]) expect(second![group]!).toBeGreaterThan(1.2 * first![group]!);
  });

  test("what no member foresees counts less", () => {
    // Both are far off from the third origin: that the one is a little less so says little.
    const chosen = weigh(
      arenaOf(),
      [level, both((k) => (k === 3 ? 500 : 1))],
      [drift, both((k) => (k === 3 ? 450 : 1.4))],
    );
    expect(sharesOf(chosen).level![0]!).toBeGreaterThan(0.7);
  });

  test("errors beyond a break that is known by now do not count", () => {
    const isSpoiled = (origin: number) => origin < 120;
    const wrongBefore = both((k) => (k < 6 ? 100 : 1));
    const members = [
      [level, wrongBefore],
      [drift, both(8)],
    ] as const;
    expect(sharesOf(weigh(arenaOf(originsOf(12), { isSpoiled }), ...members))).toEqual({ level: [1, 1, 1] });
  });

  test("add up to 1 in each group", () => {
    for (let seed = 1; seed < 40; seed++) {
      const members = [level, drift, theta, donut].map(
        (member, m) =>
          [member, both((k, lead) => 1 + ((seed * (m + 1) * (k + 3) * (lead + 7)) % 5) / 5)] as const,
      );
      const chosen = weigh(arenaOf(), ...members);
      for (const group of [0, 1, 2])
        expect(chosen.reduce((sum, { shares }) => sum + shares[group]!, 0)).toBeCloseTo(1, 9);
    }
  });

  test("of no more than ten members, however alike they are", () => {
    const members = (["level", "drift", "line", "damped-trend", "theta"] as const).flatMap((method) =>
      (["none", "day", "week"] as const).map((season): Member => ({ method, season, scale: "linear" })),
    );
    const chosen = weigh(arenaOf(), ...members.map((member) => [member, both(1)] as const));
    expect(chosen).toHaveLength(10);
    for (const group of [0, 1, 2])
      expect(chosen.reduce((sum, { shares }) => sum + shares[group]!, 0)).toBeCloseTo(1, 9);
  });
});

describe("little to compare", () => {
  test("a member without early forecasts is compared on those that it has", () => {
    const arena = arenaOf();
    // It leaves out the origins that are hard for all, and is worse where both forecast.
    const whole = both((k) => (k < 6 ? 10 : 1));
    const late = both((k) => (k < 6 ? Number.NaN : 2));
    for (const share of sharesOf(weigh(arena, [level, whole], [drift, late])).level!)
      expect(share).toBeGreaterThan(0.8);
    // Nor does it lose by them where it is better.
    const better = both((k) => (k < 6 ? Number.NaN : 0.3));
    expect(sharesOf(weigh(arena, [level, whole], [drift, better])).drift![0]!).toBeGreaterThan(0.5);
  });

  const near = (lead: number) => lead < 8;
  const members = [
    [level, both((_, lead) => (near(lead) ? 1 : 2))],
    [drift, both((_, lead) => (near(lead) ? 8 : 1))],
  ] as const;

  test("one far error leaves the word to the nearer leads, many do not", () => {
    const few = arenaOf(originsOf(12), {
      isSpoiled: (origin, lead) => !near(lead) && (origin < 170 || lead > 8),
    });
    expect(sharesOf(weigh(few, ...members)).level![2]!).toBeGreaterThan(0.9);
    expect(sharesOf(weigh(arenaOf(), ...members)).drift![2]!).toBeGreaterThan(0.9);
  });

  test("leads that no forecast reaches are weighed as the nearer ones", () => {
    const short = arenaOf(originsOf(12), { isSpoiled: (_, lead) => !near(lead) });
    expect(sharesOf(weigh(short, ...members))).toEqual({ level: [1, 1, 1] });
  });

  test("without anything to compare, all have their say", () => {
    const nothing = arenaOf(originsOf(12), { column: makeColumn(200, () => Number.NaN) });
    expect(sharesOf(weigh(nothing, ...members))).toEqual({ level: [0.5, 0.5, 0.5], drift: [0.5, 0.5, 0.5] });
  });

  test("a member that never forecasts has no share", () => {
    expect(sharesOf(weigh(arenaOf(), [level, both(5)], [drift, () => Number.NaN]))).toEqual({
      level: [1, 1, 1],
    });
  });

  test("no error at all wins, and is shared", () => {
    const chosen = weigh(arenaOf(), [level, () => 0], [drift, () => 0], [theta, both(1)]);
    expect(sharesOf(chosen)).toEqual({ level: [0.5, 0.5, 0.5], drift: [0.5, 0.5, 0.5] });
  });
});

describe("bias", () => {
  const biasOf = (errorAt: ErrorAt, count = 12) =>
    weigh(arenaOf(originsOf(count)), [level, errorAt])[0]!.biases;

  test.each([
    ["always as much too low", () => -5, [5, 5, 5]],
    ["always about as much too high", (k: number) => 5 + (k % 3), [-6, -6, -6]],
    ["too low far ahead", (k: number, lead: number) => (lead < 8 ? both(5)(k, lead) : -5), [0, 0, 5]],
    ["on both sides", both(5), [0, 0, 0]],
    ["on one side in three of four", (k: number) => (k % 4 === 0 ? 5 : -5), [0, 0, 0]],
    ["never off", () => 0, [0, 0, 0]],
  ] as const)("of a member that is %s", (_, errorAt, biases) => {
    expect(biasOf(errorAt)).toEqual(biases.map((bias) => expect.closeTo(bias, 9)));
  });

  test("needs six origins", () => {
    expect(biasOf(() => -5, 5)).toEqual([0, 0, 0]);
    expect(biasOf(() => -5, 6)).toEqual([5, 5, 5]);
  });

  test("is corrected: such a member beats one that errs to both sides", () => {
    expect(sharesOf(weigh(arenaOf(), [level, () => -5], [drift, both(5)]))).toEqual({ level: [1, 1, 1] });
  });

  test("has its price: one that errs less without a correction wins", () => {
    expect(sharesOf(weigh(arenaOf(), [level, () => -50], [drift, both(1)]))).toEqual({ drift: [1, 1, 1] });
  });
});

describe("blend", () => {
  const own = { season: 2, far: 8 };
  const at = (wanted: readonly number[], ...members: Parameters<typeof blend>[0]) =>
    Array.from(blend(members, { leads: wanted, bounds: own }));
  const fixed = (value: number, shares: readonly number[], biases: readonly number[] = [0, 0, 0]) => ({
    shares,
    biases,
    forecast: new Array(4).fill(value),
  });

  test("is the mean by the shares at the lead, which change evenly", () => {
    // The middles of the groups are the leads 1, 5 and 12.
    const values = at([0, 1, 3, 5], fixed(10, [1, 0, 0]), fixed(20, [0, 1, 1]));
    expect(values).toEqual([10, 10, 15, 20]);
    expect(at([5, 12, 100], fixed(10, [1, 1, 0]), fixed(20, [0, 0, 1]))).toEqual([10, 20, 20]);
  });

  test("adds the correction of the lead to each", () => {
    expect(at([0, 3, 12], fixed(10, [1, 1, 1], [2, 4, 6]))).toEqual([12, 13, 16]);
  });

  test("leaves out what is far from where nearly all others are", () => {
    const member = (value: number, share: number) => fixed(value, [share, share, share]);
    const agreed = [member(80, 0.4), member(78, 0.3), member(82, 0.2)];
    const value = at([0], ...agreed)[0]!;
    expect(at([0], ...agreed, member(2000, 0.06), member(441, 0.04))[0]).toBeCloseTo(value, 9);
    // Two that agree are not enough, a fifth of the shares is too much, and 15 is near.
    expect(at([0], member(80, 0.5), member(78, 0.4), member(2000, 0.1))[0]).toBeGreaterThan(200);
    expect(at([0], ...agreed, member(2000, 0.3))[0]).toBeGreaterThan(200);
    expect(at([0], ...agreed, member(95, 0.1))[0]).toBeGreaterThan(value + 1);
  });

  test("where a forecast is missing the others share its place", () => {
    const gap = { ...fixed(0, [0.75, 0.75, 0.75]), forecast: [10, Number.NaN, Number.NaN] };
    expect(at([0, 1], gap, fixed(20, [0.25, 0.25, 0.25]))).toEqual([12.5, 20]);
    expect(at([0, 1], gap)).toEqual([10, Number.NaN]);
    expect(at([0])).toEqual([Number.NaN]);
  });
});

describe("what is simple must be beaten", () => {
  const arena = arenaOf();
  const repeat: Member = { method: "repeat", season: "none" };
  const measured = (own: Candidate) => measureCandidates(arena, [own]);
  const worse = weighCandidates(measured(candidate(level, both(2), arena)));

  test.each([
    ["clearly better", both(1), "repeat"],
    ["hardly better", both(1.95), "level"],
    ["worse", both(3), "level"],
  ] as const)("a repetition that is %s", (_, errorAt, method) => {
    const chosen = orRepetition(worse, measured(candidate(repeat, errorAt, arena)));
    expect(chosen.map(({ member }) => member.method)).toEqual([method]);
  });

  test("a repetition that some origin lacks is not compared", () => {
    const gap: ErrorAt = (k, lead) => (k === 0 ? Number.NaN : both(1)(k, lead));
    expect(orRepetition(worse, measured(candidate(repeat, gap, arena)))).toBe(worse);
  });
});
