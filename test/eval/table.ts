// Markdown tables, aligned for reading as text.

/** First column left, the others right, as wide as they need to be. @throws Error where a row has not one cell per column */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  for (const row of rows)
    if (row.length !== head.length)
      throw new Error(`a row has ${row.length} cells for ${head.length} columns`);
  const widths = head.map((name, i) => Math.max(name.length, 3, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** The mean, and the standard deviation where there are several; `-` for none, `none` where one is infinite. */
export function formatMean(values: readonly number[], digits: number): string {
  if (values.length === 0) return "-";
  if (!values.every(Number.isFinite)) return "none";
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 1) return mean.toFixed(digits);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${mean.toFixed(digits)} ± ${Math.sqrt(variance).toFixed(digits)}`;
}
