// Known series: its range over evaluations, with values beyond those that are stored.
import { describe, expect, test } from "bun:test";
import { dequantise } from "../../../../src/models/detectors/neighbours/quanta.ts";
import { ImputedSeries } from "../../../../src/models/detectors/pass/imputed-series.ts";
import { KnownSeries } from "../../../../src/models/detectors/pass/known-series.ts";
import { detectionRules } from "../../../../src/models/detectors/rules.ts";
import type { History } from "../../../../src/models/detectors/types.ts";

const MINUTE = 60_000;
const QUANTUM = dequantise(1);
const DAY_MS = 86_400_000;
const USUAL = 14;
const linear = { center: 10, scale: 2, window: 1, components: [] } as never;

/** A series of the values before `from`, which begins at an instant of the grid. */
function aSeries(
  column: number[],
  from: number,
  {
    remembered,
    startAt = 0,
    bound,
  }: { remembered?: History; startAt?: number; bound?: number | undefined } = {},
): KnownSeries {
  const timeline = { startAt, intervalMs: MINUTE };
  const values = Float64Array.from(column);
  const input = { timeline, column: values, from, network: { expected: values } } as never;
  const imputed = new ImputedSeries(input, [], () => 0);
  return new KnownSeries({
    ensemble: { linear, bound } as never,
    timeline,
    imputed,
    from,
    remembered,
    usual: () => USUAL,
  });
}

/** In deviations. */
function rangeOf({ range }: KnownSeries) {
  return range && { ...range, least: dequantise(range.least), greatest: dequantise(range.greatest) };
}

const about = (z: number) => expect.closeTo(z, 2);

describe("values up to a bound", () => {
  const add = (bound?: number) => {
    const known = aSeries([10, 30, -50, 12], 2, { bound });
    for (const value of [-50, 12]) known.add(value);
    const recorded = (of: "neighbours" | "bounded") => [0, 1, 2, 3].map((age) => known[of].recorded(age));
    return { known, recorded };
  };

  test("are kept beside the values as they are, which the memory holds", () => {
    const { known, recorded } = add(4);
    expect(recorded("bounded")).toEqual([about(1), about(-4), about(4), about(0)]);
    expect(recorded("neighbours")).toEqual([about(1), about(-30), about(10), about(0)]);
    expect(known.toMemory()).toEqual(add().known.toMemory());
  });

  test("are the values themselves without a bound", () => {
    const { known } = add();
    expect(known.bounded).toBe(known.neighbours);
    expect(known.bounded.count).toBe(4);
  });
});

describe("range", () => {
  test("is that of the values before the next interval", () => {
    const known = aSeries([10, 12, 8, 10], 2);
    expect(rangeOf(known)).toMatchObject({ greatest: about(1), points: 2 });
    known.add(8);
    expect(rangeOf(known)).toMatchObject({ least: about(-1), points: 3 });
  });

  test("is undefined before the first value", () => {
    expect(aSeries([10], 0).range).toBeUndefined();
  });

  test("is the same from a memory, with values beyond those that are stored", () => {
    const whole = aSeries([10, 1010, 12, -810, 510, 10], 1);
    for (const value of [1010, 12, -810, 510]) whole.add(value);
    expect(rangeOf(whole)).toMatchObject({ least: about(-410), greatest: about(500), points: 5 });
    const memory: History = JSON.parse(JSON.stringify(whole.toMemory()));
    expect(aSeries([10, 10], 0, { remembered: memory, startAt: 5 * MINUTE }).range).toEqual(whole.range);
    // Continued by three values of the grid.
    const later = aSeries([9, 2010, 11, 10], 3, { remembered: memory, startAt: 5 * MINUTE });
    expect(rangeOf(later)).toMatchObject({ least: about(-410), greatest: about(1000), points: 8 });
  });

  test("of a memory of an older release ends at the values that are stored", () => {
    const whole = aSeries([10, 1010], 2);
    const { clipped, ...older } = whole.toMemory();
    expect(clipped).toEqual([[0, 500 / QUANTUM]]);
    const known = aSeries([10], 0, { remembered: older, startAt: 2 * MINUTE });
    expect(rangeOf(known)).toMatchObject({ greatest: about(50) });
    expect(known.compare(1e6, detectionRules)).toEqual({ novelty: 0, isRecord: false });
  });
});

test("of a gap whole days are left out, and the rest is usual: times of the day stay where they are", () => {
  const whole = aSeries([10, 12, 8, 10, 12], 5);
  const memory = JSON.parse(JSON.stringify(whole.toMemory())) as History;
  const { neighbours } = aSeries([8, 10], 1, { remembered: memory, startAt: 2 * DAY_MS + 8 * MINUTE });
  const recorded = Array.from({ length: neighbours.count }, (_, k) => neighbours.recorded(k));
  // One of the grid, three of the gap, five of the memory; the newest first.
  expect(recorded).toEqual([-1, 2, 2, 2, 1, 0, -1, 1, 0].map(about));
});
