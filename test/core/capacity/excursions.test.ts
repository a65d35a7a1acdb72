// Excursions: short ways off a course and back are missing; what changes often, or stays, is the course.
import { expect, test } from "bun:test";
import { withoutExcursions } from "../../../src/core/capacity/excursions.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOURS = 480;
type Off = (i: number) => number;

/** A rise of 48 with a noise of 0.1, and what is added to it. */
function riseWith(off: Off): Float64Array {
  const random = createRandom(4);
  return Float64Array.from({ length: HOURS }, (_, i) => 20 + i / 10 + 0.1 * random.normal() + off(i));
}

const missingIn = (column: Float64Array) => [...column.keys()].filter((i) => Number.isNaN(column[i]!));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);

test.each<[string, Off, number[]]>([
  ["a spike", (i) => (i === 300 ? 15 : 0), [300]],
  ["temporary files of a day", (i) => (i >= 200 && i < 224 ? 12 : 0), range(200, 224)],
  ["an outage that is read as 0", (i) => (i >= 400 && i < 440 ? -20 - i / 10 : 0), range(400, 440)],
  ["some of them", (i) => (i === 50 || i === 51 ? 9 : i === 450 ? -7 : 0), [50, 51, 450]],
])("%s", (_, off, missing) => {
  expect(missingIn(withoutExcursions(riseWith(off)))).toEqual(missing);
});

test.each<[string, Off]>([
  ["an upload", (i) => (i >= 300 ? 15 : 0)],
  ["what lasts for more than a tenth", (i) => (i >= 200 && i < 260 ? 12 : 0)],
  ["clean-ups each day", (i) => (i % 24) / 2],
  ["temporary files each night", (i) => (i % 24 < 2 ? 12 : 0)],
  ["nothing", () => 0],
])("none: %s", (_, off) => {
  expect(missingIn(withoutExcursions(riseWith(off)))).toEqual([]);
});

test("missing values stay so, and end none", () => {
  const column = riseWith((i) => (i >= 100 && i < 105 ? 15 : 0));
  column[102] = Number.NaN;
  column[350] = Number.NaN;
  expect(missingIn(withoutExcursions(column))).toEqual([...range(100, 105), 350]);
});
