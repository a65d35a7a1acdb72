// Linear equations of a least squares fit; pure.

/** Share of the largest entry of the diagonal that is added to it: directions that no value shows become 0. */
const RIDGE = 1e-9;

/** Solves a symmetric system by Cholesky's method. @param matrix its lower triangle is read, and overwritten */
export function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const ridge = RIDGE * Math.max(...matrix.map((row, a) => row[a]!), Number.MIN_VALUE);
  for (let a = 0; a < size; a++)
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a]![b]! + (a === b ? ridge : 0);
      for (let k = 0; k < b; k++) sum -= matrix[a]![k]! * matrix[b]![k]!;
      matrix[a]![b] = a === b ? Math.sqrt(Math.max(sum, ridge)) : sum / matrix[b]![b]!;
    }
  const found = right.slice();
  for (let a = 0; a < size; a++) {
    for (let k = 0; k < a; k++) found[a]! -= matrix[a]![k]! * found[k]!;
    found[a]! /= matrix[a]![a]!;
  }
  for (let a = size - 1; a >= 0; a--) {
    for (let k = a + 1; k < size; k++) found[a]! -= matrix[k]![a]! * found[k]!;
    found[a]! /= matrix[a]![a]!;
  }
  return found;
}
