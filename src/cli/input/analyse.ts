// Detection and forecast of a series in this process: what commands ask, and how refusals name their own options.
import { TorusError } from "../../core/errors.ts";
import type { Times } from "../terminal/times.ts";
import type { CsvColumn } from "./csv-columns.ts";

/** The points of a column as a request has them. */
export function toSeries({ times, values }: CsvColumn): { timestamp: number; value: number }[] {
  return times.map((timestamp, i) => ({ timestamp, value: values[i]! }));
}

const flags: Readonly<Record<string, string>> = {
  maxAnomalyRatio: "--max-ratio",
  p_val: "--level",
  level: "--level",
  sensitivity: "--sensitivity",
  period: "--period",
  horizon: "--horizon",
};

/**
 * Runs an analysis of a column.
 * @throws TorusError that names the column and its instant, or the option, in place of a part of the request
 */
export async function analyse<T>(column: CsvColumn, times: Times, run: () => Promise<unknown>): Promise<T> {
  try {
    return (await run()) as T;
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    throw new TorusError(error.code, rename(error.message, column, times), error.details);
  }
}

function rename(message: string, { name, times: instants }: CsvColumn, times: Times): string {
  const [, path = "", rest = message] = /^([^:]+): ([\s\S]*)$/.exec(message) ?? [];
  const text = rest
    .replace(
      /give the granularity or bucket_interval they have.*$/,
      "average them with --interval, as in --interval 5m",
    )
    .replace(
      /send the newest, or average them over longer intervals/,
      "average them with a longer --interval",
    );
  const index = /^series\.(\d+)/.exec(path)?.[1];
  if (index !== undefined) return `${name}: the point at ${times.format(instants[Number(index)])} ${text}`;
  return `${path === "series" ? name : (flags[path] ?? path)}: ${text}`;
}
