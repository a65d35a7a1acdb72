// Matrix rate of this machine on the WASM backend: the reference for the speed of the compute engine.
import { buildModel } from "../../wasm/onnx/emit.ts";
import { Graph } from "../../wasm/onnx/graph.ts";
import { gemm } from "../../wasm/onnx/ops.ts";
import { type Feed, Session } from "../../wasm/ort.ts";

const SIZE = { m: 256, k: 120, n: 100 };
const REPEATS = 400;

/** A run of many products [256,120] x [120,100]. */
export async function prepareGemm(): Promise<() => Promise<unknown>> {
  const { m, k, n } = SIZE;
  const graph = new Graph();
  const [a, b] = [graph.input("a", [m, k]), graph.input("b", [k, n])];
  const trips = graph.constant([REPEATS], [], "int64");
  const [c] = graph.loop(trips, [graph.input("c", [m, n])], (_, [carried]) => [
    gemm(a, b, { bias: carried! }),
  ]);
  const session = await Session.create(buildModel({ out: c! }));
  const matrix = (rows: number, columns: number): Feed => ({
    data: new Float32Array(rows * columns).fill(0.01),
    dims: [rows, columns],
  });
  const feeds = { a: matrix(m, k), b: matrix(k, n), c: matrix(m, n) };
  return () => session.run(feeds);
}

/** Of a run that took so many milliseconds. */
export function gflopsOf(ms: number): number {
  return (2 * SIZE.m * SIZE.k * SIZE.n * REPEATS) / ms / 1e6;
}
