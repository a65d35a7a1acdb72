// Start of the training of a feature: the network of an earlier version, or shapes to try; pure.
import type { DonutShape } from "../../../wasm/protocol.ts";
import type { TrainInput } from "../kind.ts";
import { isNetworkAbsent } from "./absent-network.ts";
import { type Conditions, canKeepConditions, conditionSize, conditionsOf } from "./condition.ts";
import { networksOf, paramsOf } from "./parameters.ts";

export interface TrainingStart {
  readonly shapes: readonly DonutShape[];
  readonly conditions?: Conditions;
  /** Initial weights, for a single shape. */
  readonly initial?: Float32Array;
}

/**
 * Continues with the network of an earlier version unless the settings require another span or other conditions, with
 * which its kernels would have another size or meaning.
 * @param proposeShapes shapes to try in a new search, without conditions
 */
export function planStart(
  { settings, grid, overrides }: TrainInput,
  name: string,
  proposeShapes: () => readonly DonutShape[],
): TrainingStart {
  const covered = conditionsOf(settings, grid);
  const requested = conditionsOf(settings, { ...grid, length: Number.POSITIVE_INFINITY });
  const { from } = overrides;
  const known =
    from && networksOf(from).find((network) => network.name === name && !isNetworkAbsent(network));
  const isSpanKept = typeof settings.span !== "number" || known?.shape.window === settings.span;
  if (known && isSpanKept && canKeepConditions(known.conditions, requested, covered)) {
    const { shape, conditions } = known;
    return { shapes: [shape], initial: paramsOf(from, known), ...(conditions && { conditions }) };
  }
  const condition = conditionSize(covered);
  if (condition === 0) return { shapes: proposeShapes() };
  return { shapes: proposeShapes().map((shape) => ({ ...shape, condition })), conditions: covered };
}
