// Normal ranks: windows that hold an anomaly are withheld with it, and ranked among their like alone.
import { expect, test } from "bun:test";
import { NormalRanks } from "../../../../src/models/detectors/ranks/normal-ranks.ts";
import { detectionRules } from "../../../../src/models/detectors/rules.ts";
import type { Ensemble, PerDetector } from "../../../../src/models/detectors/types.ts";
import { fitTail } from "../../../../src/models/stats/tail.ts";

const MINUTE = 60_000;
const ranks: [number, number][] = [[0, 200]];
const fit = { weight: 0.25, tail: fitTail(Float64Array.of(0)), ranks };
const detectors = { linear: fit, seasonal: fit, neighbours3: fit, neighbours10: fit };
const ensemble = { detectors, agreement: 1 } as unknown as Ensemble;
const all = (surprise: number): PerDetector<number> => ({
  linear: surprise,
  seasonal: surprise,
  neighbours3: surprise,
  neighbours10: surprise,
});

/** Ranks in one-minute intervals, point by point. */
function follow(memory?: ReturnType<NormalRanks["toMemory"]>, from = 0) {
  const rules = { timeline: { startAt: 0, intervalMs: MINUTE }, thresholds: { min: 40, max: 80 } };
  const normal = new NormalRanks(ensemble, rules, memory);
  let i = from;
  const add = (score: number, surprises: PerDetector<number>) =>
    normal.add(i++ * MINUTE, { either: score, shown: score }, surprises);
  const rarities = (surprise: number) =>
    normal.rank(i * MINUTE, all(surprise), { observed: 1, usual: 1 }).rarities;
  return { normal, add, rarities, next: () => i };
}

/** Points after an anomaly: the windows that hold it are far from any other, the values are usual. */
const usualAfter = (age: number): PerDetector<number> => ({
  linear: 0,
  seasonal: 0,
  neighbours3: age < 3 ? 5 : 0,
  neighbours10: age < 10 ? 5 : 0,
});

test("an anomaly is as rare again, although windows held the last one", () => {
  const { add, rarities } = follow();
  const before = rarities(5);
  add(100, all(5));
  for (let age = 1; age <= 20; age++) add(0, usualAfter(age));
  for (const [name, rarity] of Object.entries(rarities(5)))
    expect(rarity).toBeGreaterThanOrEqual(before[name as keyof typeof before]!);
});

test("a window without the anomaly counts, however surprising", () => {
  const { add, rarities } = follow();
  add(100, all(5));
  const before = rarities(5);
  for (let age = 1; age <= 20; age++) add(0, { ...all(0), neighbours3: age === 3 ? 5 : 0 });
  expect(rarities(5).neighbours3).toBeLessThan(before.neighbours3! - 1);
});

test("windows enter the ranks with their anomaly, once it has become a habit", () => {
  const { add, rarities } = follow();
  for (let anomaly = 0; anomaly <= detectionRules.withheldAlarms + 1; anomaly++) {
    add(100, all(5));
    for (let age = 1; age <= 20; age++) add(0, usualAfter(age));
  }
  const { linear, neighbours3, neighbours10 } = rarities(5);
  expect(neighbours3).toBeLessThan(linear!);
  expect(neighbours10).toBeLessThan(neighbours3!);
});

test("among a thousand points the few windows that hold an anomaly enter the ranks at once", () => {
  const { add, rarities } = follow();
  for (let i = 0; i < 800; i++) add(0, all(0));
  const before = rarities(5);
  add(100, all(5));
  for (let age = 1; age <= 20; age++) add(0, usualAfter(age));
  expect(rarities(5).neighbours10).toBeLessThan(before.neighbours10! - 0.5);
  expect(rarities(5).linear).toBeGreaterThanOrEqual(before.linear!);
});

test("a memory between the anomaly and its last window changes nothing", () => {
  const [whole, first] = [follow(), follow()];
  for (const { add } of [whole, first]) {
    add(100, all(5));
    for (let age = 1; age <= 4; age++) add(0, usualAfter(age));
  }
  const second = follow(JSON.parse(JSON.stringify(first.normal.toMemory())), first.next());
  for (const { add } of [whole, second]) for (let age = 5; age <= 20; age++) add(0, usualAfter(age));
  expect(second.normal.toMemory()).toEqual(whole.normal.toMemory());
});

test("windows that hold an anomaly are ranked among others that do, those of the one before, too", () => {
  const { add, rarities } = follow();
  const first: number[] = [];
  for (let anomaly = 0; anomaly < 2; anomaly++) {
    add(100, all(5));
    add(0, usualAfter(1));
    first.push(rarities(5).neighbours10!);
    for (let age = 2; age <= 20; age++) add(0, usualAfter(age));
  }
  expect(first[1]).toBeLessThan(first[0]! - 0.5);
  expect(rarities(5).neighbours10).toBeGreaterThanOrEqual(first[0]!);
});

test("the less of its window is usual, the less a detector says of whether an anomaly goes on", () => {
  const { normal, add, next } = follow();
  for (let point = 0; point < 3; point++) add(100, all(5));
  const ofValue = (usual: number) =>
    normal.rank(next() * MINUTE, { ...all(5), seasonal: 0 }, { observed: 1, usual }).ofValue;
  const [whole, half, none] = [1, 0.5, 0].map(ofValue);
  expect(none).toBe(0);
  expect(half).toBeWithin(0.5, whole! - 0.5);
});

test("in the six intervals after an anomaly a value counts three tenths of a decade less", () => {
  const { normal, add, next } = follow();
  const ofValue = () => normal.rank(next() * MINUTE, all(5), { observed: 1, usual: 1 }).ofValue!;
  add(100, all(5));
  const inAnomaly = ofValue();
  const after = Array.from({ length: 7 }, () => {
    add(0, all(0));
    return ofValue();
  });
  expect(after.slice(0, 5).every((rarity) => rarity < inAnomaly - 0.25)).toBe(true);
  for (const rarity of after.slice(5)) expect(rarity).toBeCloseTo(inAnomaly, 1);
});
