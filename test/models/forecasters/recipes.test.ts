// Forecasts of series whose continuation anyone can say, kind by kind.
import { describe, expect, test } from "bun:test";
import { createAnalyst } from "../../../src/app/offline.ts";
import { judgeBy } from "../../eval/forecast/judge.ts";
import { allRecipes, recipeKinds } from "../../eval/forecast/recipes/index.ts";

const { forecast } = createAnalyst();
const { signal } = new AbortController();
const recipes = allRecipes(1);

describe("forecasts are right for each recipe of the kind", () => {
  test.each([...recipeKinds])("%s", async (kind) => {
    const wrong: string[] = [];
    for (const recipe of recipes.filter((one) => one.kind === kind)) {
      const { reason } = await judgeBy(forecast, recipe, signal);
      if (reason !== undefined) wrong.push(`${recipe.name}: ${reason}`);
    }
    expect(wrong).toEqual([]);
  });
});
