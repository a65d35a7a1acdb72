// Series of one model for its chart: observed values at once, then expected values and scores, evaluated where missing.
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { ChangeView } from "../../../api/changes/change.ts";
import type { LabelView } from "../../../api/label.ts";
import type { ModelView } from "../../../api/model.ts";
import type { ModelSeriesView } from "../../../api/series.ts";
import { Problem } from "../../api/client.ts";
import { concerningChanges } from "../../lib/changes.ts";
import { seriesParam } from "../../lib/fleet.ts";
import { nameOf } from "../../lib/model-state.ts";
import type { Range } from "../../lib/range.ts";
import { request } from "../session.ts";
import { readFolded } from "./folded.ts";

export type { Range } from "../../lib/range.ts";

/** Most intervals that are evaluated for a look, as the server does for one request. */
const MAX_FILLED = 10_000;

type Column = readonly (number | null)[];

/** Columns of one feature; all as long as `times`. */
export interface FeatureColumns {
  readonly min: Column;
  readonly mean: Column;
  readonly max: Column;
  readonly expected?: Column;
  readonly lower?: Column;
  readonly upper?: Column;
}

export interface ChartData {
  readonly times: readonly number[];
  /** Seconds from one time to the next. */
  readonly step: number;
  readonly features: Readonly<Record<string, FeatureColumns>>;
  readonly score?: Column;
  readonly thresholds: { readonly max: number; readonly min: number };
  readonly anomalies: readonly AnomalyView[];
  readonly labels: readonly LabelView[];
  /** The newest that concern the model. */
  readonly changes: readonly ChangeView[];
  /** Whether the range is too long for what is not recorded to be evaluated. */
  readonly isFolded: boolean;
}

interface ReadOptions {
  /** Of a fleet, as in `host:a,cpu:0`. */
  readonly series?: string | undefined;
  readonly points: number;
  readonly signal: AbortSignal;
}

/** Reads observed values, recorded scores, anomalies, labels and changes. @throws Problem */
export async function readSeries(
  model: ModelView,
  { from, to }: Range,
  { points, signal, series: subject }: ReadOptions,
): Promise<ChartData> {
  const name = nameOf(model);
  const path = `/models/${encodeURIComponent(name)}`;
  const query = queryOf({ from, to }, subject);
  const [own, anomalies, labels, changes] = await Promise.all([
    readFolded(name, `${query}&points=${points}&parts=observed;expected;score`, signal),
    request<readonly AnomalyView[]>(`${path}/anomalies?${query}`, { signal }),
    request<readonly LabelView[]>(`${path}/labels?${query}`, { signal }),
    request<readonly ChangeView[]>(`/changes?${queryOf({ from, to }, undefined)}`, { signal }),
  ]);
  const data: ChartData = {
    times: Array.from({ length: own.cells }, (_, i) => own.from + i * own.step),
    step: own.step,
    features: own.features ?? {},
    thresholds: own.thresholds,
    anomalies,
    labels,
    changes: concerningChanges(changes, model, subject),
    isFolded: (to - from) / own.bucket_interval > MAX_FILLED,
  };
  return withScores(data, own);
}

/** Adds scores of intervals that live detection did not record; the data as they are where the server refuses. */
export async function fillScores(
  data: ChartData,
  model: ModelView,
  { range, points, signal, series: subject }: ReadOptions & { readonly range: Range },
): Promise<ChartData> {
  if (data.isFolded || !model.state.trained || data.times.length === 0) return data;
  const query = `${queryOf(range, subject)}&points=${points}&parts=expected;score&fill=true`;
  try {
    return withScores(data, await readFolded(nameOf(model), query, signal));
  } catch (error) {
    if (error instanceof Problem && error.status >= 400 && error.status < 500) return data;
    throw error;
  }
}

const queryOf = ({ from, to }: Range, series: string | undefined) =>
  `from=${Math.floor(from)}&to=${Math.ceil(to)}${seriesParam(series)}`;

/** Expected values, bands and scores of an answer of the same cells, which may have one more by now. */
export function withScores(
  data: ChartData,
  { expected, score }: Pick<ModelSeriesView, "expected" | "score">,
) {
  const fit = (column: Column) => data.times.map((_, i) => column[i] ?? null);
  const hasScores = score?.some((value) => value !== null) ?? false;
  if (!hasScores) return data;
  const features = Object.entries(data.features).map(([name, columns]) => {
    const own = expected?.[name];
    const band = own && { expected: fit(own.mean), lower: fit(own.lower), upper: fit(own.upper) };
    return [name, { ...columns, ...band }] as const;
  });
  return { ...data, features: Object.fromEntries(features), score: fit(score!) };
}
