// Features without a network, for ranges too short to train one: the companions alone score and forecast them.
import type { Task, TaskResult } from "../../../wasm/protocol.ts";
import { TorusError } from "../../core/errors.ts";
import { linearWindow } from "../detectors/linear.ts";
import type { Compute, Context } from "../kind.ts";
import type { FeatureNetwork } from "./parameters.ts";
import { longestWindow, type SearchResult, type SpanRules, WINDOWS_OF_HISTORY } from "./search.ts";

/** Whether the feature is without a network: it has no weights. */
export function isNetworkAbsent({ size }: Pick<FeatureNetwork, "size">): boolean {
  return size === 0;
}

/** Points from which a training has a network: as many as hold its longest window four times. */
export function pointsForNetwork({ span, minSpan, maxSpan }: SpanRules): number {
  return WINDOWS_OF_HISTORY * (span ?? longestWindow(minSpan, maxSpan));
}

/**
 * The result of a search that has trained nothing.
 * @param column training column, NaN = missing; its error identifies the training, as the loss of a network does
 */
export function absentNetwork(column: Float64Array, points: number, { span }: SpanRules): SearchResult {
  const window = linearWindow(span ?? Number.POSITIVE_INFINITY, points);
  return {
    shape: { window, hidden: 1, latent: 1 },
    params: new Float32Array(0),
    loss: repetitionError(column),
  };
}

/** Mean squared error of repeating the previous value, in units of the data. */
function repetitionError(column: Float64Array): number {
  let [sum, count] = [0, 0];
  for (let i = 1; i < column.length; i++) {
    const change = column[i]! - column[i - 1]!;
    if (!Number.isFinite(change)) continue;
    sum += change ** 2;
    count++;
  }
  return count === 0 ? 0 : Math.min(Number.MAX_VALUE, sum / count);
}

/** The context, with tasks of absent networks answered at once: every value is missing. */
export function answerAbsent(context: Context): Context {
  const { compute } = context;
  const run = (task: Task, options: Parameters<Compute["run"]>[1]) => {
    if (task.kind === "train" || task.params.length > 0) return compute.run(task, options);
    return Promise.resolve(missingResult(task));
  };
  return { ...context, compute: { trainingLanes: compute.trainingLanes, run: run as Compute["run"] } };
}

function missingResult(task: Exclude<Task, { kind: "train" }>): TaskResult {
  const length = task.kind === "forecast" ? task.horizon : task.series.values.length;
  const missing = () => new Float32Array(length).fill(Number.NaN);
  const rejected = task.kind === "score" ? task.rejected : undefined;
  return {
    mean: missing(),
    deviation: missing(),
    nll: missing(),
    rejected: rejected?.slice() ?? new Uint8Array(length),
  };
}

/** @throws TorusError `not_supported` */
export function assertNetwork(network: FeatureNetwork): void {
  if (!isNetworkAbsent(network)) return;
  const reason = `feature ${network.name} has no network yet, as it was trained on too few points`;
  throw new TorusError("not_supported", `${reason}: train the model on a longer range`);
}
