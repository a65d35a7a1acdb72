// Verdicts: recipes are reproducible, each kind of mistake is named, and one recipe runs through training and detection.
import { afterAll, describe, expect, test } from "bun:test";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { detect } from "./detect.ts";
import { renderVerdicts } from "./evaluate.ts";
import { judge, type Raised } from "./judge.ts";
import { recipes } from "./recipes/index.ts";
import { make } from "./recipes/recipe.ts";

const recipeOf = (part: string) => recipes.find(({ name }) => name.includes(part))!;

test("a recipe is the same for a seed, and its events lie after the training", () => {
  const names = recipes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const recipe of recipes.filter(({ step }) => step >= 300)) {
    const made = make(recipe, 1);
    const values = [...made.values];
    expect([...make(recipe, 1).values]).toEqual(values);
    expect([...make(recipe, 2).values]).not.toEqual(values);
    // Points may be missing after the training.
    expect(
      values.every((value, i) => Number.isFinite(value) || (i >= made.trained && Number.isNaN(value))),
    ).toBe(true);
    for (const { from, to } of made.events) {
      expect(from).toBeGreaterThanOrEqual(made.trained);
      expect(to).toBeLessThanOrEqual(made.values.length);
    }
  }
});

describe("a judgement", () => {
  const made = make(recipeOf("orders, every 3600 s"), 1);
  const { from, to } = made.events[0]!;
  const holiday: Raised = { from, to, type: "low" };
  const early = (hour: number): Raised => ({ from: from - hour, to: from - hour + 1, type: "high" });

  test.each([
    { name: "right", raised: [early(50), holiday], reasons: [] },
    { name: "missed", raised: [], reasons: ["holiday is missed"] },
    { name: "wrong direction", raised: [{ ...holiday, type: "high" }], reasons: ["holiday is high"] },
    {
      name: "in pieces",
      raised: [
        { ...holiday, to: from + 2 },
        { ...holiday, from: from + 4 },
      ],
      reasons: ["holiday is 2 anomalies"],
    },
    {
      name: "false alarms",
      raised: [early(50), early(40), early(30), holiday],
      reasons: ["3 false alarms"],
    },
  ] as { name: string; raised: Raised[]; reasons: string[] }[])("$name", ({ raised, reasons }) => {
    expect(judge(made, raised).reasons).toEqual(reasons);
  });

  test("of an event that has to be over in time says where it is not", () => {
    const twice = make(recipeOf("too high twice, every 300 s"), 1);
    const [first, second] = twice.events.map(({ from, to }): Raised => ({ from, to, type: "high" }));
    const late = { ...second!, to: second!.to + 4 };
    expect(judge(twice, [first!, { ...late, to: late.to - 1 }]).reasons).toEqual([]);
    expect(judge(twice, [first!, late]).reasons).toEqual(["second ends late"]);
  });

  test("of values that lie on no side holds in either direction", () => {
    const still = make(recipeOf("noise that vanishes"), 1);
    const { from, to } = still.events[0]!;
    for (const type of ["low", "high"] as const)
      expect(judge(still, [{ from, to, type }]).reasons).toEqual([]);
  });

  test("is rendered with delays and the rate of false alarms", () => {
    const late = judge(made, [early(50), { from: from + 1, to: to + 3, type: "low" }]);
    const text = renderVerdicts([late]);
    expect(text).toContain("1 of 1 series right; 1 of 1 events found");
    expect(text).toContain("holiday: 1 late, ends 3 late");
    expect(text).toContain("0.50 false alarms a week");
  });
});

describe("a network of few steps", () => {
  const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  afterAll(() => pool.stop());

  test("finds the Saturday, the dip and the free Monday of workdays", async () => {
    const made = make(recipeOf("workdays, every 3600 s"), 1);
    const verdict = judge(made, await detect(createDonut({ steps: 300 }), made, context));
    expect(verdict.found.map(({ raised }) => raised[0]?.type)).toEqual(["low", "high", "low"]);
  });
});
