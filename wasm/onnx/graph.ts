// Symbolic values and their graphs: equal expressions are built once, unused ones never emitted.
import type { Attribute, DataType, TensorMessage } from "./model.ts";

/** A number, or the name of a dynamic dimension. */
export type Dim = number | string;
export type Shape = readonly Dim[];
/** Attributes of a node; those that start with `_` are for the shape rule and not emitted. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** One row of the op table (ops.ts). */
export interface Op {
  readonly name: string;
  /** ONNX operator; absent for ops with `expand`. */
  readonly onnx?: string;
  /** Shapes of the results. @throws Error if the inputs do not fit */
  readonly shapes: (inputs: readonly Value[], attributes: Attributes) => readonly Shape[];
  /** Type of the results; absent: that of the first input. */
  readonly type?: (inputs: readonly Value[], attributes: Attributes) => DataType;
  /** The same result in simpler ops, where ONNX Runtime has no (fast) kernel. */
  readonly expand?: (inputs: readonly Value[], attributes: Attributes) => Value;
}

/** One result of one node. */
export interface Value {
  readonly node: Node;
  readonly index: number;
  readonly shape: Shape;
  readonly type: DataType;
}

export interface Node {
  readonly id: number;
  readonly op: Op | "input" | "constant" | "loop";
  readonly graph: Graph;
  readonly inputs: readonly Value[];
  readonly attributes: Attributes;
  readonly outputs: readonly Value[];
  readonly expansion?: Value;
  readonly tensor?: Omit<TensorMessage, "name">;
  readonly body?: LoopBody;
}

/** Body of an ONNX Loop: inputs are (iteration, condition, carried...), outputs (condition, carried...). */
export interface LoopBody {
  readonly graph: Graph;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

type NodeParts = Pick<Node, "op" | "inputs" | "attributes"> &
  Partial<Pick<Node, "expansion" | "tensor" | "body">>;

/** A scope of nodes. The body of a loop is a graph that also reads the values of the outer ones. */
export class Graph {
  readonly depth: number;
  readonly #known = new Map<string, Node>();
  readonly #counter: { next: number };

  constructor(readonly parent?: Graph) {
    this.depth = parent ? parent.depth + 1 : 0;
    this.#counter = parent ? parent.#counter : { next: 0 };
  }

  /** A model input. */
  input(name: string, shape: Shape, type: DataType = "float"): Value {
    return this.#create({ op: "input", inputs: [], attributes: { name } }, [shape], type).outputs[0]!;
  }

  /** A constant tensor, stored in the outermost graph and shared by value. */
  constant(
    values: readonly number[],
    dims: readonly number[] = [values.length],
    type: DataType = "float",
  ): Value {
    if (this.parent) return this.parent.constant(values, dims, type);
    const parts: NodeParts = { op: "constant", inputs: [], attributes: {}, tensor: { type, dims, values } };
    const node = this.#recall(`constant|${type}|${dims}|${values}`, () => this.#create(parts, [dims], type));
    return node.outputs[0]!;
  }

  /** A constant tensor that is named in the model: a trained parameter. */
  parameter(name: string, dims: readonly number[], values: Float32Array): Value {
    const parts: NodeParts = {
      op: "constant",
      inputs: [],
      attributes: { name },
      tensor: { type: "float", dims, values },
    };
    return this.#create(parts, [dims], "float").outputs[0]!;
  }

  /** The results of the op over these inputs, of a new node or of an equal existing one. */
  apply(op: Op, inputs: readonly Value[], attributes: Attributes): readonly Value[] {
    const key = `${op.name}|${inputs.map((value) => `${value.node.id}.${value.index}`)}|${JSON.stringify(attributes)}`;
    return this.#recall(key, () => {
      const shapes = op.shapes(inputs, attributes);
      const expansion = op.expand?.(inputs, attributes);
      const type = op.type?.(inputs, attributes) ?? inputs[0]!.type;
      return this.#create({ op, inputs, attributes, ...(expansion && { expansion }) }, shapes, type);
    }).outputs;
  }

  /**
   * ONNX Loop: runs `body` `trips` (int64 scalar) times over the carried values.
   * @returns the carried values after the last iteration
   */
  loop(
    trips: Value,
    initial: readonly Value[],
    body: (iteration: Value, carried: readonly Value[]) => readonly Value[],
  ): readonly Value[] {
    const graph = new Graph(this);
    const iteration = graph.input("iteration", [], "int64");
    const condition = graph.input("condition", [], "bool");
    const carried = initial.map((value) => graph.input("carried", value.shape, value.type));
    const next = body(iteration, carried);
    for (const [i, value] of next.entries()) assertSameShape("loop", value.shape, initial[i]!.shape);
    const loopBody = { graph, inputs: [iteration, condition, ...carried], outputs: [condition, ...next] };
    const parts: NodeParts = { op: "loop", inputs: [trips, ...initial], attributes: {}, body: loopBody };
    return this.#create(
      parts,
      initial.map((value) => value.shape),
      "float",
    ).outputs;
  }

  #recall(key: string, make: () => Node): Node {
    const node = this.#known.get(key) ?? make();
    this.#known.set(key, node);
    return node;
  }

  #create(parts: NodeParts, shapes: readonly Shape[], type: DataType): Node {
    const outputs: Value[] = [];
    const node: Node = { ...parts, id: this.#counter.next++, graph: this, outputs };
    for (const [index, shape] of shapes.entries()) outputs.push({ node, index, shape, type });
    return node;
  }
}

/** Applies an op in the innermost graph of its inputs, so that loop invariants stay outside of the loop. */
export function applyAll(op: Op, inputs: readonly Value[], attributes: Attributes = {}): readonly Value[] {
  const graph = inputs.map((value) => value.node.graph).reduce((a, b) => (b.depth > a.depth ? b : a));
  return graph.apply(op, inputs, attributes);
}

/** `applyAll` for ops with one result. */
export function apply(op: Op, inputs: readonly Value[], attributes: Attributes = {}): Value {
  return applyAll(op, inputs, attributes)[0]!;
}

/** @throws Error naming both shapes: a bug in the network's code */
function assertSameShape(what: string, a: Shape, b: Shape): void {
  if (a.length !== b.length || a.some((dim, i) => dim !== b[i])) {
    throw new Error(`${what}: shape must be [${b}], got [${a}]`);
  }
}

/** Like `assertSameShape`, but dimensions of `a` may be 1. */
export function assertBroadcastable(what: string, a: Shape, b: Shape): void {
  if (a.length !== b.length || a.some((dim, i) => dim !== b[i] && dim !== 1)) {
    throw new Error(`${what}: shape [${a}] cannot be broadcast to [${b}]`);
  }
}
