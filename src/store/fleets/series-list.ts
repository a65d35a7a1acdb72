// SQL of lists of live series: filtered, sorted, a page at a time; those of 100 000 series stay fast.
import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { SeriesStatus } from "../../core/series/series-status.ts";
import type { Store } from "../db/open.ts";
import { liveSeries, liveSeriesStates } from "../db/schema.ts";
import { read } from "../db/transaction.ts";
import type { LiveSeriesRow } from "./live-series.ts";
import { holdsText } from "./series-tags.ts";

interface SeriesFilter {
  readonly status?: SeriesStatus;
  /** Part of a value of a tag; letters of ASCII in either case. */
  readonly q?: string;
}

export interface SeriesQuery extends SeriesFilter {
  /** Default: by key, rising. Series without a value come last. */
  readonly sort?: { readonly by: "score" | "key" | "newest"; readonly descending: boolean };
  readonly page: { readonly offset: number; readonly limit: number };
}

/** A page of the series of a live model; empty where the model is not live. */
export function listLiveSeries(
  store: Store,
  model: string,
  { sort, page, ...filter }: SeriesQuery,
): Promise<LiveSeriesRow[]> {
  const rowid = sql<number>`rowid`;
  return read(store, async (db) => {
    // First the places of the rows, mostly from indexes alone: pages deep in the list skip many.
    const places = (
      await db
        .select({ rowid })
        .from(liveSeries)
        .where(matches(model, filter))
        .orderBy(...orderOf(sort))
        .limit(page.limit)
        .offset(page.offset)
        .all()
    ).map((row) => row.rowid);
    const isListed = sql`rowid in (select cast(value as bigint) from json_each(${JSON.stringify(places)}))`;
    const found = await db.select({ rowid, series: liveSeries }).from(liveSeries).where(isListed).all();
    const rows = new Map(found.map(({ rowid, series }) => [rowid, series]));
    return places.map((place) => {
      const { model: _, ...row } = rows.get(place)!;
      return row;
    });
  });
}

/** Numbers of series by status; a status without series is left out. */
export function countLiveSeries(
  store: Store,
  model: string,
  filter: SeriesFilter = {},
): Promise<Partial<Record<SeriesStatus, number>>> {
  const { status } = liveSeries;
  return read(store, async (db) => {
    const where = matches(model, filter);
    const rows = await db.select({ status, n: count() }).from(liveSeries).where(where).groupBy(status).all();
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  });
}

/** Ids of the anomalies in progress among some series, by key. */
export function listSeriesEpisodes(
  store: Store,
  model: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { key, state } = liveSeriesStates;
  const id = sql<string | null>`json_extract(${state}, '$.episode.id')`;
  return read(store, async (db) => {
    const isListed = and(eq(liveSeriesStates.model, model), inArray(key, [...keys]));
    const rows = await db.select({ key, id }).from(liveSeriesStates).where(isListed).all();
    return new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.key, row.id] as const])));
  });
}

function orderOf(
  { by, descending }: NonNullable<SeriesQuery["sort"]> = { by: "key", descending: false },
): SQL[] {
  const { key, score, newestAt } = liveSeries;
  if (by === "key") return [descending ? desc(key) : asc(key)];
  const column = by === "score" ? score : newestAt;
  return descending ? [sql`${column} desc nulls last`, desc(key)] : [sql`${column} asc nulls last`, asc(key)];
}

function matches(model: string, { status, q }: SeriesFilter): SQL | undefined {
  const { key } = liveSeries;
  return and(
    eq(liveSeries.model, model),
    status && eq(liveSeries.status, status),
    q ? holdsText(key, q) : undefined,
  );
}
