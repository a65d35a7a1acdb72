// Parameters of lists of series: state, part of a tag's value, order, page.
import { seriesStates } from "../../api/fleet.ts";
import { invalid } from "../../core/errors.ts";
import { type Listing, parseListing } from "../../core/input/listing.ts";
import type { SeriesQuery } from "../../store/fleets/series-list.ts";
import { parseText } from "../models/find.ts";
import { given, type Params } from "../shared/range.ts";

/** Columns by the field that shows them. */
const columns = { tags: "key", score: "score", newest_point: "newest" } as const;

export interface SeriesSearch extends Pick<SeriesQuery, "q" | "sort" | "page"> {
  readonly state?: (typeof seriesStates)[number];
}

/**
 * Reads `state`, `q`, `sort` and the page, by default the first.
 * @throws TorusError `invalid`
 */
export function parseSeriesSearch(params: Params): {
  readonly search: SeriesSearch;
  readonly listing: Listing;
} {
  const { page = 0 } = params;
  const listing = parseListing({ ...params, page });
  const { from, to } = listing.page!;
  const state = parseState(given(params, "state"));
  const q = parseText(given(params, "q"));
  const sort = parseOrder(listing.sort);
  const search = {
    page: { offset: from, limit: to - from },
    ...(state && { state }),
    ...(q !== undefined && { q }),
    ...(sort && { sort }),
  };
  return { search, listing };
}

function parseState(value: unknown): SeriesSearch["state"] {
  if (value === undefined) return undefined;
  const state = seriesStates.find((each) => each === value);
  if (!state) throw invalid("state", `must be one of ${seriesStates.join(", ")}`);
  return state;
}

function parseOrder(sort: Listing["sort"]): SeriesQuery["sort"] {
  if (!sort) return undefined;
  const { path, descending } = sort;
  const [, by] = Object.entries(columns).find(([field]) => field === path.join(".")) ?? [];
  if (!by) throw invalid("sort", `must be by ${Object.keys(columns).join(", ")}, as in score:-1`);
  return { by, descending };
}
