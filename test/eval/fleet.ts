// Fleets: series that no training has seen, with a short history, beside models of their own.
import type { ModelSettings } from "../../src/core/model/model.ts";
import { countPresent, type Grid, sliceGrid } from "../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../src/jobs/workers/pool.ts";
import { createDonut, type DonutOptions } from "../../src/models/donut/index.ts";
import type { Context, ModelKind, TrainedModel } from "../../src/models/kind.ts";
import { detect, rulesOf } from "../../src/models/scoring/detect.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { aModel } from "../support/builders.ts";
import { mapConcurrently } from "./concurrent.ts";
import { measure, pickScored } from "./measures.ts";
import { type Alarms, addAlarms, countAlarms } from "./metrics/alarms.ts";
import { orderBy } from "./metrics/scored.ts";
import { WINDOW } from "./peers/index.ts";
import { observedFrom, type Series } from "./series.ts";
import { flagObserved } from "./sets/subject.ts";
import { formatMean, renderTable } from "./table.ts";

const DAY_SECONDS = 86_400;
/** Points of the shortest history: a day of hours has fewer. */
const MIN_HISTORY = 30;
/** Each series is scored by the fleet of the other fold. */
const FOLDS = 2;
const FEATURE = { name: "value", metric: "avg", field: "value" } as const;

interface FleetOptions {
  readonly series: readonly Series[];
  /** The table shows the mean and the deviation over them. */
  readonly seeds: readonly number[];
  readonly workers: number;
  readonly onProgress: (text: string) => void;
  readonly donut?: Partial<DonutOptions>;
}

interface Entry {
  readonly detector: string;
  readonly seed: number;
  readonly aucPr?: number;
  readonly alarms: Alarms;
}

/** A table of detectors: trained on the first half of each series, or on a fleet without it. */
export async function evaluateFleets({ series, seeds, workers, ...rest }: FleetOptions): Promise<string> {
  const pool = new Pool({
    trainingWorkers: workers,
    clock: systemClock,
    spawn: spawnWorker,
    onCrash: () => {},
  });
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  const deps = { ...rest, kind: createDonut(rest.donut), context };
  try {
    const groups = Map.groupBy(series, ({ step }) => step).values();
    const folds = [...groups].flatMap((group) => foldsOf(group));
    const runs = seeds.flatMap((seed) => folds.map((fold) => ({ fold, seed })));
    const entries = await mapConcurrently(runs, workers, ({ fold, seed }) =>
      runFold(fold, { ...deps, seed }),
    );
    return renderEntries(entries.flat());
  } finally {
    await pool.stop();
  }
}

interface Fold {
  readonly known: readonly Series[];
  readonly unseen: readonly Series[];
}

/** Folds of series of one step; none of a single series. */
function foldsOf(group: readonly Series[]): readonly Fold[] {
  if (group.length < FOLDS) return [];
  return Array.from({ length: FOLDS }, (_, k) => ({
    known: group.filter((_, i) => i % FOLDS !== k),
    unseen: group.filter((_, i) => i % FOLDS === k),
  }));
}

interface Deps {
  readonly kind: ModelKind;
  readonly context: Context;
  readonly seed: number;
  readonly onProgress: (text: string) => void;
}

async function runFold({ known, unseen }: Fold, deps: Deps): Promise<Entry[]> {
  const { kind, context, seed, onProgress } = deps;
  const settings = settingsOf(known[0]!);
  const halves = known.map((series) => firstHalf(series));
  const shared = await kind.fleet.train({ settings, series: halves, overrides: { seed } }, context);
  onProgress(`fleet of ${known.length} series, ${known[0]!.step} s`);
  const entries: Entry[] = [];
  for (const series of unseen) {
    const half = firstHalf(series);
    const fit = async (grid: Grid) =>
      kind.fleet.modelOf(shared, (await kind.fleet.fit(shared, { settings, grid }, context)).parameters);
    const train = (grid: Grid) => kind.train({ settings, grid, overrides: { seed } }, context);
    const models = [
      ["fleet, a day", () => fit(endOf(half, 1))],
      ["fleet, a week", () => fit(endOf(half, 7))],
      ["fleet, half", () => fit(half)],
      ["own, a day", () => train(endOf(half, 1))],
      ["own, a week", () => train(endOf(half, 7))],
      ["own, half", () => train(half)],
    ] as const;
    for (const [detector, make] of models)
      entries.push({ detector, seed, ...(await judge(series, await make(), { ...deps, settings })) });
    onProgress(series.name);
  }
  return entries;
}

