// How results are shown: a table, its names alone, YAML for people; JSON for programs.
import type { Context } from "./context.ts";
import { type Column, clean, renderTable } from "./table.ts";

export interface TableSpec<T> {
  readonly columns: readonly Column<T>[];
  /** What stands for a row with `--quiet`. */
  readonly name: (row: T) => string;
  /** Said where there is nothing. */
  readonly empty: string;
}

/** A list: JSON with `--json`, names with `--quiet`, otherwise a table. */
export function answerTable<T>(context: Context, rows: readonly T[], spec: TableSpec<T>): void {
  const { globals, colour } = context;
  const isEmpty = rows.length === 0;
  if (isEmpty && !globals.json) context.note(spec.empty);
  context.answer(rows, () => {
    if (isEmpty) return "";
    if (globals.quiet) return rows.map((row) => clean(spec.name(row))).join("\n");
    return renderTable(rows, spec.columns, { colour });
  });
}

/** Objects as YAML, or as JSON with `--json`. One that was asked for alone is no list. */
export async function answerObjects(context: Context, objects: readonly unknown[]): Promise<undefined> {
  if (context.globals.json) {
    context.answer(objects);
    return;
  }
  const { stringify } = await import("yaml");
  context.print(stringify(objects.length === 1 ? objects[0] : objects));
}

/** Something was done: a remark for people, what the server answered for programs. */
export function answerDone(context: Context, answer: unknown, remark: string): void {
  if (context.globals.json) context.answer(answer);
  else context.note(remark);
}

/** Names of a path: each escaped, separated by `;`. */
export function pathOf(noun: string, names: readonly string[]): string {
  return `/${noun}/${names.map(encodeURIComponent).join(";")}`;
}
