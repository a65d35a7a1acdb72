// Layout of a fleet: windows within their series, as many of each, bounded.
import { expect, test } from "bun:test";
import { type FleetPart, layoutSteps } from "../../../../src/models/donut/fleet/layout.ts";
import { finish } from "../../../../src/runtime/steps.ts";
import { stretchStarts } from "../../../../wasm/donut/windows.ts";
import type { Series, Stretch } from "../../../../wasm/protocol.ts";
import { createRandom } from "../../../../wasm/random.ts";

const WINDOW = 8;

/** A series of one value, by which its points are known. */
function partOf(value: number, length: number): FleetPart {
  const values = new Float32Array(length).fill(value);
  const observed = new Uint8Array(length).fill(1);
  return { series: { values, observed }, validationFrom: Math.floor(0.7 * length) };
}

function lay(parts: readonly FleetPart[], maxPoints?: number, seed = 1) {
  const { uniform } = createRandom(seed);
  const options = { window: WINDOW, random: uniform, ...(maxPoints && { maxPoints }) };
  const layout = finish(layoutSteps(parts, options))!;
  const startsOf = (stretches: readonly Stretch[]) => stretchStarts(layout.series, WINDOW, stretches, 1000);
  const { training, validation } = layout.stretches;
  return { ...layout, starts: { training: startsOf(training), validation: startsOf(validation) } };
}

/** The values that each window holds. */
function windowsOf({ series }: ReturnType<typeof lay>, starts: Int32Array): number[][] {
  return Array.from(starts, (start) => [...new Set(series.values.subarray(start, start + WINDOW))]);
}

/** Number of windows by series. */
function countBySeries(layout: ReturnType<typeof lay>, starts: Int32Array): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const [value] of windowsOf(layout, starts)) counts[value!] = (counts[value!] ?? 0) + 1;
  return counts;
}

test.each([
  undefined,
  300,
])("no window crosses from one series into another, of at most %p points", (most) => {
  const layout = lay([partOf(1, 50), partOf(2, 500), partOf(3, 31)], most);
  for (const starts of [layout.starts.training, layout.starts.validation]) {
    expect(starts.length).toBeGreaterThan(0);
    for (const values of windowsOf(layout, starts)) expect(values).toHaveLength(1);
  }
});

test("stretches of one series do not touch either", () => {
  const { series, validationFrom } = partOf(1, 2000);
  const rising = { series: { ...series, values: series.values.map((_, i) => i) }, validationFrom };
  const layout = lay([rising], 400);
  for (const start of layout.starts.training)
    expect(layout.series.values[start + WINDOW - 1]! - layout.series.values[start]!).toBe(WINDOW - 1);
});

test("a long series has no more windows than a short one", () => {
  const layout = lay([partOf(1, 40), partOf(2, 4000)]);
  const counts = countBySeries(layout, layout.starts.training);
  expect(counts[1]).toBe(counts[2]!);
  const held = countBySeries(layout, layout.starts.validation);
  expect(held[1]).toBe(held[2]!);
});

test("windows of the validation end after the training part of their series", () => {
  const { series, validationFrom } = partOf(1, 100);
  const rising = { series: { ...series, values: series.values.map((_, i) => i) }, validationFrom };
  const layout = lay([rising]);
  const ends = (starts: Int32Array) =>
    Array.from(starts, (start) => layout.series.values[start + WINDOW - 1]!);
  expect(Math.max(...ends(layout.starts.training))).toBe(validationFrom - 1);
  expect(Math.min(...ends(layout.starts.validation))).toBe(validationFrom);
  for (const start of layout.starts.training)
    expect(start + WINDOW).toBeLessThanOrEqual(layout.validationFrom);
});

test("a series shorter than a window gives none", () => {
  const layout = lay([partOf(1, WINDOW - 1), partOf(2, 100)]);
  expect(Object.keys(countBySeries(layout, layout.starts.training))).toEqual(["2"]);
  expect(
    finish(layoutSteps([partOf(1, WINDOW - 1)], { window: WINDOW, random: Math.random })),
  ).toBeUndefined();
});

test("of more series than fit, the seed draws some", () => {
  const parts = Array.from({ length: 40 }, (_, k) => partOf(k, 100));
  const drawn = (seed: number) => {
    const layout = lay(parts, 480, seed);
    expect(layout.series.values.length).toBeLessThanOrEqual(700);
    return Object.keys(countBySeries(layout, layout.starts.training));
  };
  expect(drawn(1)).toHaveLength(480 / (3 * WINDOW));
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});

test("conditions stay with their points", () => {
  const withCondition = (value: number, length: number): FleetPart => {
    const { series, validationFrom } = partOf(value, length);
    const rising = { ...series, values: series.values.map((_, i) => i) };
    const complete = (stretch: Series, from: number) => {
      const conditions = Float32Array.from({ length: 2 * stretch.values.length }, (_, i) =>
        i % 2 === 0 ? value : from + (i >> 1),
      );
      return { ...stretch, conditions };
    };
    return { series: rising, validationFrom, complete };
  };
  const { series } = lay([withCondition(1, 40), withCondition(2, 600)], 300);
  for (const [i, value] of series.values.entries()) {
    expect(series.conditions![2 * i]).toBeWithin(1, 3);
    expect(series.conditions![2 * i + 1]).toBe(value);
  }
});

test("short stretches of long series are from all over their ranges, not of the same days", () => {
  const rising = (): FleetPart => {
    const { series, validationFrom } = partOf(1, 2000);
    return { series: { ...series, values: series.values.map((_, i) => i) }, validationFrom };
  };
  const layout = lay(Array.from({ length: 20 }, rising), 20 * 60);
  for (const [stretches, from, to] of [
    [layout.stretches.training, 0, 1400],
    [layout.stretches.validation, 1400 - WINDOW, 2000],
  ] as const) {
    const places = stretches.map((stretch) => layout.series.values[stretch.from]!);
    expect(Math.min(...places)).toBeWithin(from, from + 0.3 * (to - from));
    expect(Math.max(...places)).toBeWithin(to - 0.3 * (to - from), to);
  }
});
