// All recipes of verdicts.
import { days } from "./days.ts";
import { faults } from "./faults.ts";
import { gaps } from "./gaps.ts";
import { gauges } from "./gauges.ts";
import { jobs } from "./jobs.ts";
import { levels } from "./levels.ts";
import { quiet } from "./quiet.ts";
import type { Recipe } from "./recipe.ts";
import { weeks } from "./weeks.ts";

export const recipes: readonly Recipe[] = [
  ...jobs,
  ...weeks,
  ...gauges,
  ...faults,
  ...quiet,
  ...gaps,
  ...days,
  ...levels,
];
