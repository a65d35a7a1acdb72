// Evaluation of verdicts without a server: everyday recipes at default thresholds.
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { medianOf } from "../../../src/models/stats/median.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { renderTable } from "../table.ts";
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

/** @returns the report. @throws Error where no recipe has a name like `only` */
export async function evaluateVerdicts({ seeds, only, workers, onProgress }: VerdictPlan): Promise<string> {
  const chosen = recipes.filter(({ name }) => only === undefined || name.includes(only));
  if (chosen.length === 0) throw new Error(`no recipe has a name that holds ${only}`);
  const pool = new Pool({
    ...{ trainingWorkers: workers, clock: systemClock, spawn: spawnWorker },
    onCrash: () => {},
  });
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  const donut = createDonut();
  const verdicts: Verdict[] = [];
  try {
    for (const seed of seeds)
      for (const recipe of chosen) {
        const made = make(recipe, seed);
        verdicts.push(judge(made, await detect(donut, made, context)));
        onProgress(`${verdicts.length} of ${seeds.length * chosen.length}: ${recipe.name}, seed ${seed}`);
      }
  } finally {
    await pool.stop();
  }
  return renderVerdicts(verdicts);
}

/** Report in Markdown: all together first, then one row per series. */
export function renderVerdicts(verdicts: readonly Verdict[]): string {
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
    "## Verdicts",
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
