// Adam (arXiv 1412.6980) as graph nodes over one flat parameter vector; the moments are kept scaled.
import type { Value } from "../onnx/graph.ts";
import { add, averagePool, div, min, mul, reshape, sqrt, sub } from "../onnx/ops.ts";

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

interface AdamState {
  readonly params: Value;
  readonly momentum: Value;
  readonly variance: Value;
}

/** Scalars of one step, see `adamRates`. */
interface AdamRates {
  readonly rate: Value;
  readonly epsilon: Value;
}

/**
 * One step on the gradient of a **sum** over `batch` samples. The moments are kept as m·B/(1-β1) and v·B²/(1-β2), so
 * that neither the mean over the batch nor the factors (1-β) need a pass over the vector; `adamRates` undoes both.
 * @param gradient [1,n]
 * @param clipNorm upper bound of the norm of the mean gradient, which is scaled down beyond it
 */
export function stepAdam(
  state: AdamState,
  gradient: Value,
  options: AdamRates & { clipNorm: number; batch: number },
): AdamState {
  const n = gradient.shape[1] as number;
  // GlobalAveragePool has the faster kernel than ReduceSum.
  const meanSquare = averagePool(reshape(mul(gradient, gradient), [1, 1, n]));
  const bound = (options.clipNorm * options.batch) / Math.sqrt(n);
  // For a gradient of zeros the quotient is infinite, and the scale 1.
  const scale = reshape(min(div(bound, sqrt(meanSquare)), 1), [1]);
  const clipped = mul(gradient, scale);
  const momentum = add(mul(state.momentum, BETA1), clipped);
  const variance = add(mul(state.variance, BETA2), mul(clipped, clipped));
  const step = div(mul(momentum, options.rate), add(sqrt(variance), options.epsilon));
  return { params: sub(state.params, step), momentum, variance };
}

/**
 * Rate and epsilon of step `t` (from 1) for the scaled moments: the same update as Adam's own
 * `lr · m̂ / (√v̂ + ε)` on the mean gradient, with bias correction.
 */
export function adamRates(
  step: number,
  learningRate: number,
  batch: number,
): { rate: number; epsilon: number } {
  const correction2 = Math.sqrt(1 - BETA2 ** step);
  const rate = (learningRate * (1 - BETA1) * correction2) / (Math.sqrt(1 - BETA2) * (1 - BETA1 ** step));
  return { rate, epsilon: (EPSILON * batch * correction2) / Math.sqrt(1 - BETA2) };
}
