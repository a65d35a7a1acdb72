// Series with obvious anomalies, for stateless detections.
import type { DetectInput } from "../../../src/models/stateless/detection.ts";
import { detectPeriod } from "../../../src/models/stats/period.ts";
import { createRandom } from "../../../wasm/random.ts";

export const { signal } = new AbortController();

/** Values of `make(i, noise)`, with normal noise of deviation 1 from a seed. */
export function makeSeries(
  length: number,
  make: (i: number, noise: number) => number,
  seed = 5,
): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length }, (_, i) => make(i, random.normal()));
}

export const wave = (i: number, period: number) => 10 * Math.sin((2 * Math.PI * i) / period);

/** With the period that is in it, and the defaults of the interface. */
export function toInput(column: Float64Array, over: Partial<DetectInput> = {}): DetectInput {
  return {
    column,
    period: detectPeriod(column).period,
    sensitivity: 95,
    maxAnomalyRatio: 0.25,
    anomalyType: "low_high",
    ...over,
  };
}
