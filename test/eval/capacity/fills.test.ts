// Capacity of generated fills: dates within a fifth of the lead, none of flat ones, bands that hold, few false alarms.
import { expect, test } from "bun:test";
import { kinds, makeFills } from "./fills.ts";
import { judgeAlarms, judgeFill } from "./judge.ts";

test("a seed makes the same fills, of all kinds, and only flat ones have no lead", () => {
  const fills = makeFills(21, 1);
  expect(fills.map(({ column }) => column)).toEqual(makeFills(21, 1).map(({ column }) => column));
  expect(fills[0]!.column).not.toEqual(makeFills(21, 2)[0]!.column);
  expect(new Set(fills.map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const { kind, lead } of fills) expect([kind, lead === undefined]).toEqual([kind, kind === "flat"]);
});

test("most dates are right, bands hold them, and flat fills have none", () => {
  const verdicts = makeFills(84, 11).map(judgeFill);
  const flat = verdicts.filter(({ fill }) => fill.kind === "flat");
  expect(flat.filter(({ isNamed }) => isNamed)).toEqual([]);
  const rising = verdicts.filter(({ fill }) => fill.kind !== "flat");
  expect(rising.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(0.8 * rising.length);
  const named = rising.filter(({ isNamed }) => isNamed);
  expect(named.filter(({ isHeld }) => isHeld).length).toBeGreaterThanOrEqual(0.85 * named.length);
});

test("an alarm by it is rarely false, unlike one by a line through the last hours", () => {
  const counts = makeFills(14, 12).slice(0, 7).map(judgeAlarms);
  const sum = (name: "capacity" | "1 h" | "6 h") => counts.reduce((total, by) => total + by[name].false, 0);
  expect(sum("1 h")).toBeGreaterThan(10);
  expect(sum("capacity")).toBeLessThanOrEqual(0.1 * Math.min(sum("1 h"), sum("6 h")));
});
