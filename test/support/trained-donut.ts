// A trained Donut version that was never trained: small, valid, with weights of a known pattern.
import type { ModelSettings } from "../../src/core/model/model.ts";
import type { FeatureNetwork } from "../../src/models/donut/parameters.ts";
import { parameterCount } from "../../wasm/donut/layout.ts";
import { createRandom } from "../../wasm/random.ts";
import { aModel } from "./builders.ts";

export const shape = { window: 6, hidden: 4, latent: 2 };
const SIZE = parameterCount(shape);

export function makeSettings(features: readonly string[]): ModelSettings {
  return aModel({ features: features.map((name) => ({ name, metric: "avg", field: name })) });
}

function makeNetwork(name: string, index: number): FeatureNetwork {
  return {
    name,
    shape,
    offset: index * SIZE,
    size: SIZE,
    standardisation: { mean: 10 + index, deviation: 1 / 3 },
    tail: { quantiles: [-1, 0, 0, 1.5], share: 0.02, threshold: 2, shape: 0.1, scale: 0.7 },
    forecastWidening: 1.25,
    loss: -0.1,
  };
}

/** One network per feature. */
export function makeVersion(features: readonly string[]) {
  const random = createRandom(7);
  return {
    settings: makeSettings(features),
    parameters: { features: features.map(makeNetwork) },
    weights: Float32Array.from({ length: SIZE * features.length }, () => random.normal()),
    summary: { loss: -0.1, span: 6, points: 100 },
    fromAt: 0,
    toAt: 6_000_000,
  };
}

/** What is fitted to a series of a fleet: one network per feature, without what the fleet holds. */
export function makeSeriesParameters(features: readonly string[], loss = -0.1) {
  return {
    features: features.map((name, i) => {
      const { shape: _shape, offset: _offset, size: _size, ...own } = makeNetwork(name, i);
      return { ...own, loss };
    }),
  };
}
