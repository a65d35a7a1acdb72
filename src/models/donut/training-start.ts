// What the training of a feature starts from: the network of a version that it goes on with, or shapes to try; pure.
import type { DonutShape } from "../../../wasm/protocol.ts";
import type { TrainInput } from "../kind.ts";
import { type Conditions, canKeepConditions, conditionSize, conditionsOf } from "./condition.ts";
import { networksOf, paramsOf } from "./parameters.ts";

export interface TrainingStart {
  readonly shapes: readonly DonutShape[];
  readonly conditions?: Conditions;
  /** Weights to go on from; one shape only. */
  readonly initial?: Float32Array;
}

/**
 * A network of another span, or of other conditions, than the settings now ask for is not gone on with: its kernels are
 * of another size, or mean other times.
 * @param proposeShapes shapes to try where it starts anew, conditions aside
 */
export function planStart(
  { settings, grid, overrides }: TrainInput,
  name: string,
  proposeShapes: () => readonly DonutShape[],
): TrainingStart {
  const taught = conditionsOf(settings, grid);
  const asked = conditionsOf(settings, { ...grid, length: Number.POSITIVE_INFINITY });
  const { from } = overrides;
  const known = from && networksOf(from).find((network) => network.name === name);
  const isSpanKept = typeof settings.span !== "number" || known?.shape.window === settings.span;
  if (known && isSpanKept && canKeepConditions(known.conditions, asked, taught)) {
    const { shape, conditions } = known;
    return { shapes: [shape], initial: paramsOf(from, known), ...(conditions && { conditions }) };
  }
  const condition = conditionSize(taught);
  if (condition === 0) return { shapes: proposeShapes() };
  return { shapes: proposeShapes().map((shape) => ({ ...shape, condition })), conditions: taught };
}