function settingsOf({ step }: Series): ModelSettings {
  return aModel({ bucket_interval: step, max_evals: 1, detector: "auto", features: [FEATURE] });
}

function gridOf({ startAt, step, values }: Series): Grid {
  const columns = { [FEATURE.name]: values };
  return { startAt: startAt * 1000, intervalMs: step * 1000, length: values.length, columns };
}

function firstHalf(series: Series): Grid {
  return sliceGrid(gridOf(series), 0, series.values.length >> 1);
}

/** The last days of a grid, more where they hold too few points. */
function endOf(grid: Grid, days: number): Grid {
  let from = Math.max(0, grid.length - (days * DAY_SECONDS * 1000) / grid.intervalMs);
  while (from > 0 && countPresent(grid.columns[FEATURE.name]!.subarray(from)) < MIN_HISTORY) from--;
  return sliceGrid(grid, from, grid.length);
}

/** Scores the second half. */
async function judge(
  series: Series,
  model: TrainedModel,
  { kind, context, settings }: Deps & { readonly settings: ModelSettings },
): Promise<Omit<Entry, "detector" | "seed">> {
  const { length } = series.values;
  const half = length >> 1;
  const whole = gridOf(series);
  const grid = sliceGrid(whole, half - kind.historyOf(model), length);
  const { scores } = await kind.evaluate(model, { settings, grid }, context);
  const statistic = (values: readonly number[]) => {
    const column = new Float64Array(length).fill(Number.NaN);
    column.set(values, half);
    return column;
  };
  const order = orderBy(
    statistic(scores.map(({ score }) => score ?? Number.NaN)),
    statistic(scores.map(({ nll }) => nll ?? Number.NEGATIVE_INFINITY)),
  );
  const measured = measure(pickScored(series.labels, order, observedFrom(series, half)));
  const { stats } = detect(scores, sliceGrid(whole, half, length), { rules: rulesOf(settings) });
  const flags = Uint8Array.from(stats, ({ anomaly }) => Number(anomaly));
  const alarms = countAlarms(flagObserved(series, flags, half), { margin: WINDOW, stepSeconds: series.step });
  return { alarms, ...(measured && { aucPr: measured.aucPr }) };
}

function renderEntries(entries: readonly Entry[]): string {
  const head = ["detector", "series", "AUC-PR", "found", "precision", "false alarms a week"];
  const groups = [...Map.groupBy(entries, ({ detector }) => detector)];
  const rows = groups.map(([detector, own]) => {
    const bySeed = [...Map.groupBy(own, ({ seed }) => seed).values()].map((some) => summarise(some));
    const [{ series, labelled }] = bySeed as [Summary];
    const mean = (of: (summary: Summary) => number, digits: number) => formatMean(bySeed.map(of), digits);
    return [
      detector,
      String(series),
      mean(({ aucPr }) => aucPr, 3),
      `${mean(({ found }) => found, bySeed.length > 1 ? 1 : 0)} of ${labelled}`,
      mean(({ precision }) => precision, 2),
      mean(({ falseAWeek }) => falseAWeek, 2),
    ];
  });
  return renderTable(head, rows);
}

interface Summary extends Pick<Alarms, "found" | "labelled"> {
  readonly series: number;
  readonly aucPr: number;
  readonly precision: number;
  readonly falseAWeek: number;
}

/** All series with one seed. */
function summarise(entries: readonly Entry[]): Summary {
  const areas = entries.flatMap(({ aucPr }) => aucPr ?? []);
  const { found, labelled, hits, episodes, falseAlarms, quietWeeks } = addAlarms(
    entries.map(({ alarms }) => alarms),
  );
  return {
    series: entries.length,
    found,
    labelled,
    aucPr: areas.reduce((sum, area) => sum + area, 0) / areas.length,
    precision: hits / Math.max(1, episodes),
    falseAWeek: falseAlarms / quietWeeks,
  };
}
