// Members: distances agree with those that a training measures of false alarms.
import { expect, test } from "bun:test";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import { linearExpectation } from "../../../src/models/detectors/linear.ts";
import { Members } from "../../../src/models/detectors/members.ts";
import { Neighbours } from "../../../src/models/detectors/neighbours/neighbours.ts";
import { ImputedSeries } from "../../../src/models/detectors/pass/imputed-series.ts";
import { Seasonal } from "../../../src/models/detectors/seasons/seasonal.ts";
import { createRandom } from "../../../wasm/random.ts";

const random = createRandom(4);
const timeline = { startAt: 0, intervalMs: 300_000 };
const column = Float64Array.from({ length: 1000 }, (_, i) => 50 + 9 * Math.sin(i / 46) + random.normal());
const missing = new Float64Array(column.length).fill(Number.NaN);
const sides = { below: true, above: true };
const ensemble = fitEnsemble({ timeline, column, nll: missing, expected: missing, span: 48, sides });

function makeMembers(own = ensemble): Members {
  const live = {
    timeline,
    network: { expected: missing, deviation: missing, nll: missing, unit: 1 },
    seasonal: new Seasonal(own.seasonal, timeline),
    neighbours: new Neighbours(new Float64Array(), 1),
    bounded: new Neighbours(new Float64Array(), 1),
    changes: new Neighbours(new Float64Array(), 1),
    imputed: new ImputedSeries({ timeline, column, from: 900 }, [], () => 0),
    observed: column,
    inAnomaly: () => false,
  };
  return new Members({ ensemble: own, sides, live, resolution: 0.02 });
}

test("the linear detector measures from its expectation with the value in the window", () => {
  const members = makeMembers();
  for (const value of [20, 55, 90]) {
    const linear = members.at(950, value).find(({ name }) => name === "linear")!;
    const expected = linearExpectation(ensemble.linear, column, 950)(value);
    expect(linear.distanceOf(value)).toBeCloseTo(Math.abs(value - expected), 9);
    expect(linear.distanceOf(value)).toBeLessThan(Math.abs(value - linear.expected));
  }
});

test("of a sensor that rounds, a value within a step of the expectation is no surprise", () => {
  const surprise = (members: Members, distance: number) => {
    const find = (value: number) => members.at(950, value).find(({ name }) => name === "seasonal")!;
    return find(find(0).expected + distance).surprise;
  };
  const [exact, rounded] = [makeMembers(), makeMembers({ ...ensemble, quantum: 5 })];
  expect(surprise(exact, 4)).toBeGreaterThan(0);
  expect(surprise(rounded, 4)).toBe(0);
  expect(surprise(rounded, 6)).toBe(surprise(exact, 6));
});
