// Shape rules of the op table: result shapes from input shapes.
import type { Op } from "./graph.ts";

type ShapeRule = Op["shapes"];

export const sameAsFirst: ShapeRule = ([a]) => [a!.shape];

/** NumPy broadcasting; a dynamic dimension is compatible with itself and 1 only. */
export const broadcast: ShapeRule = (inputs) => {
  const shapes = inputs.map((value) => value.shape);
  const rank = Math.max(...shapes.map((shape) => shape.length));
  const result = Array.from({ length: rank }, (_, i) => {
    const dims = shapes.map((shape) => shape[shape.length - rank + i] ?? 1).filter((dim) => dim !== 1);
    if (new Set(dims).size > 1) throw new Error(`cannot broadcast [${shapes.join("] with [")}]`);
    return dims[0] ?? 1;
  });
  return [result];
};

export const gemmShape: ShapeRule = ([a, b, c], attributes) => {
  const [m, k] = attributes.transA ? [a!.shape[1]!, a!.shape[0]!] : [a!.shape[0]!, a!.shape[1]!];
  const [k2, n] = attributes.transB ? [b!.shape[1]!, b!.shape[0]!] : [b!.shape[0]!, b!.shape[1]!];
  if (k !== k2)
    throw new Error(`cannot multiply [${a!.shape}] with [${b!.shape}]: ${JSON.stringify(attributes)}`);
  if (c && c.shape.at(-1) !== n && c.shape.at(-1) !== 1)
    throw new Error(`bias [${c.shape}] does not fit ${n} columns`);
  return [[m, n]];
};

export const concatShape: ShapeRule = (inputs, { axis }) => {
  const sizes = inputs.map((value) => value.shape[axis as number]);
  if (sizes.some((size) => typeof size !== "number"))
    throw new Error("cannot concat along a dynamic dimension");
  const total = (sizes as number[]).reduce((sum, size) => sum + size, 0);
  return [inputs[0]!.shape.map((dim, i) => (i === axis ? total : dim))];
};

export const splitShape: ShapeRule = ([data], { axis, _sizes }) =>
  (_sizes as number[]).map((size) => data!.shape.map((dim, i) => (i === axis ? size : dim)));

export const sumShape: ShapeRule = ([data], { _axes }) => [
  data!.shape.map((dim, i) => ((_axes as number[]).includes(i) ? 1 : dim)),
];

export const gatherShape: ShapeRule = ([data, indices], { axis }) => [
  data!.shape.flatMap((dim, i) => (i === axis ? indices!.shape : [dim])),
];

export const transposeShape: ShapeRule = ([data], { perm }) => [
  (perm as number[]).map((axis) => data!.shape[axis]!),
];

/** [N,C,length] to one number per channel. */
export const poolShape: ShapeRule = ([data]) => [[...data!.shape.slice(0, 2), 1]];
