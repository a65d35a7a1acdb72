// Start guards of features, as tables: which values may start an anomaly, and which score counts.
import { describe, expect, test } from "bun:test";
import {
  guardsOf,
  passesGuard,
  type StartGuard,
  startScoreOf,
} from "../../../src/core/anomaly/start-guard.ts";

const rows: readonly [string, StartGuard, number | null, boolean][] = [
  ["no guard", {}, 100, true],
  ["absolute: too small", { min_deviation: { absolute: 5 } }, 104.9, false],
  ["absolute: reached", { min_deviation: { absolute: 5 } }, 105, true],
  ["absolute: reached below", { min_deviation: { absolute: 5 } }, 95, true],
  ["relative: too small", { min_deviation: { relative: 0.1 } }, 109, false],
  ["relative: reached", { min_deviation: { relative: 0.1 } }, 111, true],
  ["both: absolute alone", { min_deviation: { absolute: 5, relative: 0.1 } }, 106, false],
  ["both: relative alone", { min_deviation: { absolute: 50, relative: 0.1 } }, 120, false],
  ["both reached", { min_deviation: { absolute: 5, relative: 0.1 } }, 111, true],
  ["above: at the limit", { only_if: { above: 120 } }, 120, false],
  ["above: higher", { only_if: { above: 120 } }, 121, true],
  ["below: at the limit", { only_if: { below: 20 } }, 20, false],
  ["below: lower", { only_if: { below: 20 } }, 19, true],
  ["between", { only_if: { above: 120, below: 130 } }, 125, true],
  ["beyond both", { only_if: { above: 120, below: 130 } }, 130, false],
  ["deviation and limit", { min_deviation: { absolute: 5 }, only_if: { above: 120 } }, 110, false],
  ["nothing observed", { min_deviation: { absolute: 5 }, only_if: { above: 1000 } }, null, true],
  ["not a number", { only_if: { above: 1000 } }, Number.NaN, true],
  ["the default of an empty interval", { only_if: { above: 1000 }, default: 0 }, null, false],
  ["the previous value, which is not known", { only_if: { above: 1000 }, default: "previous" }, null, true],
];

for (const [name, guard, observed, expected] of rows) {
  test(name, () => expect(passesGuard(guard, { observed, predicted: 100 })).toBe(expected));
}

test("a share of a negative prediction is one of its magnitude", () => {
  const guard = { min_deviation: { relative: 0.1 } };
  expect(passesGuard(guard, { observed: -109, predicted: -100 })).toBe(false);
  expect(passesGuard(guard, { observed: -111, predicted: -100 })).toBe(true);
});

describe("the start score", () => {
  const guards = guardsOf([
    { name: "a", min_deviation: { absolute: 10 } },
    { name: "b", only_if: { above: 50 } },
    { name: "c", default: 0 },
  ]);
  const small = { score: 95, observed: 101, predicted: 100 };
  const far = { score: 80, observed: 90, predicted: 10 };

  test.each([
    ["of a feature held back", { a: small }, 0],
    ["of the feature that passes", { a: small, b: far }, 80],
    ["of a feature without guards", { a: small, c: { ...small, score: 75 } }, 75],
    ["of all, where all pass", { b: far, c: small }, 95],
    ["of nothing", {}, 0],
  ])("%s", (_, features, expected) => {
    expect(startScoreOf(features, guards)).toBe(expected);
  });

  test("is absent without guards", () => {
    expect(guardsOf([{ name: "a", default: 0 }])).toBeUndefined();
    expect(startScoreOf({ a: small }, undefined)).toBeUndefined();
  });
});
