// Run of an anomaly: a level where the other one was expected, of pulses alone.
import { expect, test } from "bun:test";
import { beginRun } from "../../../../src/models/detectors/ranks/level-run.ts";

const shares = Array.from({ length: 48 }, () => 0.6);
const pulses = { value: 0, middle: 50, shares };

test.each([
  { name: "on, though off was expected", value: 100, expected: 5, run: { atFloor: false } },
  { name: "off, though on was due", value: 2, expected: 40, run: { atFloor: true } },
  { name: "off, as expected", value: 2, expected: 10, run: undefined },
  { name: "higher than on", value: 160, expected: 100, run: { atFloor: false } },
  { name: "lower than on, which was expected", value: 80, expected: 100, run: undefined },
])("$name", ({ value, expected, run }) => {
  expect(beginRun(pulses, { value, expected, deviation: 40 })).toEqual(run!);
});

test("none without pulses", () => {
  const beginning = { value: 100, expected: 0, deviation: 40 };
  expect([beginRun(undefined, beginning), beginRun({ value: 0, shares }, beginning)]).toEqual([
    undefined,
    undefined,
  ]);
});
