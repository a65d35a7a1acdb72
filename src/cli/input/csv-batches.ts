// CSV file as batches of points: streamed, with gzip decompressed on the fly.
import { invalid } from "../../core/errors.ts";
import { type Encoding, TextReader } from "../../core/formats/csv/decode.ts";
import type { CsvOptions, FlagNames } from "../../core/formats/csv/options.ts";
import type { CsvPoint } from "../../core/formats/csv/points.ts";
import type { RowCounts } from "../../core/formats/csv/row-counts.ts";
import { type CsvReading, CsvTable } from "../../core/formats/csv/table.ts";
import { CsvRefusal } from "../../core/formats/csv/words/refusal.ts";
import type { CsvRules } from "../../core/formats/csv/words/rules.ts";
import { suggestClosest } from "../../core/input/suggest.ts";
import { csvFlags } from "./csv-options.ts";
import type { ByteInput } from "./files.ts";

export interface Batch<P extends object = object> {
  readonly points: readonly P[];
  /** Share of the input read up to this batch, 0..1, if its size is known. */
  readonly share?: number | undefined;
}

/** Characters per batch, whatever the number of points; a point is taken for so many as its JSON about has. */
const MAX_BATCH_CHARS = 2_000_000;
const CHARS_PER_FIELD = 24;

export interface BatchOptions extends Omit<CsvOptions, "flags"> {
  /** Points per batch. */
  readonly batchSize: number;
  /** Names of options, where the command has others. */
  readonly flags?: Partial<FlagNames>;
}

export class CsvBatches implements AsyncIterable<Batch<CsvPoint>> {
  readonly #table: CsvTable;
  readonly #text = new TextReader();

  /** @throws TorusError `invalid` naming the option */
  constructor(
    private readonly input: ByteInput,
    readonly options: BatchOptions,
  ) {
    this.#table = new CsvTable({ ...options, flags: { ...csvFlags, ...options.flags } });
  }

  /** How the file is read; there once a batch was. */
  get reading(): CsvReading {
    return this.#table.reading!;
  }

  /** Of the rows read so far. */
  get counts(): RowCounts {
    return this.#table.counts!;
  }

  get encoding(): Encoding {
    return this.#text.encoding;
  }

  /** @throws TorusError `invalid` naming the line */
  async *[Symbol.asyncIterator](): AsyncGenerator<Batch<CsvPoint>> {
    const { batchSize } = this.options;
    const { size } = this.input;
    let bytesRead = 0;
    let points: CsvPoint[] = [];
    let length = 0;
    const take = (): Batch<CsvPoint> => {
      const batch = { points, ...(size && { share: Math.min(1, bytesRead / size) }) };
      points = [];
      length = 0;
      return batch;
    };
    try {
      for await (const some of this.#points((bytes) => (bytesRead += bytes)))
        for (const point of some) {
          points.push(point);
          length += CHARS_PER_FIELD * Object.keys(point).length;
          if (points.length >= batchSize || length >= MAX_BATCH_CHARS) yield take();
        }
    } catch (error) {
      throw suggestColumn(error);
    }
    if (points.length > 0) yield take();
  }

  async *#points(onBytes: (bytes: number) => void): AsyncGenerator<Iterable<CsvPoint>> {
    for await (const bytes of unpack(this.input.bytes, onBytes))
      yield this.#table.push(this.#text.push(bytes));
    yield this.#table.push(this.#text.end());
    yield this.#table.end();
  }
}

/** The error, with the column that is meant where a name is nearly one; the dashboard offers names to choose from. */
function suggestColumn(error: unknown): unknown {
  if (!(error instanceof CsvRefusal && error.rule === "unknownColumn")) return error;
  const [name, names] = error.facts as Parameters<CsvRules["unknownColumn"]>;
  const near = suggestClosest(name, names.split(", "));
  return near ? invalid(error.path, `the file has no column ${name}; did you mean ${near}?`) : error;
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
