// Combinations: weights by error, first within a method, then among methods.
import { expect, test } from "bun:test";
import {
  average,
  errorsOf,
  meanError,
  weighCandidates,
} from "../../../src/models/forecasters/combination.ts";
import type { Member } from "../../../src/models/forecasters/members.ts";
import { makeColumn } from "./support.ts";

const column = makeColumn(10, (i) => 10 * i);
const plan = { horizon: 2, leads: [0, 1], origins: [4, 6] };
/** A member that is always off by the same amount. */
const offBy = (amount: number, member: Member) => ({
  member,
  forecasts: plan.origins.map((origin) => plan.leads.map((lead) => 10 * (origin + lead) + amount)),
});
const seasonal = (season: "week" | "day"): Member => ({ method: "seasonal", season, follow: 0.5 });
const donut: Member = { method: "donut" };

test("errors are observed minus predicted; missing where nothing was observed", () => {
  const [first, second] = errorsOf(column, { origins: [4, 9], leads: [0, 1] }, [
    [39, 52],
    [90, 1],
  ]);
  expect(Array.from(first!)).toEqual([1, -2]);
  expect(Array.from(second!)).toEqual([0, Number.NaN]);
  expect(meanError(column, { origins: [4], leads: [0, 1] }, [[39, 52]])).toBe(1.5);
  expect(meanError(column, { origins: [20], leads: [0] }, [[1]])).toBe(Number.POSITIVE_INFINITY);
});

test("the better of a method counts, the others are left out", () => {
  const chosen = weighCandidates(column, plan, [offBy(9, seasonal("week")), offBy(1, seasonal("day"))]);
  expect(chosen).toEqual([{ ...offBy(1, seasonal("day")), weight: 1 }]);
});

test("errors that cancel each other make the pair better than either", () => {
  const chosen = weighCandidates(column, plan, [offBy(2, seasonal("week")), offBy(-2, seasonal("day"))]);
  expect(chosen.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  expect(meanError(column, plan, average(chosen))).toBe(0);
});

test("among methods that are equally good, seasons count twice", () => {
  const chosen = weighCandidates(column, plan, [offBy(1, seasonal("day")), offBy(1, donut)]);
  expect(chosen.map(({ weight }) => weight)).toEqual([2 / 3, 1 / 3]);
});

test("a network that is clearly better forecasts alone", () => {
  const chosen = weighCandidates(column, plan, [offBy(4, seasonal("day")), offBy(1, donut)]);
  expect(chosen.map(({ member }) => member)).toEqual([donut]);
});

test("without anything to compare, all have their say", () => {
  const nothing = makeColumn(10, () => Number.NaN);
  const chosen = weighCandidates(nothing, plan, [offBy(4, seasonal("day")), offBy(1, donut)]);
  expect(chosen.map(({ weight }) => weight)).toEqual([2 / 3, 1 / 3]);
});
