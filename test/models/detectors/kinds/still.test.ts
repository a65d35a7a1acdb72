// Still detector: little variation counts among observed points alone.
import { expect, test } from "bun:test";
import { still } from "../../../../src/models/detectors/kinds/still.ts";
import { Neighbours } from "../../../../src/models/detectors/neighbours/neighbours.ts";

const SPAN = 20;

/** What it says of a value after `SPAN` equal ones, of which some were missing. */
function judge(observed: readonly number[]) {
  const neighbours = new Neighbours(new Float64Array(SPAN), 1);
  const linear = { center: 0, scale: 1, window: SPAN };
  return still.judge({ neighbours, linear, observed: Float64Array.from(observed) } as never, SPAN, 0);
}

test("points at one value are still, what a gap between them was filled with is not", () => {
  const values = new Array<number>(SPAN + 1).fill(0);
  expect(judge(values)?.statistic).toBeCloseTo(3, 5);
  expect(judge(values.with(SPAN - 5, Number.NaN))).toBeUndefined();
  expect(judge(values.with(0, Number.NaN))?.statistic).toBeCloseTo(3, 5);
});
