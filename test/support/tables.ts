// Tables for tests of their formats, and readers of Arrow streams: the library of Apache, in a process of its own.
import type { Cell, Table, TableColumn } from "../../src/core/formats/table.ts";

/** A table of one block per list of rows. */
export function aTable(
  columns: readonly TableColumn[],
  blocks: readonly (readonly (readonly Cell[])[])[],
  metadata: Readonly<Record<string, string>> = {},
): Table {
  return {
    columns,
    blocks: blocks.map((rows) => ({
      length: rows.length,
      cells: columns.map((_, column) => (row: number) => rows[row]![column]),
    })),
    metadata,
  };
}

export interface ArrowContent {
  /** Name and type of each column. */
  readonly fields: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Rows of each record batch. */
  readonly batches: readonly number[];
  /** By column; times in ms since the epoch. */
  readonly columns: Readonly<Record<string, readonly (number | boolean | string | null)[]>>;
}

const READER = `
const { RecordBatchReader } = await import("apache-arrow");
const reader = await RecordBatchReader.from(process.stdin);
await reader.open();
const { fields, metadata } = reader.schema;
const columns = Object.fromEntries(fields.map(({ name }) => [name, []]));
const batches = [];
for await (const batch of reader) {
  batches.push(batch.numRows);
  for (const [i, { name }] of fields.entries()) {
    const child = batch.getChildAt(i);
    for (let row = 0; row < batch.numRows; row++) columns[name].push(child.get(row));
  }
}
const described = fields.map(({ name, type, nullable }) => name + ": " + type + (nullable ? "" : " not null"));
console.log(JSON.stringify({ fields: described, metadata: Object.fromEntries(metadata), batches, columns }));
`;

/** Reads an Arrow stream in another process. @throws where it is none */
export async function readArrow(bytes: Uint8Array): Promise<ArrowContent> {
  const child = Bun.spawn([process.execPath, "-e", READER], {
    cwd: import.meta.dir,
    stdin: new Blob([bytes as Uint8Array<ArrayBuffer>]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return JSON.parse(text);
}

/** Rows of a CSV by RFC 4180, in another way than the writer: character by character. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, isQuoted] = [[] as string[], "", false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (isQuoted && char === '"' && text[i + 1] === '"') field += text[++i];
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "," || text.startsWith("\r\n", i))) {
      row.push(field);
      field = "";
      if (char === ",") continue;
      rows.push(row);
      row = [];
      i++;
    } else field += char;
  }
  if (field !== "" || row.length > 0 || isQuoted) throw new Error("the last record has no end");
  return rows;
}
