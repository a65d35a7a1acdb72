// Benchmark tables of the documents, from the last recorded run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Report, type Result, shorten } from "../bench/part.ts";
import { renderRows } from "../support/schema-table.ts";

/** Written by `npm run bench -- --json test/bench/measured.json`. */
const report: Report = JSON.parse(readFileSync(join(import.meta.dir, "../bench/measured.json"), "utf8"));

/** Names of the parts that were measured. */
export const measuredParts: readonly string[] = report.results.map(({ name }) => name);

/** Tables of all parts but those of cost against size, with the machine before them. */
export function renderSpeed(): string {
  const machine = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
  return [`Measured on: ${machine.join("; ")}.`, ...tablesOf((name) => !isGrowth(name))].join("\n\n");
}

/** Tables of cost against size. */
export function renderGrowth(): string {
  return tablesOf(isGrowth).join("\n\n");
}

function isGrowth(name: string): boolean {
  return name.includes("growth") || name === "trainings";
}

function tablesOf(isWanted: (name: string) => boolean): string[] {
  return report.results.filter(({ name }) => isWanted(name)).map(renderTable);
}

function renderTable({ title, rows }: Result): string {
  const columns = Object.keys(rows[0] ?? {});
  const isNumber = (column: string) => rows.every((row) => typeof (row[column] ?? 0) === "number");
  return `${title}:\n\n${renderRows([
    columns,
    columns.map((column) => (isNumber(column) ? "--:" : "---")),
    ...rows.map((row) => columns.map((column) => escapeText(String(shorten(row[column] ?? "-"))))),
  ])}`;
}

/** `<id>` as text: it would be an element of HTML. */
function escapeText(cell: string): string {
  return cell.replaceAll("<", "\\<");
}
