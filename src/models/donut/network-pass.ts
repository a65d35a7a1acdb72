// Pass of one network over a grid: expectation and surprise per interval, in units of the data without its baseline.
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { type BaselineMemory, followBaseline } from "../baseline/baseline.ts";
import { layOutByClock } from "../detectors/clock-change.ts";
import { Seasonal } from "../detectors/seasons/seasonal.ts";
import { placeOf, type Timeline, timelineOf } from "../detectors/timeline.ts";
import type { Context, EvaluateInput } from "../kind.ts";
import { effectiveThresholds } from "../scoring/detect.ts";
import { probabilityOf } from "../scoring/score.ts";
import { standardise } from "../series.ts";
import { tailQuantile } from "../stats/tail.ts";
import type { Band, Expectation } from "./band.ts";
import { withConditions } from "./condition.ts";
import { memoryOfFeature, sidesIn } from "./feature-score.ts";
import { type DonutOptions, predictOptions } from "./options.ts";
import type { FeatureNetwork } from "./parameters.ts";

export interface NetworkDeps {
  readonly options: DonutOptions;
  readonly context: Context;
  /** No point of the preceding slice was rejected. */
  readonly calm?: boolean;
}

export interface NetworkPass extends Expectation {
  /** Without the baseline. */
  readonly column: Float64Array;
  /** Nats in standardised units; NaN where nothing was observed. */
  readonly nll: Float64Array;
  /** 1 where a point was rejected. */
  readonly rejected: Uint8Array;
  /** State of the followed baseline. */
  readonly baseline: BaselineMemory;
  readonly shifts: readonly Omit<LevelShift, "feature">[];
  /** Adds the baseline to expectation and band. */
  readonly restore: (band: Band) => Band;
}

/**
 * Runs the network in a worker, over every interval of a grid.
 * @param from first interval to score; those before it are history
 * @throws TorusError `canceled`, `worker_crashed`
 */
export async function runNetwork(
  network: FeatureNetwork,
  params: Float32Array,
  { input, from, options, context, calm = false }: { input: EvaluateInput; from: number } & NetworkDeps,
): Promise<NetworkPass> {
  const { name, shape, standardisation, tail, conditions } = network;
  const flattened = removeBaseline(network, { input, from });
  // What was rejected since a step is normal at the new level.
  const [shift] = flattened.shifts;
  const rejected = (input.rejected?.[name] ?? []).filter((at) => !shift || at < shift.sinceAt);
  const laid = layOutByClock(timelineOf(input.settings, input.grid), from);
  const standardised = standardise(laid.layOut(flattened.column), standardisation);
  const rejectAbove = tailQuantile(tail, probabilityOf(effectiveThresholds(input.settings).max));
  const result = await context.compute.run(
    {
      kind: "score",
      shape,
      params,
      series: withConditions(standardised, conditions, input.grid, shape.window - 1),
      options: predictOptions(options),
      rejectAbove,
      rejected: flagsOf(rejected, laid.timeline, input.grid.length),
      clean: calm,
    },
    { lane: "prediction", signal: context.signal, transfer: [params] },
  );
  const { mean: center, deviation: scale } = standardisation;
  const kept = flagsOf(rejected, input.grid, input.grid.length);
  kept.set(result.rejected.subarray(from), from);
  return {
    name,
    ...flattened,
    mean: Float64Array.from(result.mean, (value) => value * scale + center),
    deviation: Float64Array.from(result.deviation, (value) => value * scale),
    nll: Float64Array.from(result.nll),
    rejected: kept,
  };
}

/** The column without the baseline that the network was trained without; bands get it back. */
export function removeBaseline(
  network: FeatureNetwork,
  { input, from }: { input: EvaluateInput; from: number },
): Pick<NetworkPass, "column" | "baseline" | "shifts" | "restore"> {
  const column = input.grid.columns[network.name]!;
  const kept = memoryOfFeature(input, network);
  const timeline = timelineOf(input.settings, input.grid);
  const usual = usualValues(network, timeline);
  const sides = sidesIn(input.settings, network.name);
  const { flatten, restore, memory, shifts } = followBaseline(
    network,
    { column, timeline, from, usual, changes: input.changes, sides },
    kept?.baseline,
  );
  return {
    column: flatten(column),
    baseline: memory,
    shifts,
    restore: ({ predicted, lower, upper }) => ({
      predicted: restore(predicted),
      lower: restore(lower),
      upper: restore(upper),
    }),
  };
}

/** Least points of a training after which levels are followed, in days: fewer do not tell how days differ. */
const MIN_LEVEL_DAYS = 5;

/** Usual values of the training; undefined after a short one, and in versions without an ensemble. */
export function usualValues({ ensemble }: FeatureNetwork, timeline: Timeline) {
  if (!ensemble || ensemble.seasonal.points * timeline.intervalMs < MIN_LEVEL_DAYS * DAY_MS) return undefined;
  const seasonal = new Seasonal(ensemble.seasonal, timeline);
  return { usualAt: (i: number) => seasonal.expect(i), scale: ensemble.seasonal.scale };
}

/** @returns 1 at the intervals that start at the given instants (ms) */
function flagsOf(instants: readonly number[], timeline: Timeline, length: number): Uint8Array {
  const flags = new Uint8Array(length);
  for (const at of instants) {
    const i = placeOf(timeline, at);
    if (i >= 0 && i < length) flags[i] = 1;
  }
  return flags;
}
