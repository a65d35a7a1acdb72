// Spikes: single and double ones are replaced by their neighbours; steps, stretches and noise stay.
import { expect, test } from "bun:test";
import { removeSpikes } from "../../../src/models/stateless/spikes.ts";
import { makeSeries, wave } from "./support.ts";

test("spikes of one and of two points are replaced by what is usual around them", () => {
  const column = makeSeries(
    100,
    (i, noise) => wave(i, 50) + noise + (i === 30 || i === 60 || i === 61 ? 40 : 0),
  );
  const cleaned = removeSpikes(column);
  for (const i of [30, 60, 61]) expect(Math.abs(cleaned[i]! - wave(i, 50))).toBeLessThan(5);
  expect(column[30]).toBeGreaterThan(30);
});

const kept: [string, Float64Array][] = [
  ["a step", makeSeries(100, (i) => Number(i >= 50))],
  ["a stretch of three points", makeSeries(100, (i) => Number(i >= 50 && i < 53))],
  ["a constant", makeSeries(100, () => 5)],
  ["a season of four points", makeSeries(100, (i) => wave(i, 4))],
  ["missing points", makeSeries(100, (i, noise) => (i % 3 === 0 ? Number.NaN : noise / 100 + i))],
  ["nothing", new Float64Array(0)],
];
test.each(kept)("%s stays as it is", (_name, column) => {
  expect(Array.from(removeSpikes(column))).toEqual(Array.from(column));
});
