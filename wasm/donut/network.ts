// Donut's network (arXiv 1802.03903, section 3.1): encoder and decoder, over samples in rows or in columns.
import type { Graph, Shape, Value } from "../onnx/graph.ts";
import type { DataType } from "../onnx/model.ts";
import { concat, gemm, relu, reshape, softplus, split, transpose } from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";
import { layoutOf, parameterCount } from "./layout.ts";

/** Floor of every standard deviation, as in the paper: keeps the density bounded. */
export const MIN_DEVIATION = 1e-4;

export type Parameters = Readonly<Record<string, Value>>;

/** The parameters as views into the flat vector, [n] or [1,n]: nothing is copied. */
export function viewParameters(flat: Value, shape: DonutShape): Parameters {
  const layout = layoutOf(shape);
  const parts = split(
    reshape(flat, [1, parameterCount(shape)]),
    1,
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

/** Appends the condition to windows or latents in rows: [B,N] and [B,C] become [B,N+C]; unchanged without one. */
export function withCondition(value: Value, condition: Value | undefined): Value {
  return concat(condition ? [value, condition] : [value], 1);
}

/** q(z|x) for windows x [B,W], with their condition [B,W+C]: two [B,Z]. */
export function encode(p: Parameters, x: Value, { latent }: DonutShape): Gaussian {
  const hidden = denseRows(p, "e2", denseRows(p, "e1", x));
  return toGaussian(gemm(hidden, p["z.kernel"]!, { bias: p["z.bias"]! }), { size: latent, axis: 1 });
}

/** The same for batches, two [Z,B]: Gemm is fastest with the long axis last. */
export function encodeColumns(p: Parameters, x: Value, { latent }: DonutShape): Gaussian {
  const first = relu(gemm(p["e1.kernel"]!, x, { bias: biasColumn(p, "e1"), transA: true, transB: true }));
  const hidden = denseColumns(p, "e2", first);
  const head = gemm(p["z.kernel"]!, hidden, { bias: biasColumn(p, "z"), transA: true });
  return toGaussian(head, { size: latent, axis: 0 });
}

/** p(x|z) for latents z [Z,B], with their condition [B,C]: two [B,W]. */
export function decodeColumns(
  p: Parameters,
  z: Value,
  condition: Value | undefined,
  { window }: DonutShape,
): Gaussian {
  const latents = condition ? concat([z, transpose(condition, [1, 0])], 0) : z;
  const hidden = denseColumns(p, "d2", denseColumns(p, "d1", latents));
  const head = gemm(hidden, p["x.kernel"]!, { bias: p["x.bias"]!, transA: true });
  return toGaussian(head, { size: window, axis: 1 });
}

/** A hidden layer over samples in rows, [B,K] to [B,H]: for few samples. */
export function denseRows(p: Parameters, layer: string, x: Value): Value {
  return relu(gemm(x, p[`${layer}.kernel`]!, { bias: p[`${layer}.bias`]! }));
}

/** A hidden layer over samples in columns, [K,B] to [H,B]: for many samples. */
export function denseColumns(p: Parameters, layer: string, x: Value): Value {
  return relu(gemm(p[`${layer}.kernel`]!, x, { bias: biasColumn(p, layer), transA: true }));
}

function biasColumn(p: Parameters, layer: string): Value {
  const bias = p[`${layer}.bias`]!;
  return reshape(bias, [bias.shape[1]!, 1]);
}

function toGaussian(head: Value, { size, axis }: { size: number; axis: number }): Gaussian {
  const [mean, raw] = split(head, axis, [size, size]);
  return { mean: mean!, deviation: toDeviation(raw!) };
}

export function toDeviation(raw: Value): Value {
  return softplus(raw, MIN_DEVIATION);
}
