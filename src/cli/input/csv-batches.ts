// CSV file as batches of points: streamed, with gzip decompressed on the fly.
import { invalid } from "../../core/errors.ts";
import { type ColumnOptions, type CsvPoint, PointMaker } from "../../core/formats/csv-points.ts";
import { CsvReader, type CsvRow } from "../../core/formats/csv-reader.ts";
import type { ByteInput } from "./files.ts";

export interface Batch {
  readonly points: readonly object[];
  /** Share of the input read up to this batch, 0..1, if its size is known. */
  readonly share?: number | undefined;
}

/** Characters per batch, whatever the number of points. */
const MAX_BATCH_CHARS = 2_000_000;

export interface CsvOptions extends ColumnOptions {
  readonly delimiter?: string | undefined;
  /** Column names, for a file without a header. */
  readonly header?: readonly string[] | undefined;
  /** Points per batch. */
  readonly batchSize: number;
}

/** Statistics of the rows read so far. */
export interface CsvSummary {
  points: number;
  /** Rows without a value. */
  empty: number;
  fields: readonly string[];
  /** Columns dropped because they hold text. */
  texts: readonly string[];
  /** Seconds since the epoch. */
  first: number | undefined;
  last: number | undefined;
}

export class CsvBatches implements AsyncIterable<Batch> {
  readonly summary: CsvSummary = {
    points: 0,
    empty: 0,
    fields: [],
    texts: [],
    first: undefined,
    last: undefined,
  };
  #maker: PointMaker | undefined;

  constructor(
    private readonly input: ByteInput,
    private readonly options: CsvOptions,
  ) {
    if (options.header) this.#maker = new PointMaker(options.header, options);
  }

  /** @throws TorusError `invalid` naming the line */
  async *[Symbol.asyncIterator](): AsyncGenerator<Batch> {
    const { batchSize } = this.options;
    const { size } = this.input;
    let bytesRead = 0;
    let points: CsvPoint[] = [];
    let length = 0;
    const take = (): Batch => {
      const batch = { points, ...(size && { share: Math.min(1, bytesRead / size) }) };
      points = [];
      length = 0;
      return batch;
    };
    for await (const rows of this.#rows((bytes) => (bytesRead += bytes)))
      for (const row of rows) {
        const point = this.#accept(row);
        if (!point) continue;
        points.push(point);
        length += row.length;
        if (points.length >= batchSize || length >= MAX_BATCH_CHARS) yield take();
      }
    if (!this.#maker) throw invalid("line 1", "is missing: the file is empty");
    if (points.length > 0) yield take();
  }

  async *#rows(onBytes: (bytes: number) => void): AsyncGenerator<CsvRow[]> {
    const reader = new CsvReader(this.options.delimiter);
    const decoder = new TextDecoder();
    for await (const bytes of unpack(this.input.bytes, onBytes))
      yield reader.push(decoder.decode(bytes, { stream: true }));
    yield [...reader.push(decoder.decode()), ...reader.end()];
  }

  /** Configures the reader from the header; converts every other row to a point. */
  #accept(row: CsvRow): CsvPoint | undefined {
    const { summary } = this;
    if (!this.#maker) {
      this.#maker = new PointMaker(row.cells, this.options);
      return undefined;
    }
    if (summary.fields.length === 0) {
      summary.texts = this.#maker.dropTexts(row);
      summary.fields = this.#maker.fields;
    }
    const point = this.#maker.make(row);
    if (!point) summary.empty++;
    else {
      summary.points++;
      summary.first = Math.min(summary.first ?? point.timestamp, point.timestamp);
      summary.last = Math.max(summary.last ?? point.timestamp, point.timestamp);
    }
    return point;
  }
}

/** Decompresses gzip, recognised by its first two bytes, since standard input has no file name. */
async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const rest = (async function* () {
    for (let bytes: Uint8Array | undefined = first.value; bytes; bytes = (await iterator.next()).value) {
      onBytes(bytes.byteLength);
      yield bytes;
    }
  })();
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip) return yield* rest;
  const unpacked = toStream(rest).pipeThrough(new DecompressionStream("gzip"));
  try {
    yield* unpacked as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof TypeError || (error as { code?: unknown }).code)
      throw invalid("file", "is damaged gzip");
    throw error;
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}
