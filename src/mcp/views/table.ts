// Tables of series for assistants: a bounded number of rows; long forecasts are folded, long reads are cut.
import type { ForecastView } from "../../api/prediction.ts";
import { formatTogether } from "../../core/formats/readable.ts";
import { isoOf, roundAll } from "./values.ts";

type Cell = number | null;
type Row = readonly (string | Cell)[];

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * The forecast of one feature, folded to at most `most` rows: the mean of the expected values of some intervals, and
 * the outer edges of their bands.
 */
export function foldForecast(
  { timestamps, predicted }: Pick<ForecastView, "timestamps" | "predicted">,
  feature: string,
  most: number,
): Table & { readonly intervals_per_row: number } {
  const expected = predicted[feature] ?? [];
  const lower = predicted[`lower_${feature}`] ?? expected;
  const upper = predicted[`upper_${feature}`] ?? expected;
  const size = Math.max(1, Math.ceil(timestamps.length / most));
  const rows: Row[] = [];
  for (let from = 0; from < timestamps.length; from += size) {
    const cut = (column: readonly number[]) => column.slice(from, from + size);
    const row = [meanOf(cut(expected)), Math.min(...cut(lower)), Math.max(...cut(upper))];
    rows.push([isoOf(timestamps[from]!), ...roundAll(row)]);
  }
  return { intervals_per_row: size, columns: ["time", "expected", "lower", "upper"], rows };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** `load is lowest with 1.2 at ... and highest with 9.7 at ...`, over all intervals. */
export function describeExtremes(
  { timestamps, predicted, units }: Pick<ForecastView, "timestamps" | "predicted" | "units">,
  feature: string,
): string {
  const expected = predicted[feature] ?? [];
  if (expected.length === 0) return `${feature} has no intervals.`;
  const order = [...expected.keys()].sort((a, b) => expected[a]! - expected[b]!);
  const ends = [order[0]!, order.at(-1)!];
  const texts = formatTogether(
    ends.map((index) => expected[index]!),
    { unit: units?.[feature] },
  );
  const [lowest, highest] = ends.map((index, i) => `${texts[i]} at ${isoOf(timestamps[index]!)}`);
  return `${feature} is expected lowest with ${lowest}, highest with ${highest}.`;
}

/** The first rows of a read, and how many were left out. */
export function cutTable(
  {
    timestamps,
    observed,
  }: {
    readonly timestamps: readonly number[];
    readonly observed: Readonly<Record<string, readonly Cell[]>>;
  },
  most: number,
): Table & { readonly left_out: number; readonly next_from?: string } {
  const columns = Object.values(observed);
  const rows = timestamps
    .slice(0, most)
    .map((at, i): Row => [isoOf(at), ...columns.map((column) => roundAll(column[i] ?? null))]);
  const next = timestamps[most];
  return {
    columns: ["time", ...Object.keys(observed)],
    rows,
    left_out: timestamps.length - rows.length,
    ...(next !== undefined && { next_from: isoOf(next) }),
  };
}
