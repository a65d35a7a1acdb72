// Severity of an interval by rarity, factor and threshold, as a table.
import { expect, test } from "bun:test";
import { higherSeverity, type Severity, severityOf } from "../../../src/core/anomaly/severity.ts";

const critical = { score: 100, rarity: 7, factor: 3 };

const rows: readonly [string, Parameters<typeof severityOf>[0], number | undefined, Severity][] = [
  ["one in a million, twice the band", { f: { score: 100, rarity: 6, factor: 2 } }, 4, "critical"],
  ["rare but close to the band", { f: { score: 100, rarity: 9, factor: 1.9 } }, 4, "warning"],
  ["far but not rare", { f: { score: 70, rarity: 4.5, factor: 50 } }, 4, "info"],
  ["a decade beyond the threshold", { f: { score: 83, rarity: 5, factor: 1 } }, 4, "warning"],
  ["just above the threshold", { f: { score: 82, rarity: 4.9, factor: 9 } }, 4, "info"],
  ["a low threshold", { f: { score: 58, rarity: 3.5, factor: 1 } }, 2.5, "warning"],
  ["a threshold near the end of the score", { f: { score: 100, rarity: 6.1, factor: 1 } }, 5.7, "warning"],
  ["without a threshold, 4 decades", { f: { score: 83, rarity: 5 } }, undefined, "warning"],
  ["a band without a width", { f: { score: 100, rarity: 6 } }, 4, "critical"],
  ["without a rarity, by the score", { f: { score: 100, factor: 3 } }, 4, "critical"],
  ["a low score without a rarity", { f: { score: 80, factor: 3 } }, 4, "info"],
  ["the highest of the features", { f: { score: 70, rarity: 4.2 }, g: critical }, 4, "critical"],
  [
    "rarity and factor of two features",
    { f: { score: 100, rarity: 7, factor: 1 }, g: { score: 70, rarity: 4.2, factor: 9 } },
    4,
    "warning",
  ],
  ["no features", {}, 4, "info"],
];

for (const [name, features, threshold, expected] of rows) {
  test(name, () => expect(severityOf(features, threshold)).toBe(expected));
}

test("the higher of two", () => {
  expect(higherSeverity("info", "warning")).toBe("warning");
  expect(higherSeverity("critical", "warning")).toBe("critical");
});
