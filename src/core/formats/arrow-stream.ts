// Arrow IPC stream of a table, a record batch at a time; the library is loaded at the first one.
// Format: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
import type * as Arrow from "apache-arrow";
import { type ColumnType, cutTable, instantOf, type Table, type TableSlice } from "./table.ts";

/** Some milliseconds of work, and 4 MB. */
const BATCH = { rows: 65_536, cells: 500_000 } as const;

type Library = typeof Arrow;
type Part = readonly TableSlice[];

/** One column of a batch. */
type Fill = (part: Part, column: number, length: number) => Arrow.Data;

/**
 * A message per piece: the schema, the batches, the end of the stream. Columns are `timestamp[ms, UTC]`, `float64`,
 * `bool` and dictionaries of `utf8`; what is no finite number is null.
 */
export async function* arrowPieces(table: Table): AsyncGenerator<Uint8Array> {
  const arrow = await import("apache-arrow");
  const fills = table.columns.map(({ type }, i) => createFill(arrow, type, () => labelsOf(table, i), i));
  const fields = table.columns.map(
    ({ name, type }, i) => new arrow.Field(name, fills[i]!.type, type === "number"),
  );
  const schema = new arrow.Schema(fields, new Map(Object.entries(table.metadata)));
  const { writer, take } = openWriter(arrow, schema);
  yield take();
  for (const part of cutTable(table, BATCH)) {
    const length = part.reduce((sum, { from, to }) => sum + to - from, 0);
    const children = fills.map(({ fill }, i) => fill(part, i, length));
    const data = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children });
    writer.write(new arrow.RecordBatch(schema, data));
    yield take();
  }
  writer.finish();
  yield take();
}

/** A writer of one stream, and the bytes it has written since they were last taken. */
function openWriter({ AsyncByteQueue, RecordBatchStreamWriter }: Library, schema: Arrow.Schema) {
  let chunks: Uint8Array[] = [];
  class Sink extends AsyncByteQueue {
    override write(chunk: Uint8Array): void {
      chunks.push(chunk);
    }
  }
  const writer = new RecordBatchStreamWriter();
  writer.reset(new Sink(), schema);
  const take = () => {
    const bytes = Buffer.concat(chunks);
    chunks = [];
    return bytes;
  };
  return { writer, take };
}

interface ColumnWriter {
  readonly type: Arrow.DataType;
  readonly fill: Fill;
}

function createFill(
  arrow: Library,
  type: ColumnType,
  listLabels: () => readonly string[],
  id: number,
): ColumnWriter {
  if (type === "time") return timeWriter(arrow);
  if (type === "number") return numberWriter(arrow);
  return type === "boolean" ? booleanWriter(arrow) : labelWriter(arrow, listLabels(), id);
}

function timeWriter({ TimestampMillisecond, makeData }: Library): ColumnWriter {
  const type = new TimestampMillisecond("UTC");
  const fill: Fill = (part, column, length) => {
    const data = new BigInt64Array(length);
    visit(part, column, (cell, i) => {
      data[i] = BigInt(instantOf(cell as number));
    });
    return makeData({ type, length, nullCount: 0, data });
  };
  return { type, fill };
}

function numberWriter({ Float64, makeData }: Library): ColumnWriter {
  const type = new Float64();
  const fill: Fill = (part, column, length) => {
    const data = new Float64Array(length);
    const nullBitmap = new Uint8Array(Math.ceil(length / 8));
    let nullCount = length;
    visit(part, column, (cell, i) => {
      if (!Number.isFinite(cell)) return;
      // Adding 0 turns -0 into 0, as in JSON.
      data[i] = (cell as number) + 0;
      nullBitmap[i >> 3]! |= 1 << (i & 7);
      nullCount--;
    });
    return makeData({ type, length, nullCount, nullBitmap, data });
  };
  return { type, fill };
}

function booleanWriter({ Bool, makeData }: Library): ColumnWriter {
  const type = new Bool();
  const fill: Fill = (part, column, length) => {
    const data = new Uint8Array(Math.ceil(length / 8));
    visit(part, column, (cell, i) => {
      if (cell) data[i >> 3]! |= 1 << (i & 7);
    });
    return makeData({ type, length, nullCount: 0, data });
  };
  return { type, fill };
}

function labelWriter(arrow: Library, labels: readonly string[], id: number): ColumnWriter {
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), id);
  const dictionary = arrow.vectorFromArray([...labels], new arrow.Utf8());
  const indexOf = new Map(labels.map((label, i) => [label, i]));
  const fill: Fill = (part, column, length) => {
    const data = new Int32Array(length);
    let at = 0;
    for (const { block, from, to } of part) {
      data.fill(indexOf.get(String(block.cells[column]!(0)))!, at, at + to - from);
      at += to - from;
    }
    return arrow.makeData({ type, length, nullCount: 0, data, dictionary });
  };
  return { type, fill };
}

/** The distinct values of a `text` column, in their order. */
function labelsOf({ blocks }: Table, column: number): string[] {
  return [...new Set(blocks.map(({ cells }) => String(cells[column]!(0))))];
}

/** Calls with each cell of a column, and its row in the part. */
function visit(part: Part, column: number, call: (cell: unknown, i: number) => void): void {
  let i = 0;
  for (const { block, from, to } of part) {
    const read = block.cells[column]!;
    for (let row = from; row < to; row++) call(read(row), i++);
  }
}
