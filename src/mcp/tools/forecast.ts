// Tool `forecast`: expected values of a model, and the time at which a bound is passed.
import { type Static, Type } from "@sinclair/typebox";
import type { ForecastView } from "../../api/prediction.ts";
import { formatSi } from "../../core/formats/readable.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { forecastParameters } from "../../resources/models/request.ts";
import { modelArgument, pageSizes } from "../arguments.ts";
import { defineTool, type ToolResult } from "../tool.ts";
import { describeExtremes, foldForecast } from "../views/table.ts";
import { countOf } from "../views/values.ts";

/** Rows per feature without `rows`, and at most. */
const rowLimits = { usual: 48, most: 500 } as const;
/** Series of a page of a fleet without `per_page`. */
const SERIES = 3;

const { from, to, series, page, p_val, constraint } = forecastParameters;
const input = Type.Object(
  {
    model: modelArgument,
    from,
    to,
    series,
    page,
    per_page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageSizes.usual,
        description: `Series of a page; default ${SERIES}`,
      }),
    ),
    p_val,
    constraint,
    rows: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: rowLimits.most,
        description: `Rows per feature, default ${rowLimits.usual}; longer forecasts are folded`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const forecast = defineTool({
  name: "forecast",
  title: "Forecast a model",
  description:
    "Expected values with their band, from now on or of a range; `to` defaults to a day later. `constraint`, as in " +
    "`disk_used:high:90`, adds when the forecast first breaks that bound, earliest and latest. A row of a folded " +
    "forecast has the mean of its intervals and the outer edges of their bands. The model must be trained.",
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input,
  run: async ({ model, rows = rowLimits.usual, ...given }, { models, jobs, deadlineMs, signal }) => {
    const params = paramsOf(given);
    const { jobId } = await models.forecast(model, params, { foreground: true });
    const result = (await jobs.wait(jobId, { deadlineMs, signal })) as ForecastView | FleetResult;
    return "series" in result ? showFleet(result, rows) : showOne(result, rows);
  },
});

/** A page of series is asked for a few at a time, as each is a table. */
function paramsOf(given: Omit<Static<typeof input>, "model" | "rows">): Record<string, unknown> {
  return given.series === undefined ? { per_page: SERIES, ...given } : given;
}

interface FleetResult {
  readonly series: readonly (
    | ({ readonly tags: SeriesTags } & ForecastView)
    | { readonly tags: SeriesTags; readonly code: string; readonly error: string }
  )[];
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
}

function showOne(view: ForecastView, rows: number): ToolResult {
  const features = Object.keys(view.observed);
  const sentences = features.map((feature) => describeExtremes(view, feature));
  return {
    summary: [`${countOf(view.timestamps.length, "interval")}.`, ...sentences, ...explainBound(view)].join(
      " ",
    ),
    data: showForecast(view, rows),
  };
}

function showForecast(view: ForecastView, rows: number): Record<string, unknown> {
  const tables = Object.keys(view.observed).map((name) => [name, foldForecast(view, name, rows)] as const);
  return {
    intervals: view.timestamps.length,
    features: Object.fromEntries(tables),
    ...(view.units && { units: view.units }),
    ...(view.constraint && { constraint: view.constraint }),
  };
}

function explainBound({ constraint, units }: ForecastView): string[] {
  if (!constraint) return [];
  const { feature, type, threshold, first_date: date } = constraint;
  const unit = units?.[feature];
  const side = type === "high" ? "above" : "below";
  return [
    `${feature} is first ${side} ${unit === undefined ? threshold : formatSi(threshold, { unit })} ${date === null ? "not within the range" : `at ${date}`}.`,
  ];
}

function showFleet({ series, page, per_page, total }: FleetResult, rows: number): ToolResult {
  const left = Math.max(0, total - page * per_page - series.length);
  const shown = series.map((one) => ("error" in one ? one : { tags: one.tags, ...showForecast(one, rows) }));
  const next = left > 0 ? { next_page: page + 1 } : {};
  return {
    summary: `${countOf(series.length, "forecast")} of ${total} series; ${left} left out after this page.`,
    data: { series: shown, total, page, left_out: left, ...next },
  };
}
