// Compositions: the same for a seed, with incidents that stand out, which are found where they are and nowhere else.
import { afterAll, expect, test } from "bun:test";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { medianOf } from "../../../src/models/stats/median.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { makeCompositions } from "./compositions/index.ts";
import { detect } from "./detect.ts";
import { judge } from "./judge.ts";
import { type Made, make } from "./recipes/recipe.ts";

const COUNT = 30;
const SEED = 1;
/** Incidents that are looked for. */
const FOUND = 2;
const made = makeCompositions(COUNT, SEED);
const values = (all: readonly Made[]) => all.map((one) => [...one.values]);
/** The same series without its incident. */
const calmOf = ({ recipe }: Made, k: number) => make({ ...recipe, planted: {} }, COUNT * SEED + k);

test("a seed makes the same compositions", () => {
  expect(values(makeCompositions(COUNT, SEED))).toEqual(values(made));
  expect(values(makeCompositions(COUNT, SEED + 1))).not.toEqual(values(made));
});

test("an incident lies in the test week, and stands out by half of its points on its side", () => {
  const incidents = new Set<string>();
  for (const [k, one] of made.entries()) {
    const calm = calmOf(one, k).values;
    const day = 86_400 / one.recipe.step;
    for (const { name, from, to, type } of one.events) {
      incidents.add(name);
      expect(from).toBeGreaterThanOrEqual(one.trained);
      expect(to).toBeLessThan(one.values.length);
      const off = Array.from({ length: to - from }, (_, i) => one.values[from + i]! - calm[from + i]!);
      const known = off.filter(Number.isFinite);
      if (type === undefined) expect(medianOf(known.map(Math.abs))).toBeGreaterThan(0);
      else {
        const usual = calm.filter(
          (value, i) => i < one.trained && i % day === from % day && Number.isFinite(value),
        );
        const middle = medianOf([...usual]);
        const spread = 1.48 * medianOf([...usual].map((value) => Math.abs(value - middle)));
        expect((type === "low" ? -1 : 1) * medianOf(known)).toBeGreaterThan(2 * spread);
      }
    }
    if (one.events.length === 0) expect([...calm]).toEqual([...one.values]);
  }
  expect(incidents.size).toBeGreaterThan(6);
});

const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

test("a network of few steps finds incidents, and nothing in their place without them", async () => {
  const donut = createDonut({ steps: 300 });
  // Few steps do for short series of even level and noise.
  const isEven = (name: string) => !["heavy tails", "% a day"].some((part) => name.includes(part));
  const some = [...made.entries()].filter(
    ([, { recipe, events }]) => recipe.step >= 900 && events[0]?.type !== undefined && isEven(recipe.name),
  );
  expect(some.length).toBeGreaterThanOrEqual(FOUND);
  for (const [k, one] of some.slice(0, FOUND)) {
    const verdict = judge(one, await detect(donut, one, context));
    expect([one.recipe.name, ...verdict.reasons]).toEqual([one.recipe.name]);
    const calm = { ...calmOf(one, k), events: one.events };
    expect(judge(calm, await detect(donut, calm, context)).found.flatMap(({ raised }) => raised)).toEqual([]);
  }
});
