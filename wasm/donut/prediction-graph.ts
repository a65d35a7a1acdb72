// Prediction graph: MCMC imputation, then the distribution of a window's points (section 3.4 of the paper).
import { buildModel } from "../onnx/emit.ts";
import { Graph, type Value } from "../onnx/graph.ts";
import {
  add,
  concat,
  div,
  gather,
  gemm,
  log,
  mul,
  reshape,
  split,
  sqrt,
  sub,
  sum,
  transpose,
} from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";
import { parameterCount } from "./layout.ts";
import {
  denseColumns,
  denseRows,
  encode,
  type Gaussian,
  inputCondition,
  type Parameters,
  toDeviation,
  viewParameters,
  withCondition,
} from "./network.ts";

/** Points of a window to predict: `last` for scoring, `all` for imputation and batch scoring. */
export type Columns = "last" | "all";

/**
 * Inputs of a prediction: x, mask [N,W]; condition [N,C] where the shape has one; noise [Z,L]; walk [M,Z], one row per
 * MCMC iteration; iterations.
 */
interface PredictionInputs {
  readonly params: Parameters;
  readonly x: Value;
  /** 1 = observed, 0 = missing. */
  readonly mask: Value;
  readonly condition?: Value;
  /** Zeros select the mean of the latent. */
  readonly noise: Value;
  readonly walk: Value;
  /** int64 scalar. */
  readonly iterations: Value;
}

interface PredictionOptions {
  /** Latent samples L: columns of the noise. */
  readonly samples: number;
  readonly columns: Columns;
}

/**
 * Each [K·N] with K = 1 or W columns, point-major: mean and deviation of the predicted distribution over L latent
 * samples, and nll = -E_q[log p(x|z)], the negative reconstruction probability of the paper.
 */
export function predictWindows(
  inputs: PredictionInputs,
  shape: DonutShape,
  options: PredictionOptions,
): Record<"mean" | "deviation" | "nll", Value> {
  const { params, x, condition, noise } = inputs;
  const { samples } = options;
  const q = encode(params, withCondition(impute(inputs, shape), condition), shape);
  const sampled = sampleLatents(q, noise, { shape, samples });
  const latents = condition ? concat([sampled, repeatColumns(condition, samples)], 0) : sampled;
  const head = selectHead(params, x.node.graph, { shape, columns: options.columns });
  const px = decodeTransposed(params, latents, head);
  const observed = transpose(options.columns === "all" ? x : lastColumn(x, shape), [1, 0]);
  return summarise(px, observed, { columns: head.columns, samples });
}

/** A model whose inputs are those above, with the parameters as one vector `params` [n]; outputs as above. */
export function buildPredictionModel(shape: DonutShape, options: PredictionOptions): Uint8Array {
  const graph = new Graph();
  const condition = inputCondition(graph, shape, { rows: ["N"] });
  const inputs = {
    params: viewParameters(graph.input("params", [parameterCount(shape)]), shape),
    x: graph.input("x", ["N", shape.window]),
    mask: graph.input("mask", ["N", shape.window]),
    ...(condition && { condition }),
    noise: graph.input("noise", [shape.latent, options.samples]),
    walk: graph.input("walk", ["M", shape.latent]),
    iterations: graph.input("iterations", [], "int64"),
  };
  return buildModel(predictWindows(inputs, shape, options));
}

/** Reconstructs the window M times, each time replacing its missing points by the reconstruction. */
function impute(
  { params, x, mask, condition, walk, iterations }: PredictionInputs,
  shape: DonutShape,
): Value {
  const [meanKernel] = split(params["x.kernel"]!, 1, [shape.window, shape.window]);
  const [meanBias] = split(params["x.bias"]!, 1, [shape.window, shape.window]);
  const missing = sub(1, mask);
  const kept = mul(x, mask);
  const [imputed] = x.node.graph.loop(iterations, [x], (iteration, [current]) => {
    const q = encode(params, withCondition(current!, condition), shape);
    const z = add(q.mean, mul(q.deviation, gather(walk, iteration)));
    const hidden = denseRows(params, "d2", denseRows(params, "d1", withCondition(z, condition)));
    const reconstruction = gemm(hidden, meanKernel!, { bias: meanBias! });
    return [add(kept, mul(missing, reconstruction))];
  });
  return imputed!;
}

/** L samples of the latent of each window, transposed to [Z, N·L]: Gemm is fastest with the long axis last. */
function sampleLatents(
  q: Gaussian,
  noise: Value,
  { shape, samples }: { shape: DonutShape; samples: number },
): Value {
  const spread = reshape(noise, [shape.latent, 1, samples]);
  const column = (value: Value) => reshape(transpose(value, [1, 0]), [shape.latent, "N", 1]);
  return reshape(add(column(q.mean), mul(column(q.deviation), spread)), [shape.latent, "NL"]);
}

/** Repeats the condition [N,C] of each window for each of its samples: [C, N·L]. */
function repeatColumns(condition: Value, samples: number): Value {
  const { graph } = condition.node;
  const size = condition.shape[1]!;
  const column = reshape(transpose(condition, [1, 0]), [size, "N", 1]);
  const spread = graph.constant(new Array(samples).fill(0), [1, 1, samples]);
  return reshape(add(column, spread), [size, "NL"]);
}

interface Head {
  /** [H, 2K]: the means' columns, then the deviations'. */
  readonly kernel: Value;
  readonly bias: Value;
  readonly columns: number;
}

function selectHead(
  p: Parameters,
  graph: Graph,
  { shape, columns }: { shape: DonutShape; columns: Columns },
): Head {
  const { window: W } = shape;
  if (columns === "all") return { kernel: p["x.kernel"]!, bias: p["x.bias"]!, columns: W };
  const last = graph.constant([W - 1, 2 * W - 1], [2], "int64");
  return { kernel: gather(p["x.kernel"]!, last, 1), bias: gather(p["x.bias"]!, last, 1), columns: 1 };
}

/** p(x|z) for latents [Z, NL], below them the windows' condition: mean and deviation [columns, NL]. */
function decodeTransposed(p: Parameters, latents: Value, head: Head): Gaussian {
  const hidden = denseColumns(p, "d2", denseColumns(p, "d1", latents));
  const bias = reshape(head.bias, [2 * head.columns, 1]);
  const [mean, raw] = split(gemm(head.kernel, hidden, { bias, transA: true }), 0, [
    head.columns,
    head.columns,
  ]);
  return { mean: mean!, deviation: toDeviation(raw!) };
}

function lastColumn(x: Value, { window }: DonutShape): Value {
  return gather(x, x.node.graph.constant([window - 1], [1], "int64"), 1);
}

/** Averages over the samples; the variance of a mixture is the mean variance plus the variance of the means. */
function summarise(
  px: Gaussian,
  observed: Value,
  { columns, samples }: { columns: number; samples: number },
): Record<"mean" | "deviation" | "nll", Value> {
  const cube = (value: Value) => reshape(value, [columns, "N", samples]);
  const average = (value: Value) => mul(sum(value, [2]), 1 / samples);
  const flat = (value: Value) => reshape(value, ["KN"]);
  const mean = cube(px.mean);
  const deviation = cube(px.deviation);
  const center = average(mean);
  const offset = sub(mean, center);
  const variance = add(average(mul(deviation, deviation)), average(mul(offset, offset)));
  const z = div(sub(mean, reshape(observed, [columns, "N", 1])), deviation);
  const density = add(log(deviation), add(mul(mul(z, z), 0.5), 0.5 * Math.log(2 * Math.PI)));
  return { mean: flat(center), deviation: flat(sqrt(variance)), nll: flat(average(density)) };
}
