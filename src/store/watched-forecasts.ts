// SQL of watched forecasts: the live states that hold one, of models and of series of fleets.
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Store } from "./db/open.ts";
import { live, liveSeries, liveSeriesStates, models } from "./db/schema.ts";
import { read } from "./db/transaction.ts";

/** The state of a live model, or of one of its series, with its last forecasts. */
interface ForecastState {
  readonly model: string;
  /** Tags of the series; absent: the model. */
  readonly series?: Readonly<Record<string, string>>;
  /** JSON, owned by src/live. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** @param limit states at most, of models and of series each */
export function listForecastStates(store: Store, limit: number): Promise<ForecastState[]> {
  return read(store, async (db) => {
    const ofModels = await db
      .select({ model: live.model, state: live.state })
      .from(live)
      .where(sql`json_extract(${live.state}, '$.forecasts') is not null`)
      .limit(limit)
      .all();
    const { model, key, state } = liveSeriesStates;
    const ofSeries = await db
      .select({ model, series: liveSeries.tags, state })
      .from(liveSeriesStates)
      // Fleets without a watch are left out before their many states are looked at.
      .innerJoin(models, and(eq(models.name, model), isNotNull(watchOf())))
      .innerJoin(liveSeries, and(eq(liveSeries.model, model), eq(liveSeries.key, key)))
      .where(sql`json_extract(${state}, '$.forecasts') is not null`)
      .limit(limit)
      .all();
    return [...ofModels, ...ofSeries];
  });
}

const watchOf = () => sql`json_extract(${models.settings}, '$.watch_forecast')`;

/** Fleets with series that have no data, the most of them first. */
export function listSilentFleets(
  store: Store,
  limit: number,
): Promise<readonly { readonly model: string; readonly series: number }[]> {
  const { model, status } = liveSeries;
  const series = sql<number>`count(*)`.mapWith(Number);
  return read(store, (db) =>
    db
      .select({ model, series })
      .from(liveSeries)
      .where(eq(status, "silent"))
      .groupBy(model)
      .orderBy(sql`count(*) desc`, model)
      .limit(limit)
      .all(),
  );
}
