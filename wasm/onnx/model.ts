// ONNX messages (onnx.proto3) encoded as protobuf: nodes, tensors, graphs and models.
import { MessageWriter } from "./wire.ts";

export type DataType = "float" | "int64" | "bool" | "double";
/** TensorProto.DataType. */
export const dataTypeCodes: Readonly<Record<DataType, number>> = { float: 1, int64: 7, bool: 9, double: 11 };

export type Attribute =
  | number
  | readonly number[]
  | string
  | { readonly float: number }
  | { readonly graph: GraphMessage };

export interface NodeMessage {
  readonly op: string;
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface TensorMessage {
  readonly name: string;
  readonly type: DataType;
  readonly dims: readonly number[];
  readonly values: Float32Array | readonly number[];
}

export interface ValueMessage {
  readonly name: string;
  readonly type: DataType;
  /** A string names a dynamic dimension. */
  readonly dims: readonly (number | string)[];
  /** Documentation. */
  readonly description?: string;
}

export interface GraphMessage {
  readonly name: string;
  readonly nodes: readonly NodeMessage[];
  readonly initializers: readonly TensorMessage[];
  readonly inputs: readonly ValueMessage[];
  readonly outputs: readonly ValueMessage[];
}

/** Metadata of a model. */
export interface ModelAbout {
  /** Version of the program that wrote it. */
  readonly producerVersion: string;
  /** Documentation, in prose. */
  readonly description: string;
  /** Metadata for programs. */
  readonly properties: Readonly<Record<string, string>>;
}

const IR_VERSION = 8;
const OPSET = 17;

/** @returns the bytes of an ONNX file */
export function encodeModel(graph: GraphMessage, about?: ModelAbout): Uint8Array {
  const opset = new MessageWriter().text(1, "").integer(2, OPSET);
  const model = new MessageWriter();
  model.integer(1, IR_VERSION).text(2, "torus");
  if (about) model.text(3, about.producerVersion).text(6, about.description);
  model.message(7, encodeGraph(graph)).message(8, opset);
  for (const [key, value] of Object.entries(about?.properties ?? {}))
    model.message(14, new MessageWriter().text(1, key).text(2, value));
  return model.finish();
}

function encodeGraph(graph: GraphMessage): MessageWriter {
  const writer = new MessageWriter();
  for (const node of graph.nodes) writer.message(1, encodeNode(node));
  writer.text(2, graph.name);
  for (const tensor of graph.initializers) writer.message(5, encodeTensor(tensor));
  for (const input of graph.inputs) writer.message(11, encodeValue(input));
  for (const output of graph.outputs) writer.message(12, encodeValue(output));
  return writer;
}

function encodeNode(node: NodeMessage): MessageWriter {
  const writer = new MessageWriter();
  for (const input of node.inputs) writer.text(1, input);
  for (const output of node.outputs) writer.text(2, output);
  writer.text(4, node.op);
  for (const [name, value] of Object.entries(node.attributes))
    writer.message(5, encodeAttribute(name, value));
  if (node.domain) writer.text(7, node.domain);
  return writer;
}

function encodeAttribute(name: string, value: Attribute): MessageWriter {
  const writer = new MessageWriter().text(1, name);
  if (typeof value === "number") return writer.integer(3, value).integer(20, 2);
  if (typeof value === "string") return writer.text(4, value).integer(20, 3);
  if ("float" in value) return writer.float(2, value.float).integer(20, 1);
  if ("graph" in value) return writer.message(6, encodeGraph(value.graph)).integer(20, 5);
  for (const item of value) writer.integer(8, item);
  return writer.integer(20, 7);
}

function encodeTensor(tensor: TensorMessage): MessageWriter {
  const writer = new MessageWriter();
  for (const dim of tensor.dims) writer.integer(1, dim);
  return writer.integer(2, dataTypeCodes[tensor.type]).text(8, tensor.name).raw(9, rawValues(tensor));
}

function rawValues({ type, values }: TensorMessage): Uint8Array {
  if (type === "float") return new Uint8Array(Float32Array.from(values).buffer);
  if (type === "double") return new Uint8Array(Float64Array.from(values).buffer);
  if (type === "int64")
    return new Uint8Array(BigInt64Array.from(values as number[], (value) => BigInt(value)).buffer);
  return Uint8Array.from(values);
}

function encodeValue(value: ValueMessage): MessageWriter {
  const shape = new MessageWriter();
  for (const dim of value.dims) {
    const dimension = new MessageWriter();
    shape.message(1, typeof dim === "number" ? dimension.integer(1, dim) : dimension.text(2, dim));
  }
  const tensorType = new MessageWriter().integer(1, dataTypeCodes[value.type]).message(2, shape);
  const writer = new MessageWriter().text(1, value.name);
  writer.message(2, new MessageWriter().message(1, tensorType));
  return value.description === undefined ? writer : writer.text(3, value.description);
}
