// Gaussian bands around the expectation of a network.
import { bandWidth } from "../stats/normal.ts";

/** Expectation of one feature, per interval, in units of the data. */
export interface Expectation {
  readonly name: string;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

/** Predicted values and the edges of a band, per interval, in units of the data. */
export interface Band {
  readonly predicted: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Gaussian band of confidence `level`. */
export function toBand({ mean, deviation }: Pick<Expectation, "mean" | "deviation">, level: number): Band {
  const width = bandWidth(level);
  const edge = (sign: number) => mean.map((value, i) => value + sign * width * deviation[i]!);
  return { predicted: mean, lower: edge(-1), upper: edge(1) };
}
