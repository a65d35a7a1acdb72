// Gap filler: deviations that last are carried on, and a gap in which the series has come far is an even course.
import { describe, expect, test } from "bun:test";
import { encodeHistory, quantise } from "../../../../src/models/detectors/neighbours/quanta.ts";
import { GapFiller } from "../../../../src/models/detectors/pass/gap-filler.ts";
import { ImputedSeries } from "../../../../src/models/detectors/pass/imputed-series.ts";
import { createRandom } from "../../../../wasm/random.ts";

const MINUTE = 60_000;
const USUAL = 10;
const missing = Number.NaN;

/** After a pass over the column, of a training whose deviations go on by `persistence`, with steps of a tenth. */
function aFiller(column: readonly number[], persistence: number): GapFiller {
  const random = createRandom(1);
  let off = 0;
  const history = Float64Array.from({ length: 2000 }, () => {
    off = persistence * off + 0.1 * random.normal();
    return quantise(off);
  });
  const values = Float64Array.from(column);
  const timeline = { startAt: 0, intervalMs: MINUTE };
  const usual = () => USUAL;
  const imputed = new ImputedSeries({ timeline, column: values, from: 0 }, [], usual);
  const seasonal = { days: 1, values: [USUAL], counts: [100], scale: 1, floor: 1, points: 100 } as const;
  const ensemble = {
    linear: { window: 8, center: USUAL, scale: 1 } as never,
    seasonal: { ...seasonal },
    history: { values: encodeHistory(history), endAt: 0 },
  };
  const filler = new GapFiller({ ensemble, timeline, column: values, imputed, usual });
  for (const [i, value] of values.entries())
    if (Number.isNaN(value)) imputed.impute(i, filler.expect(i) ?? USUAL);
  return filler;
}

describe("expect()", () => {
  test("a deviation that lasts is carried on, one of noise is not", () => {
    expect(aFiller([10, 14], 0.99).expect(2)).toBeCloseTo(14, 0);
    expect(aFiller([10, 14], 0).expect(2)).toBeCloseTo(10, 0);
  });

  test("nothing is known before the first interval", () => {
    expect(aFiller([10], 0.99).expect(0)).toBeUndefined();
  });
});

describe("bridge()", () => {
  test("the series has come far: an even course from the value before the gap", () => {
    const values = aFiller([10, 11, missing, missing, missing, 15], 0.99).bridge(5);
    for (const [k, value] of [12, 13, 14].entries()) expect(values[k]).toBeCloseTo(value, 5);
  });

  test.each([
    { what: "a step that is usual", column: [10, 11, missing, 11.05] },
    { what: "no gap", column: [10, 11, 12, 15] },
    { what: "a gap as long as what a model sees", column: [10, ...Array(8).fill(missing), 15] },
    { what: "a gap from the start on", column: [missing, missing, 15] },
  ])("$what: nothing", ({ column }) => {
    expect(aFiller(column, 0.99).bridge(column.length - 1)).toEqual([]);
  });
});
