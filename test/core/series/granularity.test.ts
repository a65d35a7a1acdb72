// Granularities: step between points, interval of each point, next instants.
import { expect, test } from "bun:test";
import {
  describeStep,
  findStep,
  type Granularity,
  granularities,
  nextInstants,
  placePoints,
  type Step,
  stepOf,
} from "../../../src/core/series/granularity.ts";
import { errorOf } from "../expect.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const fixed = (ms: number): Step => ({ kind: "fixed", ms });
const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);

const steps: [Granularity, number, Step][] = [
  ["secondly", 1, fixed(1000)],
  ["minutely", 5, fixed(300_000)],
  ["hourly", 1, fixed(HOUR)],
  ["daily", 2, fixed(2 * DAY)],
  ["weekly", 1, fixed(7 * DAY)],
  ["monthly", 3, { kind: "months", months: 3 }],
  ["quarterly", 1, { kind: "months", months: 3 }],
  ["yearly", 1, { kind: "months", months: 12 }],
  ["workdays", 1, { kind: "workdays" }],
  ["microsecond", 1, { kind: "even" }],
  ["none", 1, { kind: "even" }],
];
test.each(steps)("%s times %p", (granularity, times, step) => {
  expect(stepOf(granularity, times)).toEqual(step);
});
test("all granularities are in the table", () => {
  expect(steps.map(([name]) => name).sort()).toEqual(granularities.toSorted());
});

test.each([
  ["even", [0, 5, 10, 15], fixed(5)],
  ["with a hole", [0, 5, 20, 25], fixed(5)],
  ["equally frequent", [0, 5, 15], fixed(5)],
  ["one point", [0], { kind: "even" }],
] as [string, number[], Step][])("the most frequent difference: %s", (_name, instants, step) => {
  expect(findStep(instants)).toEqual(step);
});

test.each([
  ["even", [0, HOUR, 2 * HOUR], fixed(HOUR), [0, 1, 2]],
  ["a hole", [0, HOUR, 4 * HOUR], fixed(HOUR), [0, 1, 4]],
  [
    "days of 23 and 25 hours",
    [at("2026-03-27T23:00:00Z"), at("2026-03-28T23:00:00Z"), at("2026-03-29T22:00:00Z")],
    fixed(DAY),
    [0, 1, 2],
  ],
  [
    "months of any length",
    [at("2026-01-01"), at("2026-02-01"), at("2026-04-30")],
    stepOf("monthly", 1),
    [0, 1, 3],
  ],
  ["years", [at("2020-01-01"), at("2021-01-01"), at("2024-02-01")], stepOf("yearly", 1), [0, 1, 4]],
  ["evenly, whatever the timestamps", [0, 1, 500], stepOf("none", 1), [0, 1, 2]],
] as [string, number[], Step, number[]][])("places: %s", (_name, instants, step, places) => {
  expect(Array.from(placePoints(instants, step))).toEqual(places);
});

test("a late point among many is taken as meant", () => {
  const instants = Array.from({ length: 20 }, (_, i) => i * HOUR + (i === 7 ? 0.4 * HOUR : 0));
  expect(Array.from(placePoints(instants, fixed(HOUR)))).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test.each([
  ["two in one interval", [0, HOUR, 1.2 * HOUR], fixed(HOUR), "series.2.timestamp", "1 hour apart"],
  [
    "two in one month",
    [at("2026-01-01"), at("2026-01-31")],
    stepOf("monthly", 1),
    "series.1.timestamp",
    "1 month",
  ],
  [
    "another interval",
    Array.from({ length: 20 }, (_, i) => i * 1.4 * HOUR),
    fixed(HOUR),
    "series.1.timestamp",
    "95 % of the points",
  ],
] as [string, number[], Step, string, string][])("refuses %s", (_name, instants, step, path, text) => {
  const error = errorOf(() => placePoints(instants, step));
  expect(error).toMatchObject({ code: "invalid", details: { path } });
  expect(error.message).toContain(text);
});

test.each([
  ["an hour", at("2026-01-31"), fixed(HOUR), ["2026-01-31T01:00:00.000Z", "2026-01-31T02:00:00.000Z"]],
  [
    "months that are shorter",
    at("2026-01-31T06:30:00Z"),
    stepOf("monthly", 1),
    ["2026-02-28T06:30:00.000Z", "2026-03-31T06:30:00.000Z"],
  ],
  [
    "leap years",
    at("2024-02-29"),
    stepOf("yearly", 1),
    ["2025-02-28T00:00:00.000Z", "2026-02-28T00:00:00.000Z"],
  ],
] as [string, number, Step, string[]][])("what follows by %s", (_name, lastAt, step, texts) => {
  expect(nextInstants(lastAt, step, 2)?.map((instant) => new Date(instant).toISOString())).toEqual(texts);
});
test("nothing is known of what follows evenly spaced points", () => {
  expect(nextInstants(0, { kind: "even" }, 2)).toBeUndefined();
});

test.each([
  [fixed(1), "1 millisecond"],
  [fixed(90_000), "90 seconds"],
  [fixed(300_000), "5 minutes"],
  [fixed(DAY), "1 day"],
  [{ kind: "months", months: 12 }, "12 months"],
  [{ kind: "workdays" }, "1 workday"],
  [{ kind: "even" }, "evenly"],
] as [Step, string][])("%p for people", (step, text) => expect(describeStep(step)).toBe(text));
