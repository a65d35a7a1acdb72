// Standard normal distribution: error function, quantiles, and widths of prediction bands; pure.

/** Level of a band unless another is requested: about one standard deviation on either side. */
export const DEFAULT_LEVEL = 0.68;

/** erf(x) for x >= 0, to 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
export function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const poly = horner([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0], t);
  return 1 - poly * Math.exp(-x * x);
}

/** Half-width of a band that holds a share `level` of a standard normal distribution: z with P(|Z| < z) = level. */
export function bandWidth(level: number): number {
  return normalQuantile((1 + Math.min(0.999999, Math.max(0, level))) / 2);
}

const center = {
  a: [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239,
  ],
  b: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
};
const tail = {
  c: [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  d: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
};

/** Inverse of the standard normal distribution for p in [0.5, 1), to 1e-9 (P. J. Acklam, 2003). */
function normalQuantile(p: number): number {
  if (p <= 0.97575) {
    const q = p - 0.5;
    return (q * horner(center.a, q * q)) / horner(center.b, q * q);
  }
  const q = Math.sqrt(-2 * Math.log(1 - p));
  return -horner(tail.c, q) / horner(tail.d, q);
}

function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
