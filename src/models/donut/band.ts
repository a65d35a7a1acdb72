// Gaussian bands around the expectation of a network.
import type { Prediction } from "../kind.ts";
import { bandWidth } from "../stats/normal.ts";

/** Expectation of one feature, per interval, in units of the data. */
export interface Expectation {
  readonly name: string;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** Predictions with Gaussian bands of confidence `level`. */
export function toBands(
  features: readonly Expectation[],
  level: number,
): Pick<Prediction, "predicted" | "lower" | "upper"> {
  const width = bandWidth(level);
  const edge = (sign: number) =>
    Object.fromEntries(
      features.map(({ name, mean, deviation }) => [
        name,
        mean.map((value, i) => value + sign * width * deviation[i]!),
      ]),
    );
  return { predicted: edge(0), lower: edge(-1), upper: edge(1) };
}
