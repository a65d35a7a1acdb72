// Imputation of the gaps of a series before it is modelled; pure.
export const imputeModes = ["auto", "previous", "linear", "fixed", "zero", "notFill"] as const;
export type ImputeMode = (typeof imputeModes)[number];

/**
 * Fills the gaps of a column; `auto` and `notFill` leave them to the model.
 * @param column NaN = missing; the first and the last value are present
 * @param fixed value for `fixed`
 */
export function impute(column: Float64Array, mode: ImputeMode, fixed = 0): Float64Array {
  if (mode === "auto" || mode === "notFill") return column;
  if (mode === "linear") return interpolate(column);
  let previous = Number.NaN;
  return column.map((value) => {
    if (!Number.isNaN(value)) previous = value;
    else if (mode !== "previous") return mode === "fixed" ? fixed : 0;
    return previous;
  });
}

function interpolate(column: Float64Array): Float64Array {
  const filled = column.slice();
  let last = 0;
  for (let i = 1; i < column.length; i++) {
    if (Number.isNaN(column[i]!)) continue;
    const step = (column[i]! - column[last]!) / (i - last);
    for (let k = last + 1; k < i; k++) filled[k] = column[last]! + (k - last) * step;
    last = i;
  }
  return filled;
}
