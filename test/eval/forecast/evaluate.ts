// Evaluation of forecasts without a server: recipes whose continuation is known, and open series beside peers.
import { createAnalyst } from "../../../src/app/offline.ts";
import type { Series } from "../series.ts";
import { makeCompositions } from "./compositions.ts";
import { type FillResult, judgeFill, makeFills } from "./fills.ts";
import { type Forecast, judgeBy } from "./judge.ts";
import { forecastOpen, type OpenResult } from "./open-forecasts.ts";
import { makeHalfHours, makeHours, readOpenSeries } from "./open-series.ts";
import { allRecipes } from "./recipes/index.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { type Judged, renderOpen, renderRecipes } from "./report.ts";

export interface ForecastPlan {
  readonly seeds: readonly number[];
  /** Part of the kinds and names of recipes, and of the names of open series; absent: all. */
  readonly only: string | undefined;
  /** Folder of the open series. */
  readonly folder: string;
  /** Labelled series, which are forecast by hours, long ones by half hours. */
  readonly labelled: readonly Series[];
  readonly onProgress: (text: string) => void;
}

/** Progress is told each time so many recipes are judged. */
const PROGRESS = 50;
/** Compositions, and fills, of a seed. */
const COMPOSITIONS = 200;
const FILLS = 100;

/** @returns the report. @throws Error where nothing has a name like `only` */
export async function evaluateForecasts(plan: ForecastPlan): Promise<string> {
  const { signal } = new AbortController();
  const { forecast } = createAnalyst();
  const startedAt = performance.now();
  const judged = await judgeRecipes(forecast, { ...plan, make: allRecipes }, signal);
  const make = (seed: number) => makeCompositions(COMPOSITIONS, seed);
  const composed = await judgeRecipes(forecast, { ...plan, make }, signal);
  const open = await runOpen(forecast, plan, signal);
  if (judged.length + composed.length + open.results.length === 0)
    throw new Error(`neither a recipe nor a series has a name that holds ${plan.only}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return [
    `## Forecasts\n\nseeds ${plan.seeds.join(", ")}; ${seconds} s`,
    ...(judged.length > 0 ? [renderRecipes("Recipes", judged)] : []),
    ...(composed.length > 0 ? [renderRecipes("Compositions", composed)] : []),
    ...(plan.only === undefined ? [await runFills(plan, signal)] : []),
    ...(open.results.length > 0 ? [renderOpen(open.results)] : []),
    ...open.skipped,
  ].join("\n\n");
}

/** Dates of a limit: a fifth of the lead is tolerated. */
async function runFills({ seeds, onProgress }: ForecastPlan, signal: AbortSignal): Promise<string> {
  const results: FillResult[] = [];
  for (const seed of seeds)
    for (const fill of makeFills(FILLS, seed)) results.push(await judgeFill(fill, signal));
  onProgress(`${results.length} fills`);
  const right = results.filter(({ isRight }) => isRight).length;
  const flat = results.filter(({ fill }) => fill.lead === undefined);
  const alarms = flat.filter(({ isRight }) => !isRight).length;
  return `### Fills\n\n${right} of ${results.length} dates right; of ${flat.length} flat ones ${alarms} reach the limit.`;
}

async function judgeRecipes(
  forecast: Forecast,
  { seeds, only, onProgress, make }: ForecastPlan & { readonly make: (seed: number) => readonly Recipe[] },
  signal: AbortSignal,
): Promise<Judged[]> {
  const chosen = seeds.flatMap((seed) =>
    make(seed)
      .filter(({ kind, name }) => only === undefined || `${kind}: ${name}`.includes(only))
      .map((recipe) => ({ seed, recipe })),
  );
  const judged: Judged[] = [];
  for (const { seed, recipe } of chosen) {
    judged.push({ ...(await judgeBy(forecast, recipe, signal)), seed });
    if (judged.length % PROGRESS === 0) onProgress(`${judged.length} of ${chosen.length} recipes`);
  }
  return judged;
}

async function runOpen(
  forecast: Forecast,
  { folder, labelled, only, onProgress }: ForecastPlan,
  signal: AbortSignal,
): Promise<{ results: OpenResult[]; skipped: string[] }> {
  const open = await readOpenSeries(folder);
  const skipped = open
    ? []
    : [`Open series by the hour, day, week and month are skipped: ${folder} is absent.`];
  const chosen = [...(open ?? []), ...makeHalfHours(labelled), ...makeHours(labelled)].filter(
    ({ name }) => only === undefined || name.includes(only),
  );
  const results: OpenResult[] = [];
  for (const series of chosen) {
    results.push(await forecastOpen(forecast, series, signal));
    onProgress(`${series.name}, ${series.origins.length} origins`);
  }
  return { results, skipped };
}
