// Rows of CSV files in file order, as a stream of times and cells.
import { TorusError } from "../../core/errors.ts";
import { CsvReader, type CsvRow } from "../../core/formats/csv-reader.ts";
import { createTimeReader, type TimeReader } from "../../core/formats/csv-time.ts";
import { type CsvFile, openFile } from "./files.ts";
import type { CsvSettings } from "./settings.ts";

interface ScannedRow {
  /** ms since the epoch. */
  readonly at: number;
  readonly cells: readonly string[];
}

/** Consecutive rows of one file. */
export interface Batch {
  readonly measurement: string;
  /** Index of each column except the time. */
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly ScannedRow[];
}

/**
 * All rows of the files. @throws TorusError `bucket_rejected` naming file and line of what is malformed
 */
export async function* scanFiles(files: readonly CsvFile[], own: CsvSettings): AsyncGenerator<Batch> {
  const readTime = createTimeReader(own.time_format, "time_format");
  for (const file of files) {
    try {
      yield* scanFile(file, { own, readTime });
    } catch (error) {
      if (!(error instanceof TorusError) || error.code !== "invalid") throw error;
      throw new TorusError("bucket_rejected", `file ${file.measurement}, ${error.message}`);
    }
  }
}

async function* scanFile(
  file: CsvFile,
  { own, readTime }: { own: CsvSettings; readTime: TimeReader },
): AsyncGenerator<Batch> {
  let table = own.header && readHeader(own.header, own);
  for await (const rows of readRows(file, own.delimiter)) {
    const header = table ? undefined : rows.shift();
    if (header) table = readHeader(header.cells, own);
    if (!table) continue;
    const { columns, width, time } = table;
    const scanned = rows.map((row) => toScanned(row, { width, time, readTime }));
    yield { measurement: file.measurement, columns, rows: scanned };
  }
}

interface Table {
  readonly columns: ReadonlyMap<string, number>;
  readonly width: number;
  readonly time: number;
}

function readHeader(names: readonly string[], { time_column = "timestamp" }: CsvSettings): Table {
  const time = names.indexOf(time_column);
  if (time < 0) throw new TorusError("invalid", `line 1: has no column ${time_column}; set time_column`);
  const others = names.map((name, index) => [name, index] as const).filter(([, index]) => index !== time);
  return { columns: new Map(others), width: names.length, time };
}

function toScanned(
  { line, cells }: CsvRow,
  { width, time, readTime }: { width: number; time: number; readTime: TimeReader },
): ScannedRow {
  if (cells.length !== width)
    throw new TorusError("invalid", `line ${line}: has ${cells.length} cells, the header has ${width}`);
  const seconds = readTime(cells[time]!);
  if (seconds === undefined)
    throw new TorusError("invalid", `line ${line}: holds no time; set time_column or time_format`);
  return { at: Math.floor(seconds * 1000 + 1e-6), cells };
}

async function* readRows(file: CsvFile, delimiter: string | undefined): AsyncGenerator<CsvRow[]> {
  const reader = new CsvReader(delimiter);
  const decoder = new TextDecoder();
  for await (const bytes of readBytes(file)) yield reader.push(decoder.decode(bytes, { stream: true }));
  yield [...reader.push(decoder.decode()), ...reader.end()];
}

/** Detected by the magic bytes of gzip. */
async function* readBytes(file: CsvFile): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file);
  try {
    const magic = Buffer.alloc(2);
    const { bytesRead } = await handle.read(magic, 0, 2, 0);
    const isGzip = bytesRead === 2 && magic[0] === 0x1f && magic[1] === 0x8b;
    const stream = Bun.file(handle.fd).stream();
    const unpacked = isGzip ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
    yield* unpacked as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof TorusError) throw error;
    throw new TorusError("bucket_rejected", `file ${file.measurement} is damaged or cannot be read`);
  } finally {
    await handle.close();
  }
}
