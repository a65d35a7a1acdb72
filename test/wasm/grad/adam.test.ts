// Adam as graph nodes against the definition in its paper, clipping included.
import { expect, test } from "bun:test";
import { adamRates, stepAdam } from "../../../wasm/grad/adam.ts";
import { evaluate, tensor } from "../support.ts";

const BATCH = 4;
const RATE = 0.01;

interface State {
  params: number[];
  m: number[];
  v: number[];
}

/** Algorithm 1 of arXiv 1412.6980 on the mean gradient. */
function plainAdam(
  state: State,
  sumGradient: readonly number[],
  { step, clipNorm }: { step: number; clipNorm: number },
): State {
  const mean = sumGradient.map((g) => g / BATCH);
  const norm = Math.hypot(...mean);
  const g = mean.map((value) => value * Math.min(1, clipNorm / norm));
  const m = state.m.map((value, i) => 0.9 * value + 0.1 * g[i]!);
  const v = state.v.map((value, i) => 0.999 * value + 0.001 * g[i]! ** 2);
  const params = state.params.map((value, i) => {
    const mHat = m[i]! / (1 - 0.9 ** step);
    const vHat = v[i]! / (1 - 0.999 ** step);
    return value - (RATE * mHat) / (Math.sqrt(vHat) + 1e-8);
  });
  return { params, m, v };
}

for (const clipNorm of [1000, 0.5]) {
  test(`three steps are Adam's own (gradient norm clipped at ${clipNorm})`, async () => {
    const gradients = [
      [1, -2, 0.5],
      [0.2, 4, -1],
      [-3, 0.1, 2],
    ];
    let expected: State = { params: [1, 2, 3], m: [0, 0, 0], v: [0, 0, 0] };
    let actual = { params: [1, 2, 3], momentum: [0, 0, 0], variance: [0, 0, 0] };
    for (const [i, gradient] of gradients.entries()) {
      expected = plainAdam(expected, gradient, { step: i + 1, clipNorm });
      const { rate, epsilon } = adamRates(i + 1, RATE, BATCH);
      const inputs = [actual.params, actual.momentum, actual.variance, gradient].map((data) =>
        tensor([1, 3], data),
      );
      const out = await evaluate(inputs, ([params, momentum, variance, g], graph) => ({
        ...stepAdam({ params: params!, momentum: momentum!, variance: variance! }, g!, {
          rate: graph.constant([rate], []),
          epsilon: graph.constant([epsilon], []),
          clipNorm,
          batch: BATCH,
        }),
      }));
      actual = { params: out.params!, momentum: out.momentum!, variance: out.variance! };
    }
    for (const [i, value] of expected.params.entries()) expect(actual.params[i]!).toBeCloseTo(value, 5);
  });
}
