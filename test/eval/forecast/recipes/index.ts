// All recipes of a seed, by kind.
import { makeBusinessDays, makeCalendarSteps, makeMonthDays } from "./calendar.ts";
import { makeClockChanges } from "./clock-changes.ts";
import { makeDays, makeGrowingDays, makeRestingDays } from "./days.ts";
import { makeDisks } from "./disks.ts";
import { makeBursts, makeDisturbed, makeStopped } from "./disturbed.ts";
import { makeDisturbedGrowth } from "./disturbed-growth.ts";
import { makeGrowth, makeLimits, makeMonthlyGrowth } from "./growth.ts";
import { makeHolidays } from "./holidays.ts";
import { makeConstants, makeLevelNoise, makePercentages, makeRareCounts } from "./levels.ts";
import { makeLines, makeNoisyLines } from "./lines.ts";
import type { Recipe } from "./recipe.ts";
import { makeRotas } from "./rotas.ts";
import { makeShort } from "./short.ts";
import { makeShortCycles } from "./short-cycles.ts";
import { makeSlopes } from "./slopes.ts";
import { makeSeasonalSteps, makeSteps, makeStepsByShares } from "./steps.ts";
import { makeTwoSeasons } from "./two-seasons.ts";
import { makeChangedWeeks, makeWeeks } from "./weeks.ts";
import { makeYears } from "./years.ts";

const families: readonly ((seed: number) => Recipe[])[] = [
  makeLines,
  makeNoisyLines,
  makeDisks,
  makeGrowth,
  makeMonthlyGrowth,
  makeLimits,
  makeSteps,
  makeSeasonalSteps,
  makeStepsByShares,
  makeSlopes,
  makeDays,
  makeGrowingDays,
  makeRestingDays,
  makeWeeks,
  makeChangedWeeks,
  makeRotas,
  makeYears,
  makeCalendarSteps,
  makeBusinessDays,
  makeMonthDays,
  makeHolidays,
  makeClockChanges,
  makeConstants,
  makeLevelNoise,
  makeRareCounts,
  makePercentages,
  makeDisturbed,
  makeDisturbedGrowth,
  makeStopped,
  makeBursts,
  makeShort,
  makeShortCycles,
  makeTwoSeasons,
];

/** The recipes of a seed; the noise depends on the seed, the rest does not. */
export function allRecipes(seed: number): Recipe[] {
  return families.flatMap((make) => make(seed));
}

/** Names of the kinds, in the order of the tables. */
export const recipeKinds: readonly string[] = [...new Set(allRecipes(1).map(({ kind }) => kind))];
