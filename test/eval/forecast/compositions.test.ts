// Compositions: the same for a seed, with a continuation that goes on from their history.
import { expect, test } from "bun:test";
import { createAnalyst } from "../../../src/app/offline.ts";
import { makeCompositions } from "./compositions.ts";
import { judge, judgeBy } from "./judge.ts";

const { signal } = new AbortController();
const made = makeCompositions(60, 1);

test("a seed makes the same compositions", () => {
  expect(makeCompositions(60, 1)).toEqual(made);
  expect(makeCompositions(60, 2)).not.toEqual(made);
});

test("each is right for its truth, and its last point is there", () => {
  for (const recipe of made) {
    const { truth: predicted, dates: timestamps, noise, series } = recipe;
    const [lower, upper] = [-1.645, 1.645].map((z) => predicted.map((value) => value + z * noise));
    expect(judge(recipe, { timestamps, predicted, lower: lower!, upper: upper! })).toBeUndefined();
    expect(series.at(-1)!.timestamp).toBeLessThan(timestamps[0]!);
    expect(series.every(({ value }) => Number.isFinite(value))).toBe(true);
  }
});

test("nine of ten are forecast right", async () => {
  const { forecast } = createAnalyst();
  const short = made.filter(({ series }) => series.length < 1000);
  const wrong: string[] = [];
  for (const recipe of short) {
    const { reason } = await judgeBy(forecast, recipe, signal);
    if (reason !== undefined) wrong.push(`${recipe.kind}: ${recipe.name}: ${reason}`);
  }
  if (wrong.length > 0.1 * short.length) expect(wrong).toEqual([]);
});
