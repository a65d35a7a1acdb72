// CSV file as numeric columns, one per field and series, sorted by time, optionally averaged over intervals.
import type { CsvPoint } from "../../core/formats/csv/points.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { type BatchOptions, CsvBatches } from "./csv-batches.ts";

const BATCH_SIZE = 10_000;

/** The points of one column; both lists have equal length. */
export interface CsvColumn {
  readonly name: string;
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

interface ColumnsOptions extends Omit<BatchOptions, "batchSize"> {
  /** Averaging interval in seconds; absent: no averaging. */
  readonly intervalSeconds?: number | undefined;
}

interface ReadColumns {
  readonly columns: readonly CsvColumn[];
  /** With the reading of the file. */
  readonly batches: CsvBatches;
}

type Input = ConstructorParameters<typeof CsvBatches>[0];

/**
 * Reads the chosen columns, or all numeric ones; of a file of several series, each is a column of its own.
 * @throws TorusError `invalid` naming line and column; also for two points of a series at the same time
 */
export async function readColumns(input: Input, options: ColumnsOptions): Promise<ReadColumns> {
  const { intervalSeconds } = options;
  // Points at one time are averaged, too.
  const onDuplicate = options.onDuplicate ?? (intervalSeconds ? "keep" : "error");
  const batches = new CsvBatches(input, { ...options, onDuplicate, batchSize: BATCH_SIZE });
  const bySeries = new Map<string, CsvPoint[]>();
  for await (const batch of batches)
    for (const point of batch.points) {
      const series = point.tags ? JSON.stringify(point.tags) : "";
      const known = bySeries.get(series);
      if (known) known.push(point);
      else bySeries.set(series, [point]);
    }
  const columns = [...bySeries.values()].flatMap((points) => toColumns(points, onDuplicate === "last"));
  return {
    columns: intervalSeconds ? columns.map((column) => averageColumn(column, intervalSeconds)) : columns,
    batches,
  };
}

/** A column per field of one series. @param keepsLast of points at one time; otherwise all of them */
function toColumns(points: readonly CsvPoint[], keepsLast: boolean): CsvColumn[] {
  const columns = new Map<string, { times: number[]; values: number[] }>();
  const tags = points[0]!.tags;
  for (const { timestamp, tags: _, ...fields } of points.toSorted((a, b) => a.timestamp - b.timestamp))
    for (const [name, value] of Object.entries(fields)) {
      const { times, values } = columns.get(name) ?? { times: [], values: [] };
      if (times.length === 0) columns.set(name, { times, values });
      const place = keepsLast && times.at(-1) === timestamp ? times.length - 1 : times.length;
      times[place] = timestamp;
      values[place] = value as number;
    }
  return [...columns].map(([name, column]) => ({
    name: tags ? `${name} ${describeSeries(tags)}` : name,
    ...column,
  }));
}

/** The mean of each interval that holds points, at its start. */
function averageColumn({ name, times, values }: CsvColumn, intervalSeconds: number): CsvColumn {
  const starts: number[] = [];
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [i, at] of times.entries()) {
    const start = Math.floor(at / intervalSeconds) * intervalSeconds;
    if (starts.at(-1) !== start) {
      starts.push(start);
      sums.push(0);
      counts.push(0);
    }
    sums[sums.length - 1]! += values[i]!;
    counts[counts.length - 1]!++;
  }
  return { name, times: starts, values: sums.map((sum, i) => sum / counts[i]!) };
}
