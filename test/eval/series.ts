// Labelled series of the evaluation: CSV files `timestamp,value,label`, on a grid of their own step.
import { join } from "node:path";

const HEADER = "timestamp,value,label";

/** Intervals of equal length, arrays equally long. */
export interface Series {
  /** Path below the data folder without its ending, as in `nab/realTweets/Twitter_volume_CRM`. */
  readonly name: string;
  /** First part of the name: the set it belongs to. */
  readonly group: string;
  /** Seconds. */
  readonly step: number;
  /** Start of the first interval, seconds since the epoch, a multiple of `step`. */
  readonly startAt: number;
  /** Mean of the rows of each interval; NaN where there is none. */
  readonly values: Float64Array;
  /** 1 where a row of the interval lies inside a labelled anomaly. */
  readonly labels: Uint8Array;
  /** As the file has them. */
  readonly rows: readonly Row[];
}

export interface Row {
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly value: number;
  readonly label: number;
}

/**
 * Reads every `.csv` and `.csv.gz` below a folder, sorted by name.
 * @throws Error naming the file (and line) that is not as it should be, or a folder without any
 */
export async function readFolder(folder: string): Promise<Series[]> {
  const paths = [...new Bun.Glob("**/*.csv{,.gz}").scanSync(folder)].sort();
  if (paths.length === 0) throw new Error(`${folder} holds no .csv file`);
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: await readText(join(folder, path)) })),
  );
  return files
    .filter(({ text }) => text.startsWith(HEADER))
    .map(({ path, text }) => toSeries(path.replace(/\.csv(\.gz)?$/, ""), parseRows(text, path)));
}

async function readText(path: string): Promise<string> {
  const bytes = await Bun.file(path).bytes();
  return new TextDecoder().decode(path.endsWith(".gz") ? Bun.gunzipSync(bytes) : bytes);
}

/** Rows of a file in time order. @throws Error naming the line */
export function parseRows(text: string, path: string): Row[] {
  const rows = text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line, i): Row => {
      const [timestamp, value, label] = line.split(",").map(Number);
      if (![timestamp, value, label].every(Number.isFinite))
        throw new Error(`${path}, line ${i + 2}: ${HEADER} must be three numbers`);
      return { timestamp: timestamp!, value: value!, label: label! };
    });
  if (rows.length < 2) throw new Error(`${path} has fewer than two rows`);
  return rows.sort((a, b) => a.timestamp - b.timestamp);
}

/** Puts rows on the grid of their most frequent difference in time, aligned on the epoch as the server does. */
export function toSeries(name: string, rows: readonly Row[]): Series {
  const step = mostFrequentStep(rows);
  const startAt = Math.floor(rows[0]!.timestamp / step) * step;
  const length = Math.floor((rows.at(-1)!.timestamp - startAt) / step) + 1;
  const values = new Float64Array(length);
  const counts = new Float64Array(length);
  const labels = new Uint8Array(length);
  for (const { timestamp, value, label } of rows) {
    const i = Math.floor((timestamp - startAt) / step);
    values[i]! += value;
    counts[i]!++;
    if (label !== 0) labels[i] = 1;
  }
  for (const [i, count] of counts.entries()) values[i] = count === 0 ? Number.NaN : values[i]! / count;
  return { name, group: name.split("/")[0]!, step, startAt, values, labels, rows };
}

function mostFrequentStep(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < rows.length; i++) {
    const difference = rows[i]!.timestamp - rows[i - 1]!.timestamp;
    if (difference > 0) counts.set(difference, (counts.get(difference) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  if (!most) throw new Error("all rows have the same timestamp");
  return most[0];
}

/** Values on intervals, without labels. */
export type Grid = Pick<Series, "values" | "step" | "startAt">;

/** Means over intervals `factor` times as long, aligned on the epoch; NaN where nothing is there. */
export function coarsen({ values, step, startAt }: Grid, factor: number): Grid {
  const coarse = step * factor;
  const from = Math.floor(startAt / coarse) * coarse;
  const shift = (startAt - from) / step;
  const length = Math.ceil((values.length + shift) / factor);
  const means = Float64Array.from({ length }, (_, k) => {
    const held = values
      .subarray(Math.max(0, k * factor - shift), (k + 1) * factor - shift)
      .filter(Number.isFinite);
    return held.length === 0 ? Number.NaN : held.reduce((sum, value) => sum + value, 0) / held.length;
  });
  return { values: means, step: coarse, startAt: from };
}

/** Number of intervals before `to` that hold a row. */
export function countObserved({ values }: Pick<Series, "values">, to = values.length): number {
  return values.subarray(0, to).filter(Number.isFinite).length;
}

/** Indices of the intervals that hold a row, from `from` on. */
export function observedFrom({ values }: Pick<Series, "values">, from = 0): Uint32Array {
  return Uint32Array.from(values.keys()).filter((i) => i >= from && Number.isFinite(values[i]!));
}
