// Theta: the mean of a straight line and of the smoothed level of twice the distance from it (Assimakopoulos and Nikolopoulos 2000).
import { smoothLevel } from "../history/smoothing.ts";
import { levelKind } from "./level-kind.ts";

export const theta = levelKind({
  method: "theta",
  text: "Theta",
  prior: 0.5,
  path: ({ values }) => {
    const { start, slope } = leastSquares(values);
    const { level } = smoothLevel(values.map((value, i) => 2 * value - start - slope * i));
    return (lead) => (level + start + slope * (values.length + lead)) / 2;
  },
});

function leastSquares(values: Float64Array): { readonly start: number; readonly slope: number } {
  let [n, t, y, tt, ty] = [0, 0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    n++;
    t += i;
    y += value;
    tt += i * i;
    ty += i * value;
  }
  const slope = n < 2 ? 0 : (ty - (t * y) / n) / (tt - (t * t) / n);
  return { start: (y - slope * t) / n, slope };
}
