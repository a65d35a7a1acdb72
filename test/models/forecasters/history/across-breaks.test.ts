// Forecasts of the past across a break: those from before it, or from its first values, to leads after it.
import { expect, test } from "bun:test";
import { acrossBreaks } from "../../../../src/models/forecasters/history/across-breaks.ts";

const series = { column: new Float64Array(20), intervalMs: 3_600_000 };

test("leads after a break say nothing from before it", () => {
  const across = acrossBreaks(series, { isPlain: true, breaks: [10] })!;
  expect([across(8, 1), across(8, 2), across(12, 0), across(13, 0)]).toEqual([false, true, true, false]);
});

test("breaks that are not plain are none", () => {
  expect(acrossBreaks(series, { isPlain: false, breaks: [10] })).toBeUndefined();
  expect(acrossBreaks(series, { isPlain: true, breaks: [] })).toBeUndefined();
});
