// Request parameters of jobs, except for the range.
import { expect, test } from "bun:test";
import {
  parseConstraint,
  parseFlag,
  parseLevel,
  parseLevels,
  parseName,
  parseTrainRequest,
} from "../../../src/resources/models/params.ts";

test("flags and names", () => {
  expect([parseFlag({}, "a"), parseFlag({ a: "" }, "a"), parseFlag({ a: "True" }, "a")]).toEqual([
    false,
    false,
    true,
  ]);
  expect([parseName({}, "a"), parseName({ a: "" }, "a"), parseName({ a: "x" }, "a")]).toEqual([
    undefined,
    undefined,
    "x",
  ]);
  expect(() => parseFlag({ a: "x" }, "a")).toThrow("a: must be a boolean");
  for (const a of [5, ["x"], "x".repeat(257)])
    expect(() => parseName({ a }, "a")).toThrow("a: must be a name of at most 256 characters");
});

test("a training request holds the given parameters only", () => {
  expect(parseTrainRequest({ max_evals: "", epochs: null })).toEqual({});
  expect(parseTrainRequest({ max_evals: 2, epochs: "3", seed: "4294967295" })).toEqual({
    maxEvals: 2,
    epochs: 3,
    seed: 4_294_967_295,
  });
  for (const bad of [{ max_evals: 1001 }, { epochs: 1.5 }, { seed: -1 }, { seed: 2 ** 32 }])
    expect(() => parseTrainRequest(bad)).toThrow();
});

test("levels", () => {
  expect(parseLevel({})).toBe(0.68);
  expect(parseLevel({ p_val: 0.5 })).toBe(0.5);
  for (const p_val of [0, 1, -1, 95, "x"]) expect(() => parseLevel({ p_val })).toThrow("p_val");
  expect(parseLevels({})).toEqual([]);
  expect(parseLevels({ level: "80; 95" })).toEqual([0.8, 0.95]);
  expect(parseLevels({ level: [50, "50"] })).toEqual([0.5]);
  expect(parseLevels({ level: 99.5 })).toEqual([0.995]);
  for (const level of [{ toString: 0 }, 0, 100, "80;", "x", Array(11).fill(5)])
    expect(() => parseLevels({ level })).toThrow("level");
});

test("constraints", () => {
  expect(parseConstraint({}, ["f"])).toBeUndefined();
  expect(parseConstraint({ constraint: "f:high:1e3" }, ["f"])).toEqual({
    feature: "f",
    type: "high",
    threshold: 1000,
  });
  for (const constraint of ["f", "f:high", "f:both:1", "f:low:x", "f:low:1:2", 5, "f:low:"])
    expect(() => parseConstraint({ constraint }, ["f"])).toThrow("constraint");
  expect(() => parseConstraint({ constraint: "g:low:1" }, ["e", "f"])).toThrow("it has e, f");
});
