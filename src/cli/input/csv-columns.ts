// CSV file as numeric columns, sorted by time, optionally averaged over intervals.
import { invalid } from "../../core/errors.ts";
import { CsvBatches, type CsvOptions } from "./csv-batches.ts";

const BATCH_SIZE = 10_000;

/** The points of one column; both lists have equal length. */
export interface CsvColumn {
  readonly name: string;
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export interface ColumnsOptions extends Omit<CsvOptions, "batchSize"> {
  /** Averaging interval in seconds; absent: no averaging. */
  readonly intervalSeconds?: number | undefined;
}

type Input = ConstructorParameters<typeof CsvBatches>[0];

/**
 * Reads the chosen columns, or all numeric ones.
 * @throws TorusError `invalid` naming line and column; also for two points of a column at the same time
 */
export async function readColumns(input: Input, options: ColumnsOptions): Promise<CsvColumn[]> {
  const batches = new CsvBatches(input, { ...options, batchSize: BATCH_SIZE });
  const points: Readonly<Record<string, unknown>>[] = [];
  for await (const batch of batches)
    for (const point of batch.points) points.push(point as (typeof points)[number]);
  points.sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
  return batches.summary.fields.map((name) => {
    const present = points.filter((point) => typeof point[name] === "number");
    const column = {
      name,
      times: present.map(({ timestamp }) => timestamp as number),
      values: present.map((point) => point[name] as number),
    };
    const { intervalSeconds } = options;
    return intervalSeconds ? averageColumn(column, intervalSeconds) : assertOnePerInstant(column);
  });
}

function assertOnePerInstant(column: CsvColumn): CsvColumn {
  const { name, times } = column;
  const twice = times.findIndex((at, i) => at === times[i + 1]);
  if (twice < 0) return column;
  const at = new Date(times[twice]! * 1000).toISOString();
  throw invalid(
    name,
    `has two values at ${at}: where the file holds several series, keep the lines of one; --interval averages them`,
  );
}

/** The mean of each interval that holds points, at its start. */
export function averageColumn({ name, times, values }: CsvColumn, intervalSeconds: number): CsvColumn {
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
