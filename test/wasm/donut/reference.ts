// Reference of Donut's network and loss in plain TypeScript with double precision.
import { layoutOf } from "../../../wasm/donut/layout.ts";
import { MIN_DEVIATION } from "../../../wasm/donut/network.ts";
import type { DonutShape } from "../../../wasm/protocol.ts";

export type Row = readonly number[];

type Layers = Readonly<Record<string, readonly number[]>>;

export function layersOf(params: readonly number[], shape: DonutShape): Layers {
  return Object.fromEntries(
    layoutOf(shape).map(({ name, offset, size }) => [name, params.slice(offset, offset + size)]),
  );
}

/** x · kernel + bias. */
function affine(x: Row, kernel: Row, bias: Row): number[] {
  return bias.map((b, j) => x.reduce((sum, value, i) => sum + value * kernel[i * bias.length + j]!, b));
}

const relu = (x: Row): number[] => x.map((value) => Math.max(0, value));
const toDeviation = (x: number): number =>
  Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))) + MIN_DEVIATION;

function dense(p: Layers, layer: string, x: Row): number[] {
  return relu(affine(x, p[`${layer}.kernel`]!, p[`${layer}.bias`]!));
}

export interface PlainGaussian {
  readonly mean: Row;
  readonly deviation: Row;
}

function toGaussian(head: Row): PlainGaussian {
  const half = head.length / 2;
  return { mean: head.slice(0, half), deviation: head.slice(half).map(toDeviation) };
}

export function encodePlain(p: Layers, x: Row): PlainGaussian {
  return toGaussian(affine(dense(p, "e2", dense(p, "e1", x)), p["z.kernel"]!, p["z.bias"]!));
}

export function decodePlain(p: Layers, z: Row): PlainGaussian {
  return toGaussian(affine(dense(p, "d2", dense(p, "d1", z)), p["x.kernel"]!, p["x.bias"]!));
}

export interface PlainWindow {
  readonly x: Row;
  readonly mask: Row;
  readonly noise: Row;
  readonly condition?: Row;
}

/** Modified negative ELBO of one window, one latent sample, constants left out (equation 3 of the paper). */
export function plainNegativeElbo(
  params: readonly number[],
  { x, mask, noise, condition = [] }: PlainWindow,
  shape: DonutShape,
): number {
  const p = layersOf(params, shape);
  const q = encodePlain(p, [...x, ...condition]);
  const z = q.mean.map((mean, i) => mean + q.deviation[i]! * noise[i]!);
  const px = decodePlain(p, [...z, ...condition]);
  const reconstruction = x.reduce((sum, value, w) => {
    const e = (value - px.mean[w]!) / px.deviation[w]!;
    return sum + mask[w]! * (Math.log(px.deviation[w]!) + 0.5 * e * e);
  }, 0);
  const beta = mask.reduce((sum, a) => sum + a, 0) / mask.length;
  const prior = 0.5 * z.reduce((sum, value) => sum + value * value, 0);
  const entropy = q.deviation.reduce((sum, deviation) => sum + Math.log(deviation), 0);
  return reconstruction + beta * prior - entropy;
}
