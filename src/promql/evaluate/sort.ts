// Order of the series of an instant vector by value; range queries are sorted by labels.
import type { Column } from "./values.ts";

/** By the value of the first step, NaN last. */
export function sortColumns(
  columns: readonly Column[],
  { isDescending }: { readonly isDescending: boolean },
): Column[] {
  return columns.toSorted(({ values: [a = 0] }, { values: [b = 0] }) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return isDescending ? b - a : a - b;
  });
}
