// Request of folded series: range, cells, parts, and their bounds.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { parseBoolean } from "../../core/input/value.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { type CellPlan, planCells } from "../../core/series/cells.ts";
import type { Range } from "../../core/series/grid.ts";
import { type StoredSettings, storedSettings } from "../../live/stored-settings.ts";
import type { ModelRow } from "../../store/models.ts";
import { parseSeriesParam } from "../models/params.ts";
import { given, givenNumber, type Limits, type Params, parseRange } from "../shared/range.ts";

export const seriesParts = ["observed", "expected", "score", "episodes"] as const;
type SeriesPart = (typeof seriesParts)[number];

export const seriesLimits = { names: 50, defaultPoints: 600, values: 500_000 } as const;
/** Cells of the answer. */
export const cellParameters = {
  points: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: seriesLimits.defaultPoints,
      description: "Most cells to cut the range into; a cell is a multiple of `bucket_interval`",
    }),
  ),
};

export interface SeriesRequest {
  readonly range: Range;
  readonly points: number;
  readonly parts: ReadonlySet<SeriesPart>;
  /** Evaluate intervals without a recorded score. */
  readonly fill: boolean;
  /** Version to evaluate with, in place of recorded scores; absent: the active one, where `fill` evaluates. */
  readonly version?: string;
  /** Of a fleet: the series to read, as in `host:a,cpu:0`. */
  readonly series?: string;
  /** Of a fleet, in place of `series`: the points of all series are read as one. */
  readonly pooled: boolean;
}

/** The series of one model to read. */
export interface SeriesPlan extends StoredSettings {
  readonly model: string;
  /** Of the model: rises with every change of its settings or its active version. */
  readonly generation: number;
  /** Name of the active version; absent: not trained. */
  readonly version?: string;
  readonly cells: CellPlan;
  /** Whether `version` was asked for by name: scores are evaluated with it, whatever is recorded. */
  readonly isChosen: boolean;
  /** Of a fleet: the series to read; absent: all points, of which there are no scores. */
  readonly series?: SeriesTags;
}

/** `from` (required), `to`, `points`, `parts`, `fill`, `version`, `series` and `pooled`. @throws TorusError `invalid` */
export function parseSeriesRequest(params: Params, nowAt: number): SeriesRequest {
  const fill = given(params, "fill");
  const version = given(params, "version");
  const series = given(params, "series");
  const pooled = given(params, "pooled");
  return {
    range: parseRange(params, { nowAt }),
    points: givenNumber(cellParameters, params, "points") ?? seriesLimits.defaultPoints,
    parts: parseParts(given(params, "parts")),
    fill: fill === undefined ? false : parseBoolean(fill, "fill"),
    pooled: pooled === undefined ? false : parseBoolean(pooled, "pooled"),
    ...(version !== undefined && { version: String(version) }),
    ...(series !== undefined && { series: String(series) }),
  };
}

/** @throws TorusError `invalid` */
function parseParts(value: unknown): ReadonlySet<SeriesPart> {
  if (value === undefined) return new Set(seriesParts);
  const rule = `must be some of ${seriesParts.join(";")}`;
  const words = typeof value === "string" ? value.split(";") : [];
  if (words.length === 0 || words.length > seriesParts.length) throw invalid("parts", rule);
  return new Set(
    words.map((word) => {
      const part = seriesParts.find((each) => each === word);
      if (!part) throw invalid("parts", rule);
      return part;
    }),
  );
}

/**
 * Plans the series of models.
 * @throws TorusError `invalid` where they would read or answer too many values, or a fleet has no `series`;
 * `not_supported` for a series of a model without `group_by`
 */
export function planSeries(
  rows: readonly ModelRow[],
  { range, points, version: chosen, ...request }: SeriesRequest,
  { nowAt, limits }: { nowAt: number; limits: Limits },
): SeriesPlan[] {
  const plans = rows.map((row) => {
    const stored = storedSettings(row);
    const cells = planCells(range, { intervalMs: stored.intervalMs, most: points, nowAt });
    const { name: model, generation, version } = row;
    const isEvaluated = request.fill || chosen !== undefined;
    requireSeries(stored.settings, { ...request, isEvaluated });
    const subject = parseSeriesParam(stored.settings, request);
    const named = { model, generation, ...(version && { version: version.name }) };
    return { ...stored, ...named, ...subject, cells, isChosen: chosen !== undefined };
  });
  const total = (count: (plan: SeriesPlan) => number) =>
    plans.reduce((sum, plan) => sum + count(plan) * plan.settings.features.length, 0);
  const read = total(({ cells, intervalMs }) => (cells.range.toAt - cells.range.fromAt) / intervalMs);
  if (read > limits.valuesPerRead)
    throw invalid(
      "from",
      `the range has ${read} values, at most ${limits.valuesPerRead} are allowed: choose a shorter one, or fewer models`,
    );
  const shown = total(({ cells }) => cells.count);
  if (shown > seriesLimits.values)
    throw invalid(
      "points",
      `the answer would have ${shown} cells, at most ${seriesLimits.values} are allowed: choose fewer points or models`,
    );
  return plans;
}

/** @throws TorusError `invalid` for a fleet without `series`, unless its points are pooled and not evaluated */
function requireSeries(
  { name, group_by }: StoredSettings["settings"],
  {
    series,
    pooled,
    isEvaluated,
  }: Pick<SeriesRequest, "series" | "pooled"> & { readonly isEvaluated: boolean },
): void {
  if (series !== undefined && pooled) throw invalid("pooled", "must not be given beside series");
  if (!group_by || series !== undefined || (pooled && !isEvaluated)) return;
  const way = `is required, as in ${group_by.map((tag) => `${tag}:...`).join(",")}`;
  const other = isEvaluated ? "" : "; or pooled=true reads the points of all series as one";
  throw invalid("series", `${way}: model ${name} has group_by${other}`);
}
