// Donut's network (arXiv 1802.03903, section 3.1): parameters in one flat vector, encoder and decoder as expressions.
import type { Value } from "../onnx/graph.ts";
import { add, gemm, relu, reshape, softplus, split } from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";

/** Floor of every standard deviation, as in the paper: keeps the density bounded. */
export const MIN_DEVIATION = 1e-4;

export interface Piece {
  readonly name: string;
  readonly dims: readonly number[];
  readonly offset: number;
  readonly size: number;
}

/**
 * Places of the parameters in the flat vector. `z` and `x` are merged heads: mean and raw deviation side by side,
 * one Gemm each.
 */
export function layoutOf({ window: W, hidden: H, latent: Z }: DonutShape): readonly Piece[] {
  const dims: readonly (readonly [string, readonly number[]])[] = [
    ["e1.kernel", [W, H]],
    ["e1.bias", [H]],
    ["e2.kernel", [H, H]],
    ["e2.bias", [H]],
    ["z.kernel", [H, 2 * Z]],
    ["z.bias", [2 * Z]],
    ["d1.kernel", [Z, H]],
    ["d1.bias", [H]],
    ["d2.kernel", [H, H]],
    ["d2.bias", [H]],
    ["x.kernel", [H, 2 * W]],
    ["x.bias", [2 * W]],
  ];
  let offset = 0;
  return dims.map(([name, dim]) => {
    const size = dim.reduce((a, b) => a * b, 1);
    offset += size;
    return { name, dims: dim, offset: offset - size, size };
  });
}

/** Length of the flat parameter vector. */
export function parameterCount(shape: DonutShape): number {
  return layoutOf(shape).reduce((sum, piece) => sum + piece.size, 0);
}

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

/** q(z|x) for windows x [B,W]: two [B,Z]. */
export function encode(p: Parameters, x: Value, { latent }: DonutShape): Gaussian {
  const hidden = dense(p, "e2", dense(p, "e1", x));
  return toGaussian(gemm(hidden, p["z.kernel"]!, { bias: p["z.bias"]! }), latent);
}

/** p(x|z) for latents z [B,Z]: two [B,W]. */
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
  return add(softplus(raw), MIN_DEVIATION);
}
