// Start scores: guards and known events hold a start back.
import { expect, test } from "bun:test";
import { startScoresOf } from "../../../src/models/scoring/start-scores.ts";

const scores = [10, 90, undefined, 80].map((score) => ({
  score,
  features: score === undefined ? {} : { f: { type: "high" as const, score } },
  mse: null,
  nll: null,
}));
const observed = {
  startAt: 0,
  intervalMs: 10,
  length: 4,
  columns: { f: Float64Array.of(1, 9, Number.NaN, 8) },
};
const evaluation = { scores, predicted: { f: Float64Array.of(1, 1, 1, 1) } };
const { signal } = new AbortController();

test("without guards and known events there are none", async () => {
  expect(await startScoresOf(evaluation, observed, { guards: undefined, signal })).toBeUndefined();
  expect(await startScoresOf(evaluation, observed, { guards: undefined, known: [], signal })).toBeUndefined();
});

test("intervals that share an instant with a known event start nothing", async () => {
  const known = [{ fromAt: 15, toAt: 25 }];
  expect([...(await startScoresOf(evaluation, observed, { guards: undefined, known, signal }))!]).toEqual([
    10, 0, 0, 80,
  ]);
});
