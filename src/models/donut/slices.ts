// Slices of long evaluations: their length by the work of one task, and their results joined.

import type { DonutShape } from "../../../wasm/protocol.ts";
import type { LevelShift } from "../../core/anomaly/level-shift.ts";
import type { Grid } from "../../core/series/grid.ts";
import type { Evaluation, PointScore, Prediction } from "../kind.ts";
import type { DonutOptions } from "./options.ts";

/** Most windows of a slice: live windows wait for its task, at some 0.12 ms a window. */
const MAX_SLICE = 160;
/** Most windows of a batch task, which computes in the worker alone. */
const MAX_BATCH = 400;
/** Least windows of a slice: with fewer, copying the history dominates. */
const MIN_WINDOWS = 16;
/** Most runs of the network in one task: each has an overhead. */
const MAX_RUNS = 100;

type TaskOptions = Pick<DonutOptions, "samples" | "iterations" | "taskFlops">;

interface Shaped {
  readonly shape: DonutShape;
}

/** Windows per slice of an evaluation, by the largest of the networks. */
export function sliceLength(
  networks: readonly Shaped[],
  { samples, iterations, taskFlops }: TaskOptions,
): number {
  const flops = networks.map(({ shape: { window, hidden, latent, condition = 0 } }) => {
    const encoder = (window + condition) * hidden + hidden * hidden + 2 * hidden * latent;
    const latents = (latent + condition) * hidden + hidden * hidden;
    const imputation = iterations * (encoder + latents + hidden * window);
    return 2 * (encoder + imputation + Math.max(1, samples) * (latents + 2 * hidden));
  });
  return clampWindows(taskFlops / Math.max(...flops), MAX_SLICE);
}

/** Windows per task of a batch evaluation. */
export function batchLength(shape: DonutShape, { iterations, taskFlops }: TaskOptions): number {
  return clampWindows(taskFlops / ((1 + iterations) * flopsOfPass(shape)), MAX_BATCH);
}

/** Intervals per task of a forecast: a multiple of half a window, as the worker imputes them. */
export function forecastLength(shape: DonutShape, { samples, iterations, taskFlops }: TaskOptions): number {
  const flops = (1 + iterations + Math.max(1, samples)) * flopsOfPass(shape);
  const runs = Math.max(1, Math.min(MAX_RUNS, Math.floor(taskFlops / flops)));
  return runs * Math.max(1, Math.floor(shape.window / 2));
}

/** Floating-point operations of one window through encoder and decoder, at all its points. */
function flopsOfPass({ window, hidden, latent, condition = 0 }: DonutShape): number {
  return 2 * hidden * (3 * window + condition + 2 * hidden + 3 * latent);
}

/** Without a limit to the work of a task, one task has all windows. */
function clampWindows(count: number, most: number): number {
  return Number.isFinite(count) ? Math.max(MIN_WINDOWS, Math.min(most, Math.floor(count))) : count;
}

type Columns = Record<string, Float64Array>;

/** Joins the slices of an evaluation. */
export class JoinedEvaluation {
  #last: Evaluation | undefined;
  readonly #scores: PointScore[] = [];
  readonly #levelShifts: LevelShift[] = [];
  readonly #rejected: Record<string, number[]> = {};
  readonly #bands: Record<"predicted" | "lower" | "upper", Columns> = { predicted: {}, lower: {}, upper: {} };

  /** @param grid intervals to score, without history */
  constructor(private readonly grid: Grid) {}

  /** @param from index of the slice's first interval */
  add(slice: Evaluation, from: number): void {
    for (const edge of ["predicted", "lower", "upper"] as const) this.#copy(edge, slice, from);
    for (const score of slice.scores) this.#scores.push(score);
    for (const [name, instants] of Object.entries(slice.rejected)) {
      // The history of the slice belongs to the slices before it, which are added already.
      const fresh = from === 0 ? instants : instants.filter((at) => at >= slice.grid.startAt);
      this.#rejected[name] ??= [];
      this.#rejected[name].push(...fresh);
    }
    this.#levelShifts.push(...(slice.levelShifts ?? []));
    this.#last = slice;
  }

  toEvaluation(): Evaluation {
    const { memory, drift } = this.#last!;
    return {
      grid: this.grid,
      ...this.#bands,
      scores: this.#scores,
      rejected: this.#rejected,
      levelShifts: this.#levelShifts,
      ...(memory && { memory }),
      ...(drift && { drift }),
    };
  }

  #copy(edge: "predicted" | "lower" | "upper", slice: Prediction, from: number): void {
    for (const [name, column] of Object.entries(slice[edge])) {
      this.#bands[edge][name] ??= new Float64Array(this.grid.length);
      this.#bands[edge][name].set(column, from);
    }
  }
}
