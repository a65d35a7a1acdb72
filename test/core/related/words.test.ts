// Reasons in words: what earlier scores tell of a series, or that there are none.
import { expect, test } from "bun:test";
import { reasonsOf } from "../../../src/core/related/words.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/time/time.ts";

const facts = { leadMs: 0, intervalMs: 1000, equal: {}, adjacent: {}, precedence: 0, others: 1 };
const last = (times: number, spanMs: number) => reasonsOf({ ...facts, past: { times, spanMs } }).slice(1);

test.each([
  ["of a server that is new", 0, 1, ["less than an hour of earlier scores to compare with"]],
  ["of some hours", 0, 5 * HOUR_MS, []],
  ["of days", 0, 7 * DAY_MS, ["never deviated this much in 7 days before"]],
  ["of days with others", 2, 7 * DAY_MS, ["deviated this much 2 times in 7 days before"]],
])("a past %s", (_, times, spanMs, reasons) => {
  expect(last(times, spanMs)).toEqual(reasons);
});
