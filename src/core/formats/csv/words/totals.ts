// Rows of totals and averages, which spreadsheets have among those of points.

const words =
  /^(grand |service |account |sub-?|zwischen)?(totals?|totale|sums?|summen?|gesamt(summe|ergebnis)?|ergebnis|somme|suma|averages?|avg|mean|mittel(werte?)?|durchschnitte?|moyenne|media|median|min(imum)?|max(imum)?)( .*|:.*)?$/i;

/** Whether a cell in place of a time says that the row sums up others, as `Total` or `Summe 2026`. */
export function namesTotal(cell: string): boolean {
  return words.test(cell);
}

/** Whether the first text of a row does. */
export function isTotal(cells: readonly string[]): boolean {
  return namesTotal(cells.find((cell) => cell !== "") ?? "");
}
