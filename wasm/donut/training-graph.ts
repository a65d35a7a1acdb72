// Training graph: many optimiser steps on the modified ELBO in one run (sections 3.2 and 3.3 of the paper).
import { stepAdam } from "../grad/adam.ts";
import { gradientsOf } from "../grad/reverse.ts";
import { buildModel } from "../onnx/emit.ts";
import { Graph, type Value } from "../onnx/graph.ts";
import { add, gather, gaussianNll, gemm, halfSquare, log, mul, reshape, sub, sum } from "../onnx/ops.ts";
import type { DonutShape } from "../protocol.ts";
import { layoutOf, parameterCount } from "./layout.ts";
import { decodeColumns, encodeColumns, inputCondition, viewParameters, withCondition } from "./network.ts";

interface TrainingGraphOptions {
  readonly batch: number;
  readonly clipNorm: number;
  readonly l2: number;
}

/** Windows x [B,W], masks a [B,W] (1 = observed), noise [Z,B], condition [B,C] where the shape has one. */
export interface Batch {
  readonly x: Value;
  readonly mask: Value;
  readonly noise: Value;
  readonly condition?: Value;
}

/**
 * The modified negative ELBO summed over a batch, without its constants:
 * Σ_w a_w · nll(x_w) + β·½Σz² - Σ log σ_z, with β the observed share of the window and z = μ + σ·ε (one sample).
 * @returns one element, [1,1]
 */
export function negativeElbo(params: Value, batch: Batch, shape: DonutShape): Value {
  const p = viewParameters(params, shape);
  const q = encodeColumns(p, withCondition(batch.x, batch.condition), shape);
  const z = add(q.mean, mul(q.deviation, batch.noise));
  const px = decodeColumns(p, z, batch.condition, shape);
  const reconstruction = gaussianNll(batch.x, px.mean, px.deviation, batch.mask);
  const weights = batch.mask.node.graph.constant(new Array(shape.window).fill(1 / shape.window), [
    1,
    shape.window,
  ]);
  const beta = gemm(weights, batch.mask, { transB: true });
  const prior = mul(halfSquare(z), beta);
  return add(sum(reconstruction, [0, 1]), sub(sum(prior, [0, 1]), sum(log(q.deviation), [0, 1])));
}

/**
 * Inputs: params, momentum, variance [1,n]; x, mask [S,B,W]; noise [S,Z,B]; condition [S,B,C] where the shape has
 * one; rate, epsilon [S]; steps (int64 scalar).
 * Outputs: params_out, momentum_out, variance_out [1,n]. The loss itself is not an output.
 */
export function buildTrainingModel(shape: DonutShape, options: TrainingGraphOptions): Uint8Array {
  const graph = new Graph();
  const n = parameterCount(shape);
  const { batch: B } = options;
  const state = ["params", "momentum", "variance"].map((name) => graph.input(name, [1, n]));
  const x = graph.input("x", ["S", B, shape.window]);
  const mask = graph.input("mask", ["S", B, shape.window]);
  const noise = graph.input("noise", ["S", shape.latent, B]);
  const condition = inputCondition(graph, shape, { rows: ["S", B] });
  const rates = graph.input("rate", ["S"]);
  const epsilons = graph.input("epsilon", ["S"]);
  const final = graph.loop(graph.input("steps", [], "int64"), state, (step, [params, momentum, variance]) => {
    const batch = {
      x: gather(x, step),
      mask: gather(mask, step),
      noise: gather(noise, step),
      ...(condition && { condition: gather(condition, step) }),
    };
    const elbo = negativeElbo(params!, batch, shape);
    const loss = options.l2 > 0 ? add(elbo, mul(sumKernelSquares(params!, shape), options.l2 * B)) : elbo;
    const [gradient] = gradientsOf(loss, [params!]);
    const rate = { rate: gather(rates, step), epsilon: gather(epsilons, step) };
    const next = stepAdam({ params: params!, momentum: momentum!, variance: variance! }, gradient!, {
      ...options,
      ...rate,
    });
    return [next.params, next.momentum, next.variance];
  });
  return buildModel({ params_out: final[0]!, momentum_out: final[1]!, variance_out: final[2]! });
}

/** Σ w² over the kernels, [1,1]: the L2 term of the loss. Biases do not decay. */
function sumKernelSquares(params: Value, shape: DonutShape): Value {
  const p = viewParameters(params, shape);
  const kernels = layoutOf(shape).filter(({ name }) => name.endsWith("kernel"));
  const squares = kernels.map(({ name }) => mul(sum(halfSquare(p[name]!), [0, 1]), 2));
  return squares.reduce((total, square) => add(total, square));
}

/**
 * Inputs: params [n]; x, mask [N,W]; noise [Z,N]; condition [N,C] where the shape has one.
 * Output: loss [1,1], the modified negative ELBO summed over N windows.
 */
export function buildValidationModel(shape: DonutShape): Uint8Array {
  const graph = new Graph();
  const params = graph.input("params", [parameterCount(shape)]);
  const condition = inputCondition(graph, shape, { rows: ["N"] });
  const batch = {
    x: graph.input("x", ["N", shape.window]),
    mask: graph.input("mask", ["N", shape.window]),
    noise: graph.input("noise", [shape.latent, "N"]),
    ...(condition && { condition }),
  };
  return buildModel({ loss: reshape(negativeElbo(params, batch, shape), [1, 1]) });
}
