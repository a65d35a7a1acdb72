// Sums over blocks, from which the line through any run of them and its squared errors follow; pure.
import { medianOf } from "../../stats/median.ts";
import type { Blocks } from "./blocks.ts";

export class LineSums {
  readonly #w: Float64Array;
  readonly #t: Float64Array;
  readonly #tt: Float64Array;
  readonly #y: Float64Array;
  readonly #ty: Float64Array;
  readonly #yy: Float64Array;
  readonly #center: number;
  readonly #middle: number;
  /** Unit of the values: squares of large ones would overflow. */
  readonly #unit: number;

  constructor({ at, values }: Blocks, noise: Float64Array) {
    const n = values.length;
    [this.#w, this.#t, this.#tt, this.#y, this.#ty, this.#yy] = Array.from(
      { length: 6 },
      () => new Float64Array(n + 1),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
    // Around the middle, for sums of squares lose digits far from 0.
    this.#center = medianOf(values);
    this.#middle = at[n >> 1]!;
    this.#unit = spreadOf(values);
    for (let k = 0; k < n; k++) {
      const w = (this.#unit / noise[k]!) ** 2;
      const t = at[k]! - this.#middle;
      const y = (values[k]! - this.#center) / this.#unit;
      this.#w[k + 1] = this.#w[k]! + w;
      this.#t[k + 1] = this.#t[k]! + w * t;
      this.#tt[k + 1] = this.#tt[k]! + w * t * t;
      this.#y[k + 1] = this.#y[k]! + w * y;
      this.#ty[k + 1] = this.#ty[k]! + w * t * y;
      this.#yy[k + 1] = this.#yy[k]! + w * y * y;
    }
  }

  #moments(from: number, to: number) {
    const w = this.#w[to]! - this.#w[from]!;
    const t = (this.#t[to]! - this.#t[from]!) / w;
    const y = (this.#y[to]! - this.#y[from]!) / w;
    const tt = this.#tt[to]! - this.#tt[from]! - w * t * t;
    const ty = this.#ty[to]! - this.#ty[from]! - w * t * y;
    const yy = this.#yy[to]! - this.#yy[from]! - w * y * y;
    return { w, t, y, tt: Math.max(0, tt), ty, yy: Math.max(0, yy) };
  }

  /** Squared errors of the line, in those of the noise. Spelled out: it is called for each pair of blocks. */
  cost(from: number, to: number): number {
    const w = this.#w[to]! - this.#w[from]!;
    const t = this.#t[to]! - this.#t[from]!;
    const y = this.#y[to]! - this.#y[from]!;
    const tt = this.#tt[to]! - this.#tt[from]! - (t * t) / w;
    const ty = this.#ty[to]! - this.#ty[from]! - (t * y) / w;
    const yy = this.#yy[to]! - this.#yy[from]! - (y * y) / w;
    return Math.max(0, tt > 0 ? yy - (ty * ty) / tt : yy);
  }

  line(from: number, to: number): { level: number; slope: number; error: number } {
    const { t, y, tt, ty } = this.#moments(from, to);
    const slope = tt > 0 ? this.#unit * (ty / tt) : 0;
    const level = this.#unit * y + this.#center - slope * (t + this.#middle);
    return { level, slope, error: tt > 0 ? this.#unit / Math.sqrt(tt) : Number.POSITIVE_INFINITY };
  }

  /** The one slope of several runs, each at a level of its own: its value, error, and the squared errors. */
  common(bounds: readonly (readonly [number, number])[]): { slope: number; error: number; cost: number } {
    let [tt, ty, yy] = [0, 0, 0];
    for (const [from, to] of bounds) {
      const own = this.#moments(from, to);
      tt += own.tt;
      ty += own.ty;
      yy += own.yy;
    }
    if (!(tt > 0)) return { slope: 0, error: Number.POSITIVE_INFINITY, cost: yy };
    return {
      slope: this.#unit * (ty / tt),
      error: this.#unit / Math.sqrt(tt),
      cost: Math.max(0, yy - (ty * ty) / tt),
    };
  }
}

/** Mean distance from the median; 1 where all values are equal. */
export function spreadOf(values: Float64Array): number {
  const center = medianOf(values);
  const mean = values.reduce((sum, value) => sum + Math.abs(value - center), 0) / values.length;
  return mean > 0 ? mean : 1;
}
