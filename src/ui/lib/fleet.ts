// Series of fleets in addresses and requests: `#/models/NAME/series/host:a`, `series=host:a`; pure.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import { describeSeries, formatSeries, parseTags } from "../../core/model/series-text.ts";
import { buildRoute } from "./route.ts";

export type Tags = Readonly<Record<string, string>>;

/** Whether the model is a fleet: each combination of the values of its tags is a series. */
export function isFleet({ settings }: Pick<ModelView, "settings">): boolean {
  return settings.group_by !== undefined;
}

/** Orders of the list by their names in the address. */
export const seriesOrders = { score: "score:-1", name: "tags:1", newest: "newest_point:-1" } as const;
export type SeriesOrder = keyof typeof seriesOrders;

/** The query of a list of series for the address. @param perPage series of a page */
export function seriesListQuery(params: Readonly<Record<string, string>>, perPage: number): string {
  const { state, q, page = "0" } = params;
  const query = new URLSearchParams({
    sort: seriesOrders[orderOf(params)],
    per_page: String(perPage),
    page,
    ...(state && { state }),
    ...(q && { q }),
  });
  return query.toString();
}

export function orderOf({ sort }: Readonly<Record<string, string>>): SeriesOrder {
  return sort !== undefined && Object.hasOwn(seriesOrders, sort) ? (sort as SeriesOrder) : "score";
}

/** `&series=host%3Aa`; nothing for a model of one series. */
export function seriesParam(series: string | undefined): string {
  return series === undefined ? "" : `&series=${encodeURIComponent(series)}`;
}

/** The same of tags; nothing without any. */
export function tagsParam(tags: Tags | undefined): string {
  return seriesParam(tags && formatSeries(tags));
}

export function addressOfSeries(
  model: string,
  tags: Tags,
  params?: Readonly<Record<string, string | undefined>>,
): string {
  return buildRoute(["models", model, "series", formatSeries(tags)], params);
}

/** The chart around an anomaly: of its series, else of its model. */
export function addressOfAnomaly({
  id,
  model,
  series,
}: Pick<AnomalyView, "id" | "model" | "series">): string {
  return series ? addressOfSeries(model, series, { at: id }) : buildRoute(["models", model], { at: id });
}

/** `host=a, cpu=0` of the text of an address; a text that names no series as it is. */
export function titleOfSeries(text: string): string {
  try {
    return describeSeries(parseTags(text));
  } catch {
    return text;
  }
}
