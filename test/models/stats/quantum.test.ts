// Quantum: the step of sensors that round, and none of values that do not, or of states.
import { expect, test } from "bun:test";
import { findQuantum } from "../../../src/models/stats/quantum.ts";
import { createRandom } from "../../../wasm/random.ts";

const random = createRandom(1);
const LENGTH = 2000;
const make = (value: (i: number) => number) => Float64Array.from({ length: LENGTH }, (_, i) => value(i));
const curve = (i: number) => 21 + 2 * Math.sin(i / 50) + 0.1 * random.normal();

test.each([
  { what: "half degrees", column: make((i) => Math.round(curve(i) * 2) / 2), deviation: 1.5, quantum: 0.5 },
  { what: "tenths", column: make((i) => Math.round(curve(i) * 10) / 10), deviation: 1.5, quantum: 0.1 },
  { what: "whole numbers below 0", column: make((i) => -Math.round(curve(i))), deviation: 1.5, quantum: 1 },
  {
    what: "half degrees with gaps",
    column: make((i) => (i % 7 === 0 ? Number.NaN : Math.round(curve(i) * 2) / 2)),
    deviation: 1.5,
    quantum: 0.5,
  },
])("$what", ({ column, deviation, quantum }) => {
  expect(findQuantum(column, deviation)).toBeCloseTo(quantum, 6);
});

test.each([
  { what: "values that are not rounded", column: make(curve), deviation: 1.5 },
  { what: "two states", column: make((i) => Math.floor(i / 20) % 2), deviation: 0.5 },
  { what: "few changes", column: make((i) => Math.floor(i / 100)), deviation: 6 },
  { what: "a constant", column: make(() => 1), deviation: 1e-9 },
])("$what: none", ({ column, deviation }) => {
  const quantum = findQuantum(column, deviation) ?? 0;
  expect(quantum).toBeLessThan(0.01 * deviation);
});
