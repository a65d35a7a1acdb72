// Evaluation of verdicts without a server: everyday recipes and compositions at default thresholds.
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { medianOf } from "../../../src/models/stats/median.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { renderTable } from "../table.ts";
import { makeCompositions } from "./compositions/index.ts";
import { detect } from "./detect.ts";
import { type Found, judge, type Verdict } from "./judge.ts";
import { recipes } from "./recipes/index.ts";
import { make } from "./recipes/recipe.ts";

export interface VerdictPlan {
  readonly seeds: readonly number[];
  /** Part of the names of recipes; absent: all. */
  readonly only: string | undefined;
  /** Trainings side by side. */
  readonly workers: number;
  readonly onProgress: (text: string) => void;
}

/** Compositions of a seed. */
const COMPOSITIONS = 40;

/** @returns the report. @throws Error where no series has a name like `only` */
export async function evaluateVerdicts({ seeds, only, workers, onProgress }: VerdictPlan): Promise<string> {
  const isChosen = ({ name }: { readonly name: string }) => only === undefined || name.includes(only);
  const made = seeds.flatMap((seed) => recipes.filter(isChosen).map((recipe) => make(recipe, seed)));
  const composed = seeds.flatMap((seed) => makeCompositions(COMPOSITIONS, seed));
  const parts = { Verdicts: made, Compositions: composed.filter(({ recipe }) => isChosen(recipe)) };
  if (!Object.values(parts).some(({ length }) => length > 0))
    throw new Error(`no series has a name that holds ${only}`);
  const pool = new Pool({
    ...{ trainingWorkers: workers, clock: systemClock, spawn: spawnWorker },
    onCrash: () => {},
  });
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  const donut = createDonut();
  const sections: string[] = [];
  try {
    for (const [title, series] of Object.entries(parts)) {
      const verdicts: Verdict[] = [];
      for (const own of series) {
        verdicts.push(judge(own, await detect(donut, own, context)));
        onProgress(`${verdicts.length} of ${series.length}: ${own.recipe.name}`);
      }
      if (series.length > 0) sections.push(renderVerdicts(verdicts, title));
    }
  } finally {
    await pool.stop();
  }
  return sections.join("\n\n");
}

/** Report in Markdown: all together first, then one row per series. */
export function renderVerdicts(verdicts: readonly Verdict[], title = "Verdicts"): string {
  const right = verdicts.filter(({ reasons }) => reasons.length === 0).length;
  const found = verdicts.flatMap((verdict) => verdict.found);
  const hits = found.filter(({ raised }) => raised.length > 0);
  const weeks = verdicts.reduce((sum, verdict) => sum + verdict.weeks, 0);
  const alarms = verdicts.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0);
  const delays = `starts ${medianOf(hits.map(startDelay)) || 0} and ends ${medianOf(hits.map(endDelay)) || 0} intervals late`;
  const rows = verdicts.map(({ made, found: own, falseAlarms, reasons }) => [
    made.recipe.name,
    own.map(describe).join("; "),
    String(falseAlarms.length),
    reasons.join("; ") || "right",
  ]);
  return [
    `## ${title}`,
    `${right} of ${verdicts.length} series right; ${hits.length} of ${found.length} events found (median: ${delays}); ` +
      `${(alarms / weeks).toFixed(2)} false alarms a week.`,
    renderTable(["recipe", "planted", "false", "verdict"], rows),
  ].join("\n\n");
}

const startDelay = ({ event, raised }: Found) => raised[0]!.from - event.from;
const endDelay = ({ event, raised }: Found) => raised.at(-1)!.to - event.to;

function describe(found: Found): string {
  const { event, raised } = found;
  if (raised.length === 0) return `${event.name}: missed`;
  return `${event.name}: ${startDelay(found)} late, ends ${endDelay(found)} late`;
}
