// Layout of the parameters of a Donut network in one flat vector.
import type { DonutShape } from "../protocol.ts";

interface ParameterSlot {
  readonly name: string;
  readonly dims: readonly number[];
  readonly offset: number;
  readonly size: number;
}

/**
 * Positions of the parameters in the flat vector. `z` and `x` are merged heads: mean and raw deviation side by side, one
 * Gemm each. The last rows of the kernels of `e1` and `d1` are those of the condition; a bias is one row.
 */
export function layoutOf({
  window: W,
  hidden: H,
  latent: Z,
  condition: C = 0,
}: DonutShape): readonly ParameterSlot[] {
  const dims: readonly (readonly [string, readonly number[]])[] = [
    ["e1.kernel", [W + C, H]],
    ["e1.bias", [1, H]],
    ["e2.kernel", [H, H]],
    ["e2.bias", [1, H]],
    ["z.kernel", [H, 2 * Z]],
    ["z.bias", [1, 2 * Z]],
    ["d1.kernel", [Z + C, H]],
    ["d1.bias", [1, H]],
    ["d2.kernel", [H, H]],
    ["d2.bias", [1, H]],
    ["x.kernel", [H, 2 * W]],
    ["x.bias", [1, 2 * W]],
  ];
  let offset = 0;
  return dims.map(([name, dim]) => {
    const size = dim.reduce((a, b) => a * b, 1);
    offset += size;
    return { name, dims: dim, offset: offset - size, size };
  });
}

/** Cache key of the graphs of a shape. */
export function keyOf({ window, hidden, latent, condition = 0 }: DonutShape): string {
  return [window, hidden, latent, condition].join("|");
}

/** Length of the flat parameter vector. */
export function parameterCount(shape: DonutShape): number {
  return layoutOf(shape).reduce((sum, piece) => sum + piece.size, 0);
}
