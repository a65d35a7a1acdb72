// Prepared subjects of the constants: networks are trained once, their outputs scored again with other constants.
import { availableParallelism } from "node:os";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { type Grid, sliceGrid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import type { EnsembleInput } from "../../../src/models/detectors/ensemble-input.ts";
import type { FitInput } from "../../../src/models/detectors/fit.ts";
import { timelineOf } from "../../../src/models/detectors/timeline.ts";
import { scoreTrained, sidesOf } from "../../../src/models/donut/calibrate.ts";
import { withConditions } from "../../../src/models/donut/condition.ts";
import { historyOf } from "../../../src/models/donut/evaluate.ts";
import { runNetwork } from "../../../src/models/donut/network-pass.ts";
import { type DonutOptions, donutDefaults, predictOptions } from "../../../src/models/donut/options.ts";
import { networksOf, paramsOf } from "../../../src/models/donut/parameters.ts";
import { prepareColumn } from "../../../src/models/donut/prepare-column.ts";
import { trainDonut } from "../../../src/models/donut/train.ts";
import { effectiveThresholds } from "../../../src/models/scoring/detect.ts";
import { standardise } from "../../../src/models/series.ts";
import { trimForFeature } from "../../../src/models/stats/extent.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { aModel } from "../../support/builders.ts";
import { mapConcurrently } from "../concurrent.ts";
import { WINDOW } from "../peers/index.ts";
import type { Series } from "../series.ts";
import { endOfProbation } from "../sets/nab.ts";

const FEATURE = { name: "value", metric: "avg", field: "value" } as const;
const sides = sidesOf("low_high");

/** A series of a set, with everything that constants do not change. */
export interface Prepared {
  readonly set: string;
  readonly series: Series;
  readonly settings: ModelSettings;
  /** First interval to judge. */
  readonly from: number;
  readonly fit: FitInput;
  readonly run: EnsembleInput;
}

interface Task {
  readonly set: string;
  readonly series: Series;
  readonly from: number;
}

interface PrepareOptions {
  readonly seed: number;
  readonly workers: number;
  readonly onProgress: (text: string) => void;
  readonly donut?: Partial<DonutOptions>;
}

/** Trains a network for every series, and for NAB a second one by its own protocol. */
export async function prepareAll(all: readonly Series[], options: PrepareOptions): Promise<Prepared[]> {
  const { seed, workers, onProgress } = options;
  const donut = { ...donutDefaults, ...options.donut };
  const tasks = all.flatMap(tasksOf).toSorted((a, b) => b.series.values.length - a.series.values.length);
  const trainingWorkers = Math.min(workers, availableParallelism());
  const pool = new Pool({ trainingWorkers, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
  let done = 0;
  try {
    return await mapConcurrently(tasks, workers, async (task) => {
      const prepared = await prepare(task, { seed, donut, pool });
      onProgress(`${++done} of ${tasks.length}: ${task.set}, ${task.series.name}, seed ${seed}`);
      return prepared;
    });
  } finally {
    await pool.stop();
  }
}

function tasksOf(series: Series): Task[] {
  const half = { set: series.group, series, from: series.values.length >> 1 };
  const isNab = series.group === "nab";
  return isNab ? [half, { set: "nab 15 %", series, from: endOfProbation(series) }] : [half];
}

async function prepare(
  { set, series, from }: Task,
  { seed, donut, pool }: { seed: number; donut: DonutOptions; pool: Pool },
): Promise<Prepared> {
  const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
  const points = series.values.subarray(0, from).filter(Number.isFinite).length;
  const settings = aModel({
    bucket_interval: series.step,
    span: points >= 2 * WINDOW ? WINDOW : "auto",
    max_evals: 1,
    features: [FEATURE],
  });
  const grid = gridOf(series);
  const input = { settings, grid: trimForFeature(sliceGrid(grid, 0, from), FEATURE)!, overrides: { seed } };
  const model = await trainDonut(input, donut, context);
  const network = networksOf(model)[0]!;
  const { shape, standardisation, conditions } = network;
  const timeline = timelineOf(settings, input.grid);
  const { column, observed, leftOut } = prepareColumn(input, FEATURE, timeline);
  const trained = withConditions(standardise(column, standardisation), conditions, input.grid);
  const params = paramsOf(model, network);
  const calibration = { shape, params, series: trained, validationFrom: 0, options: predictOptions(donut) };
  const scored = await scoreTrained({ ...calibration, anomalyType: "low_high" }, context);
  const history = historyOf(model);
  const rest = sliceGrid(grid, from - history, grid.length);
  const request = { input: { settings, grid: rest }, from: history, options: donut, context };
  const pass = await runNetwork(network, paramsOf(model, network), request);
  const { mean, deviation, nll, shifts } = pass;
  return {
    set,
    series,
    settings,
    from,
    fit: {
      timeline,
      column,
      observed,
      outliers: leftOut,
      nll: scored.nll,
      expected: scored.expected.map((value) => value * standardisation.deviation + standardisation.mean),
      span: shape.window,
      sides,
    },
    run: {
      timeline: timelineOf(settings, rest),
      column: pass.column,
      observed: rest.columns[FEATURE.name]!,
      network: { expected: mean, deviation, nll, unit: standardisation.deviation },
      from: history,
      sides,
      thresholds: effectiveThresholds(settings),
      shiftsAt: shifts.map(({ at }) => at),
    },
  };
}

function gridOf({ startAt, step, values }: Series): Grid {
  return {
    startAt: startAt * 1000,
    intervalMs: step * 1000,
    length: values.length,
    columns: { [FEATURE.name]: values },
  };
}
