// Batch ensemble: points are judged from both sides, and ranked among the training and the range.
import { describe, expect, test } from "bun:test";
import { rankBatch, type Stretch } from "../../../src/models/detectors/batch-ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import { historyAround } from "../../../src/models/detectors/pass/known-series.ts";
import { createRandom } from "../../../wasm/random.ts";

const STEP = 300_000;
const TRAINED = 2500;
const LENGTH = 4000;
const { signal } = new AbortController();
const random = createRandom(7);
const usual = Float64Array.from({ length: LENGTH }, (_, i) => 100 + 30 * Math.sin((2 * Math.PI * i) / 288));
const normal = usual.map((value) => value + random.normal());

const part = (column: Float64Array, from: number, to: number): Stretch => ({
  timeline: { startAt: from * STEP, intervalMs: STEP },
  column: column.slice(from, to),
  nll: column.slice(from, to).map((value, k) => 0.5 * (value - usual[from + k]!) ** 2),
});

const training = part(normal, 0, TRAINED);
const ensemble = fitEnsemble({
  ...training,
  expected: usual.slice(0, TRAINED),
  span: 48,
  sides: { below: true, above: true },
});

/** Rarities by interval of the series, of a range from the end of the training. */
async function rank(column: Float64Array, isAnomalous: (i: number) => boolean = () => false) {
  const range = part(column, TRAINED, LENGTH);
  const anomalous = Uint8Array.from(range.column, (_, k) => Number(isAnomalous(TRAINED + k)));
  const { rarity } = await rankBatch(ensemble, { stretches: [training, range], range: 1, anomalous }, signal);
  return (i: number) => rarity[i - TRAINED]!;
}

/** The normal series with a zigzag at some places. */
function withShapes(places: readonly number[]): Float64Array {
  const column = normal.slice();
  for (const at of places) for (let k = 0; k < 10; k++) column[at + k] = usual[at + k]! + (k % 2 ? 8 : -8);
  return column;
}

describe("ranks", () => {
  test("a spike is the rarest point, its neighbours are not", async () => {
    const column = normal.slice();
    column[3200] = 250;
    const rarityAt = await rank(column);
    expect(rarityAt(3200)).toBeGreaterThan(3);
    expect(rarityAt(3205)).toBeLessThan(2);
  });

  test("a shape that returns later is less odd than one that does not", async () => {
    const [once, often] = [await rank(withShapes([2800])), await rank(withShapes([2800, 3088, 3376, 3664]))];
    expect(often(2805)).toBeLessThan(once(2805) - 0.5);
  });

  test("anomalies of live detection excuse nothing, and do not make each other frequent", async () => {
    const places = [2800, 3088, 3376, 3664];
    const isPart = (i: number) => places.some((at) => i >= at && i < at + 10);
    const [free, flagged] = [await rank(withShapes(places)), await rank(withShapes(places), isPart)];
    for (const at of places) expect(flagged(at + 5)).toBeGreaterThan(free(at + 5) + 0.5);
  });

  test("a missing point has no rarity, those beside it do", async () => {
    const column = normal.slice().fill(Number.NaN, 3000, 3020);
    const rarityAt = await rank(column);
    expect(rarityAt(3010)).toBeNaN();
    expect(rarityAt(3025)).toBeLessThan(3);
  });
});

describe("the end of the training", () => {
  const around = (from: number, to: number) => {
    const { before, after } = historyAround(ensemble, {
      startAt: from * STEP,
      endAt: to * STEP,
      intervalMs: STEP,
    });
    return [before, after].map((parts) =>
      parts.map(({ startAt, column }) => [startAt / STEP, startAt / STEP + column.length]),
    );
  };

  test("holds no interval of the range itself", () => {
    expect(around(TRAINED, LENGTH)).toEqual([[[0, TRAINED]], []]);
    expect(around(1000, 2000)).toEqual([[[0, 1000]], [[2000, TRAINED]]]);
    expect(around(-50, 3000)).toEqual([[], []]);
  });

  test("is given in units of the data", () => {
    const [known] = historyAround(ensemble, {
      startAt: 1000 * STEP,
      endAt: 2000 * STEP,
      intervalMs: STEP,
    }).before;
    for (const [i, value] of known!.column.entries()) expect(Math.abs(value - normal[i]!)).toBeLessThan(0.05);
  });

  test("is unknown to versions of older releases", () =>
    expect(historyAround({ linear: ensemble.linear }, { startAt: 0, endAt: 1, intervalMs: STEP })).toEqual({
      before: [],
      after: [],
    }));
});
