// The command that loads a CSV file into a bucket.
import { invalid } from "../../core/errors.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { type Batch, CsvBatches, type CsvSummary } from "../input/csv-batches.ts";
import { csvFormatOf, csvFormatOptions, fileArgument, timeColumnOption } from "../input/csv-options.ts";
import { openInput } from "../input/files.ts";
import { answerDone } from "../output/present.ts";
import { formatCount } from "../terminal/format.ts";
import { openProgress } from "../work/follow-job.ts";
import { describeDropped, type Written, writePoints } from "../work/write-points.ts";
import { bucketExists } from "./buckets.ts";

const DEFAULT_BATCH_SIZE = 10_000;

export const importCsv = defineCommand({
  name: "import-csv",
  group: "data",
  summary: "Load a CSV file into a bucket; creates a missing bucket",
  details: [
    "The first line holds the column names. Numeric columns become fields; empty cells, NaN and null are",
    "missing values. Times without an offset are UTC. Gzip is decompressed. The file may exceed the memory.",
  ],
  arguments: fileArgument,
  options: {
    bucket: { short: "b", value: "BUCKET", required: true, description: "Bucket to write to" },
    measurement: { short: "m", value: "NAME", description: "Measurement of the points" },
    "time-column": timeColumnOption,
    ...csvFormatOptions,
    columns: { short: "c", value: "A,B", type: "list", description: "Columns that become fields" },
    "tag-columns": { value: "A,B", type: "list", description: "Columns that become tags" },
    header: { value: "A,B", type: "list", description: "Names of the columns, for a file without a header" },
    "batch-size": {
      value: "N",
      type: "integer",
      fallback: String(DEFAULT_BATCH_SIZE),
      description: "Points per request",
    },
    "dry-run": { description: "Read and validate the file without writing" },
  },
  examples: [
    ["torus import-csv taxi.csv --bucket taxi", "columns timestamp,value"],
    ["zcat *.csv.gz | torus import-csv - -b load --time-column at --columns cpu,mem", "from a pipe"],
    ["torus import-csv old.csv -b old --time-format '%d/%m/%Y %H:%M' --dry-run", "what would be written"],
  ],
  async run(context, { arguments: { file }, options }) {
    const { bucket, measurement } = options;
    const batchSize = options["batch-size"] ?? DEFAULT_BATCH_SIZE;
    if (batchSize < 1) throw invalid("--batch-size", "must be at least 1");
    const batches = new CsvBatches(openInput(file, context.terminal, context.signal), {
      timeColumn: options["time-column"],
      columns: options.columns,
      tagColumns: options["tag-columns"],
      header: options.header,
      ...csvFormatOf(options),
      batchSize,
    });
    if (options["dry-run"]) {
      await readAll(context, batches);
      report(context, batches.summary, { verb: "would write", bucket });
    } else {
      const ensured = prepareOnFirst(batches, () => ensureBucket(context, bucket));
      const done = await writePoints(context, ensured, { bucket, ...(measurement && { measurement }) });
      report(context, batches.summary, { verb: "wrote", bucket, done });
    }
  },
});

/** The same batches; what they go to is made once there is one: a file that cannot be read leaves no bucket behind. */
async function* prepareOnFirst(
  batches: AsyncIterable<Batch>,
  prepare: () => Promise<void>,
): AsyncGenerator<Batch> {
  let prepared = false;
  for await (const batch of batches) {
    if (!prepared) await prepare();
    prepared = true;
    yield batch;
  }
}

async function ensureBucket(context: Context, bucket: string): Promise<void> {
  if (await bucketExists(context, bucket)) return;
  await context.client.putBucket({ name: bucket, type: "local" });
  context.note(`created bucket ${bucket}, type local`);
}

async function readAll(context: Context, batches: CsvBatches): Promise<void> {
  const line = openProgress(context, "read");
  try {
    for await (const { share } of batches)
      line.update({
        ...(share !== undefined && { share }),
        note: `${formatCount(batches.summary.points)} points`,
      });
  } finally {
    line.end();
  }
}

interface ImportResult {
  readonly verb: string;
  readonly bucket: string;
  /** Absent where nothing was to be written. */
  readonly done?: Written;
}

function report(context: Context, summary: CsvSummary, { verb, bucket, done }: ImportResult): void {
  const { points, empty, fields, texts, first, last } = summary;
  const { times } = context;
  const lines = [
    `${verb} ${formatCount(done?.written ?? points)} points to ${bucket}: ${fields.join(", ")}`,
    points > 0 && `from ${times.format(first)} to ${times.format(last)} ${times.zone}`,
    done && describeDropped(done),
    empty > 0 && `${formatCount(empty)} rows without values were skipped`,
    texts.length > 0 && `skipped columns of text: ${texts.join(", ")}`,
  ];
  const dropped = done && done.dropped > 0 && { dropped: done.dropped };
  answerDone(context, { bucket, ...summary, ...dropped }, lines.filter(Boolean).join("\n"));
}
