// Emits the reachable part of a graph as an ONNX model: each node once, inputs first, expansions in place.
import type { Graph, LoopBody, Node, Value } from "./graph.ts";
import {
  encodeModel,
  type GraphMessage,
  type ModelAbout,
  type NodeMessage,
  type TensorMessage,
  type ValueMessage,
} from "./model.ts";

/**
 * The model that computes `outputs` (by name) from the inputs they depend on. Results carry the names of the outputs,
 * as an Identity would copy them.
 */
export function buildModel(outputs: Readonly<Record<string, Value>>, about?: Documentation): Uint8Array {
  const names = new Map(Object.entries(outputs).map(([name, value]) => [resolve(value), name]));
  if (names.size !== Object.keys(outputs).length) throw new Error("two outputs share one value");
  const graph = new Emission(names).emitGraph("torus", Object.values(outputs));
  const explain = (value: ValueMessage): ValueMessage => {
    const description = about?.values[value.name];
    return description === undefined ? value : { ...value, description };
  };
  const { inputs, outputs: results } = graph;
  const explained = { ...graph, inputs: inputs.map(explain), outputs: results.map(explain) };
  return encodeModel(explained, about);
}

/** Documentation of a model, and of its inputs and outputs by name. */
export interface Documentation extends ModelAbout {
  readonly values: Readonly<Record<string, string>>;
}

/** Follows expansions down to the emitted value. */
function resolve(value: Value): Value {
  return value.node.expansion ? resolve(value.node.expansion) : value;
}

class Emission {
  constructor(private readonly names: ReadonlyMap<Value, string>) {}

  emitGraph(name: string, outputs: readonly Value[], body?: LoopBody): GraphMessage {
    const graph = body?.graph ?? rootOf(outputs[0]!.node.graph);
    const nodes: NodeMessage[] = [];
    const initializers: TensorMessage[] = [];
    const inputs: Value[] = [...(body?.inputs ?? [])];
    for (const node of reachable(outputs, graph)) {
      if (node.op === "constant")
        initializers.push({ ...node.tensor!, name: this.#nameOf(node.outputs[0]!) });
      else if (node.op !== "input") nodes.push(this.#emitNode(node));
      else if (!body) inputs.push(node.outputs[0]!);
    }
    const results = outputs.map((value) => this.#describe(resolve(value)));
    return {
      name,
      nodes,
      initializers,
      inputs: inputs.map((value) => this.#describe(value)),
      outputs: results,
    };
  }

  #emitNode(node: Node): NodeMessage {
    const inputs = node.inputs.map((value) => this.#nameOf(resolve(value)));
    const outputs = node.outputs.map((value) => this.#nameOf(value));
    if (node.body) return this.#emitLoop(node.body, inputs, outputs);
    const op = node.op as Exclude<Node["op"], string>;
    if (!op.onnx) throw new Error(`op ${op.name} has neither a kernel nor an expansion`);
    const emitted = Object.entries(node.attributes).filter(([name]) => !name.startsWith("_"));
    return { op: op.onnx, inputs, outputs, attributes: Object.fromEntries(emitted) };
  }

  #emitLoop(body: LoopBody, inputs: readonly string[], outputs: readonly string[]): NodeMessage {
    const graph = this.emitGraph("body", body.outputs, body);
    // The empty name in second place leaves out Loop's optional first condition.
    return {
      op: "Loop",
      inputs: [inputs[0]!, "", ...inputs.slice(1)],
      outputs,
      attributes: { body: { graph } },
    };
  }

  #nameOf(value: Value): string {
    const { node } = value;
    const isNamed = node.attributes.name !== undefined && !node.graph.parent;
    return this.names.get(value) ?? (isNamed ? String(node.attributes.name) : `v${node.id}_${value.index}`);
  }

  #describe(value: Value): ValueMessage {
    return { name: this.#nameOf(value), type: value.type, dims: value.shape };
  }
}

function rootOf(graph: Graph): Graph {
  return graph.parent ? rootOf(graph.parent) : graph;
}

/** Nodes of `graph` that `outputs` depend on, in topological order. */
function reachable(outputs: readonly Value[], graph: Graph): readonly Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  const visit = (value: Value): void => {
    const { node } = resolve(value);
    if (seen.has(node)) return;
    seen.add(node);
    for (const input of node.inputs) visit(input);
    // A loop also depends on the outer values that its body reads.
    for (const output of node.body?.outputs ?? []) visit(output);
    if (node.graph === graph) order.push(node);
  };
  for (const output of outputs) visit(output);
  return order;
}
