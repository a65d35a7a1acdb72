// Kind `csv`: a CSV file, or a folder of them, below the server's data root; read-only.
import { throwIfAborted } from "../../core/errors.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { exploreFiles, probeFiles } from "./explore.ts";
import { checkPath, listFiles } from "./files.ts";
import { namesOf, readGrid, readGroups } from "./read.ts";
import { type Batch, scanFiles } from "./scan.ts";
import { type CsvSettings, checkSettings, settings } from "./settings.ts";

export const csv: BucketKind<typeof settings> = {
  kind: "csv",
  description:
    "A CSV file, or a folder with a file per measurement, on the server's disk; every column but the time is a field " +
    "and a tag. Each file is a series for `rate` and `derivative`, and where it holds several, `series_by` names the " +
    "columns that distinguish them. Read-only; files are read at each request",
  settings,
  secrets: [],
  destination: [],
  check: checkSettings,
  checkPlace: ({ path }, { dataRoot }) => checkPath(path, dataRoot),
  open: (_name, own, { dataRoot }) => openCsv(own, dataRoot),
};

function openCsv(own: CsvSettings, root: string | undefined): Bucket {
  async function* scan(names?: ReadonlySet<string>): AsyncGenerator<Batch> {
    const files = await listFiles(own.path, root);
    yield* scanFiles(names ? files.filter(({ measurement }) => names.has(measurement)) : files, own);
  }
  /** Runs `work` unless it is no longer wanted. */
  async function look<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    return work();
  }
  const rowsOf = (query: ReadQuery) => ({ scan: () => scan(namesOf(query)), seriesBy: own.series_by ?? [] });
  return {
    read: (query, signal) => look(() => readGrid(rowsOf(query), query, signal), signal),
    readGrouped: (query, signal) => look(() => readGroups(rowsOf(query), query, signal), signal),
    probe: (signal) => look(() => probeFiles(scan, signal), signal),
    explore: (options, signal) => {
      const names = options.measurement === undefined ? undefined : new Set([options.measurement]);
      return look(() => exploreFiles(() => scan(names), options, signal), signal);
    },
    close() {},
  };
}
