// Helper that builds and runs small graphs in tests.
import { buildModel } from "../../wasm/onnx/emit.ts";
import { Graph, type Value } from "../../wasm/onnx/graph.ts";
import { type Feed, Session } from "../../wasm/ort.ts";

export interface TestTensor {
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** The outputs of the graph that `build` draws over inputs of the given tensors. */
export async function evaluate(
  tensors: readonly TestTensor[],
  build: (inputs: readonly Value[], graph: Graph) => Readonly<Record<string, Value>>,
): Promise<Readonly<Record<string, number[]>>> {
  const graph = new Graph();
  const inputs = tensors.map(({ dims }, i) => graph.input(`in${i}`, dims));
  const session = await Session.create(buildModel(build(inputs, graph)));
  const used = Object.fromEntries(
    tensors.map(({ dims, data }, i): [string, Feed] => [`in${i}`, { dims, data: Float32Array.from(data) }]),
  );
  const feeds = Object.fromEntries(
    Object.entries(used).filter(([name]) => session.inputNames.includes(name)),
  );
  const results = await session.run(feeds);
  await session.release();
  return Object.fromEntries(Object.entries(results).map(([name, data]) => [name, Array.from(data)]));
}

export function tensor(dims: readonly number[], data: readonly number[]): TestTensor {
  return { dims, data };
}
