// Common value: what most of a history has is the forecast where that is next to it.
import { expect, test } from "bun:test";
import { atCommonValue } from "../../../../src/models/forecasters/history/common-value.ts";
import { makeColumn } from "../support.ts";

const forecast = Float64Array.of(-0.02, 0.03, 0.4, 5);

test.each<[string, (i: number) => number, readonly number[]]>([
  ["rare counts", (i) => (i % 20 ? 0 : 4), [0, 0, 0.4, 5]],
  ["half of it, with gaps", (i) => [0, 0, 10, Number.NaN][i % 4]!, [0, 0, 0.4, 5]],
  ["a minority", (i) => (i % 3 ? i : 0), Array.from(forecast)],
  ["a constant", () => 0, Array.from(forecast)],
  ["nothing", () => Number.NaN, Array.from(forecast)],
])("%s", (_, value, expected) => {
  expect(Array.from(atCommonValue(forecast, makeColumn(60, value)))).toEqual([...expected]);
});
