// Piecewise linear function through points; pure.

/** Value at `x`: between two points linear, beyond the outermost as at these. @param xs ascending, as many as `ys` */
export function piecewise(xs: readonly number[], ys: readonly number[], x: number): number {
  const last = xs.length - 1;
  if (!(x > xs[0]!)) return ys[0]!;
  if (x >= xs[last]!) return ys[last]!;
  let i = 0;
  while (xs[i + 1]! <= x) i++;
  const share = (x - xs[i]!) / (xs[i + 1]! - xs[i]!);
  return ys[i]! + share * (ys[i + 1]! - ys[i]!);
}
