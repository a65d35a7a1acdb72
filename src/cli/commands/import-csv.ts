// The command that loads a CSV file into a bucket.
import { invalid } from "../../core/errors.ts";
import { describeGuesses, describeLeftOut, listFields } from "../../core/formats/csv/describe.ts";
import type { CsvPoint } from "../../core/formats/csv/points.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { type Batch, CsvBatches } from "../input/csv-batches.ts";
import { csvFormatOf, csvFormatOptions, fileArgument, timeColumnOption } from "../input/csv-options.ts";
import { openInput, STDIN } from "../input/files.ts";
import { describeZone, previewFile } from "../output/csv-reading.ts";
import { answerDone } from "../output/present.ts";
import { countOf } from "../terminal/format.ts";
import { openProgress } from "../work/follow-job.ts";
import { describeDropped, type Written, writePoints } from "../work/write-points.ts";
import { bucketExists } from "./buckets.ts";

const DEFAULT_BATCH_SIZE = 10_000;
/** Points that a dry run shows. */
const PREVIEW = 3;

export const importCsv = defineCommand({
  name: "import-csv",
  group: "data",
  summary: "Load a CSV file into a bucket; creates a missing bucket",
  details: [
    "Numeric columns become fields; the time, separators and the form of numbers are found by content, and",
    "what was guessed is said. A file is read to its end before anything is written, standard input is not.",
    "Gzip is decompressed. The file may exceed the memory.",
  ],
  arguments: fileArgument,
  options: {
    bucket: { short: "b", value: "BUCKET", required: true, description: "Bucket to write to" },
    measurement: { short: "m", value: "NAME", description: "Measurement of the points" },
    "time-column": timeColumnOption,
    ...csvFormatOptions,
    columns: { short: "c", value: "A,B", type: "list", description: "Columns that become fields" },
    "batch-size": {
      value: "N",
      type: "integer",
      fallback: String(DEFAULT_BATCH_SIZE),
      description: "Points per request",
    },
    "dry-run": { description: "Read and validate the file, and show its first points, without writing" },
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
    const open = () =>
      new CsvBatches(openInput(file, context.terminal, context.signal), {
        nowAt: context.terminal.now(),
        timeColumn: options["time-column"],
        columns: options.columns,
        ...csvFormatOf(options, context.globals.tz),
        batchSize,
      });
    if (options["dry-run"]) {
      const batches = open();
      const points = await readAll(context, batches);
      report(context, batches, {
        verb: "would write",
        bucket,
        preview: previewFile(context, batches, points),
        timezone: options.timezone,
      });
      return;
    }
    // Nothing of a file is written unless all of it can be; standard input cannot be read twice.
    if (file !== STDIN) await readAll(context, open());
    const batches = open();
    const ensured = prepareOnFirst(batches, () => ensureBucket(context, bucket));
    const done = await writePoints(context, ensured, { bucket, ...(measurement && { measurement }) });
    report(context, batches, { verb: "wrote", bucket, timezone: options.timezone, done });
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

/** @returns the first points */
async function readAll(context: Context, batches: CsvBatches): Promise<readonly CsvPoint[]> {
  const line = openProgress(context, "read");
  const first: CsvPoint[] = [];
  try {
    for await (const { share, points } of batches) {
      first.push(...points.slice(0, PREVIEW - first.length));
      line.update({
        ...(share !== undefined && { share }),
        note: `${countOf(batches.counts.points, "point")}`,
      });
    }
    return first;
  } finally {
    line.end();
  }
}

interface ImportResult {
  readonly verb: string;
  readonly bucket: string;
  /** Of local times, as it was given. */
  readonly timezone: string | undefined;
  /** Absent where nothing was to be written. */
  readonly done?: Written;
  readonly preview?: string;
}

function report(
  context: Context,
  batches: CsvBatches,
  { verb, bucket, timezone, done, preview }: ImportResult,
): void {
  const { reading, counts, encoding, options } = batches;
  const { time, texts, tags, leftOut } = reading.roles;
  const { times } = context;
  const { points, first, last, missing, quantities: _, isLocal: __, ...left } = counts;
  const dropped = done?.dropped ?? 0;
  const names = listFields(reading, counts);
  const notes = describeGuesses(reading, encoding);
  const lines = [
    preview && `${preview}\n`,
    `${verb} ${countOf(points - dropped, "point")} to ${bucket}: ${names.join(", ")}`,
    first !== undefined && `from ${times.format(first)} to ${times.format(last)} ${times.zone}`,
    done && describeDropped(done),
    ...notes,
    describeZone(batches, timezone),
    ...describeLeftOut(reading, counts, options.onDuplicate),
  ];
  const answer = {
    bucket,
    points: points - dropped,
    ...(dropped > 0 && { dropped }),
    first,
    last,
    time: time.name,
    fields: names,
    tags: tags.map(({ name }) => name),
    texts: texts.map(({ name }) => name),
    left_out: leftOut.map(({ name }) => name),
    ...left,
    missing: Object.fromEntries(missing),
    notes,
  };
  answerDone(context, answer, lines.filter(Boolean).join("\n"));
}
