// What needs attention now, and short series around an anomaly for its sparkline.
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { NowView } from "../../../api/server/now.ts";
import { strongestOf } from "../../../core/anomaly/reports/strongest.ts";
import { tagsParam } from "../../lib/fleet.ts";
import { readFolded } from "../chart/folded.ts";
import { serverNow } from "../clock.ts";
import { createResource } from "../resource.ts";
import { request } from "../session.ts";

export const now = createResource((signal) => request<NowView>("/now", { signal }));

type Column = readonly (number | null)[];

export interface SparkData {
  /** Start of the first cell, seconds since the epoch. */
  readonly from: number;
  /** Seconds of a cell. */
  readonly step: number;
  readonly mean: Column;
  readonly min: Column;
  readonly max: Column;
  readonly lower?: Column;
  readonly upper?: Column;
}

/** Cells of a sparkline. */
const CELLS = 120;
const DAY = 86_400;
/** Lengths of an anomaly before its start. */
const BEFORE = 4;

/** The feature with the greatest score, from some time before the start until now or a while after the end. */
export async function readSpark(
  { model, series, start, end, peak, features }: AnomalyView,
  signal: AbortSignal,
): Promise<SparkData | undefined> {
  const to = Math.min(serverNow(), (end ?? serverNow()) + DAY / 4);
  const read = (from: number) => {
    const of = tagsParam(series) || "&pooled=true";
    const query = `from=${Math.floor(from)}&to=${Math.ceil(to)}&points=${CELLS}&parts=observed;expected${of}`;
    return readFolded(model, query, signal);
  };
  const long = start - Math.max(DAY, BEFORE * (to - start));
  const first = await read(long);
  // Long intervals: more of them than a day has.
  const whole = first.cells < CELLS / 2 ? await read(start - CELLS * first.bucket_interval) : first;
  const [name] = strongestOf({ peak, features }) ?? [];
  // A series that has just begun would be a speck at the edge.
  const begins = whole.features?.[name ?? ""]?.mean.findIndex((value) => value !== null) ?? 0;
  const view = begins > CELLS / 2 ? await read(whole.from + begins * whole.step) : whole;
  const columns = name === undefined ? undefined : view.features?.[name];
  if (!columns || name === undefined) return undefined;
  const band = view.expected?.[name];
  return {
    from: view.from,
    step: view.step,
    ...columns,
    ...(band && { lower: band.lower, upper: band.upper }),
  };
}
