// Model of the gradient of the loss over one batch, for tests.
import { parameterCount } from "../../../wasm/donut/layout.ts";
import { negativeElbo } from "../../../wasm/donut/training-graph.ts";
import { gradientsOf } from "../../../wasm/grad/reverse.ts";
import { buildModel } from "../../../wasm/onnx/emit.ts";
import { Graph } from "../../../wasm/onnx/graph.ts";
import type { DonutShape } from "../../../wasm/protocol.ts";

/** Inputs: params [n]; x, mask [batch,W]; noise [Z,batch]; condition [batch,C] where there is one. Output: gradient [n]. */
export function buildGradientModel(shape: DonutShape, batch: number): Uint8Array {
  const graph = new Graph();
  const flat = graph.input("params", [parameterCount(shape)]);
  const inputs = {
    x: graph.input("x", [batch, shape.window]),
    mask: graph.input("mask", [batch, shape.window]),
    noise: graph.input("noise", [shape.latent, batch]),
    ...(shape.condition && { condition: graph.input("condition", [batch, shape.condition]) }),
  };
  const [gradient] = gradientsOf(negativeElbo(flat, inputs, shape), [flat]);
  return buildModel({ gradient: gradient! });
}
