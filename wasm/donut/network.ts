// Donut's network (arXiv 1802.03903, section 3.1): encoder and decoder as expressions.
import type { Graph, Shape, Value } from "../onnx/graph.ts";
import type { DataType } from "../onnx/model.ts";
import { concat, gemm, relu, reshape, softplus, split } from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";
import { layoutOf } from "./layout.ts";

/** Floor of every standard deviation, as in the paper: keeps the density bounded. */
export const MIN_DEVIATION = 1e-4;

export type Parameters = Readonly<Record<string, Value>>;

/** The parameters as views into the flat vector: nothing is copied. */
export function viewParameters(flat: Value, shape: DonutShape): Parameters {
  const layout = layoutOf(shape);
  const parts = split(
    flat,
    0,
    layout.map((piece) => piece.size),
  );
  return Object.fromEntries(layout.map((piece, i) => [piece.name, reshape(parts[i]!, piece.dims)]));
}

/** Mean and standard deviation of a diagonal Gaussian. */
export interface Gaussian {
  readonly mean: Value;
  readonly deviation: Value;
}

/** Input `condition` [...rows, C]; undefined where the shape has none. */
export function inputCondition(
  graph: Graph,
  { condition = 0 }: DonutShape,
  { rows, type = "float" }: { readonly rows: Shape; readonly type?: DataType },
): Value | undefined {
  return condition > 0 ? graph.input("condition", [...rows, condition], type) : undefined;
}

/** Windows or latents with the condition they come with: [B,N] and [B,C] become [B,N+C]; without one, as they are. */
export function withCondition(value: Value, condition: Value | undefined): Value {
  return concat(condition ? [value, condition] : [value], 1);
}

/** q(z|x) for windows x [B,W], with their condition [B,W+C]: two [B,Z]. */
export function encode(p: Parameters, x: Value, { latent }: DonutShape): Gaussian {
  const hidden = dense(p, "e2", dense(p, "e1", x));
  return toGaussian(gemm(hidden, p["z.kernel"]!, { bias: p["z.bias"]! }), latent);
}

/** p(x|z) for latents z [B,Z], with the windows' condition [B,Z+C]: two [B,W]. */
export function decode(p: Parameters, z: Value, { window }: DonutShape): Gaussian {
  const hidden = dense(p, "d2", dense(p, "d1", z));
  return toGaussian(gemm(hidden, p["x.kernel"]!, { bias: p["x.bias"]! }), window);
}

function dense(p: Parameters, layer: string, x: Value): Value {
  return relu(gemm(x, p[`${layer}.kernel`]!, { bias: p[`${layer}.bias`]! }));
}

function toGaussian(head: Value, size: number): Gaussian {
  const [mean, raw] = split(head, 1, [size, size]);
  return { mean: mean!, deviation: toDeviation(raw!) };
}

export function toDeviation(raw: Value): Value {
  return softplus(raw, MIN_DEVIATION);
}
