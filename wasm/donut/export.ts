// Export graph: a trained network as a standalone ONNX model, from raw windows to densities and scores.
import { buildModel } from "../onnx/emit.ts";
import { Graph, type Value } from "../onnx/graph.ts";
import {
  add,
  cast,
  div,
  exp,
  gather,
  isNan,
  less,
  log,
  max,
  min,
  mul,
  pow,
  reshape,
  sub,
  sum,
  transpose,
  where,
} from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";
import { createRandom, normals } from "../random.ts";
import { layoutOf } from "./layout.ts";
import { inputCondition } from "./network.ts";
import { predictWindows } from "./prediction-graph.ts";

/** Tail of the nll of normal points: ranks among `quantiles` up to `threshold`, a generalised Pareto beyond it. */
interface ExportTail {
  readonly quantiles: readonly number[];
  readonly threshold: number;
  /** Share of points above the threshold. */
  readonly share: number;
  readonly shape: number;
  readonly scale: number;
}

export interface ExportInput {
  readonly shape: DonutShape;
  readonly params: Float32Array;
  /** The input of the network is (value - mean) / deviation, clipped to -limit..limit. */
  readonly standardisation: { readonly mean: number; readonly deviation: number; readonly limit: number };
  readonly tail: ExportTail;
  /** Directions that count; other deviations score 0. */
  readonly counts: "low" | "high" | "low_high";
  /** Decades of probability from score 0 to score 100. */
  readonly decades: number;
  /** MCMC iterations, and the seed of their noise. */
  readonly iterations: number;
  readonly seed: number;
  readonly about: {
    readonly producerVersion: string;
    readonly description: string;
    readonly properties: Readonly<Record<string, string>>;
  };
}

const descriptions = {
  window:
    "N windows of W consecutive values, oldest first, in units of the data; NaN = missing, which is imputed",
  condition:
    "Conditions of each window, [N,C], encoded from the local time of its last value as the properties describe",
  nll: "Negative log density of the last value of each window; NaN where it is missing",
  score:
    "0..100 by the tail probability p of nll over normal data, 100 * min(1, -log10(p) / 6); NaN where nll is",
  mean: "Expected values, in units of the data",
  std: "Standard deviations of the expected values, in units of the data",
};

/**
 * Input `window` [N,W], and `condition` [N,C] where the shape has one; outputs `nll` and `score` [N], `mean` and `std`
 * [N,W]; all of them double, as floats lose digits of large counters. Scores are those at the mean of the latent.
 */
export function buildExport(input: ExportInput): Uint8Array {
  const graph = new Graph();
  const window = graph.input("window", ["N", input.shape.window], "double");
  // Infinities count as missing too: inf - inf is NaN.
  const missing = isNan(sub(window, window));
  const condition = inputCondition(graph, input.shape, { rows: ["N"], type: "double" });
  const units = predictInUnits(input, graph, {
    ...standardise(input, window, missing),
    ...(condition && { condition: cast(condition, "float") }),
  });
  const last = (value: Value) => gather(value, graph.constant([input.shape.window - 1], [], "int64"), 1);
  const difference = sub(last(window), last(units.mean));
  const score = scoreOf(input, units.nll, difference);
  const known = (value: Value) => where(last(missing), Number.NaN, value);
  const outputs = {
    nll: known(add(units.nll, Math.log(input.standardisation.deviation))),
    score: known(score),
    mean: units.mean,
    std: units.deviation,
  };
  return buildModel(outputs, { ...input.about, values: descriptions });
}

interface Masked {
  readonly x: Value;
  readonly mask: Value;
}

function standardise({ standardisation }: ExportInput, window: Value, missing: Value): Masked {
  const { mean, deviation, limit } = standardisation;
  const z = max(
    min(div(sub(window, constantLike(mean, window)), constantLike(deviation, window)), limit),
    -limit,
  );
  return { x: cast(where(missing, 0, z), "float"), mask: sub(1, cast(missing, "float")) };
}

/** Mean and deviation [N,W] in units of the data; nll [N] of the last point, standardised. */
function predictInUnits(
  { shape, params: flat, iterations, seed, standardisation }: ExportInput,
  graph: Graph,
  seen: Masked & { readonly condition?: Value },
): Record<"mean" | "deviation" | "nll", Value> {
  const params = Object.fromEntries(
    layoutOf(shape).map(({ name, dims, offset, size }) => [
      name,
      graph.parameter(name, dims, flat.subarray(offset, offset + size)),
    ]),
  );
  const { latent, window } = shape;
  const rows = Math.max(1, iterations);
  const predicted = predictWindows(
    {
      params,
      ...seen,
      noise: graph.constant(new Array(latent).fill(0), [latent, 1]),
      walk: graph.constant([...normals(rows * latent, createRandom(seed))], [rows, latent]),
      iterations: graph.constant([iterations], [], "int64"),
    },
    shape,
    { samples: 1, columns: "all" },
  );
  const perWindow = (value: Value) => cast(transpose(reshape(value, [window, "N"]), [1, 0]), "double");
  const { mean, deviation } = standardisation;
  return {
    mean: add(mul(perWindow(predicted.mean), deviation), mean),
    deviation: mul(perWindow(predicted.deviation), deviation),
    nll: gather(perWindow(predicted.nll), graph.constant([window - 1], [], "int64"), 1),
  };
}

/** Scores of standardised densities [N]; 0 where the direction does not count. */
function scoreOf({ tail, counts, decades }: ExportInput, nll: Value, difference: Value): Value {
  const probability = where(
    less(constantLike(tail.threshold, nll), nll),
    tailOf(tail, nll),
    bulkOf(tail, nll),
  );
  const score = max(min(mul(log(probability), -100 / (decades * Math.LN10)), 100), 0);
  if (counts === "low_high") return score;
  const isLow = less(difference, 0);
  return counts === "low" ? where(isLow, score, 0) : where(isLow, 0, score);
}

function tailOf({ threshold, share, shape, scale }: ExportTail, nll: Value): Value {
  const excess = max(div(sub(nll, constantLike(threshold, nll)), constantLike(scale, nll)), 0);
  const beyond = shape < 1e-9 ? exp(mul(excess, -1)) : pow(add(mul(excess, shape), 1), -1 / shape);
  return mul(beyond, share);
}

/** Empirical tail: one minus the share of quantiles below. */
function bulkOf({ quantiles, share }: ExportTail, nll: Value): Value {
  const { graph } = nll.node;
  const below = less(graph.constant(quantiles, [1, quantiles.length], "double"), reshape(nll, ["N", 1]));
  const count = reshape(sum(cast(below, "double"), [1]), ["N"]);
  return max(sub(1, div(count, constantLike(quantiles.length, count))), share);
}

function constantLike(value: number, beside: Value): Value {
  return beside.node.graph.constant([value], [], beside.type);
}
