// SQL of outlooks: when features of live models and their series reach a limit; kept until the next one, listed by date.
import { and, asc, count, desc, eq, gte, inArray, isNotNull, lte, or, type SQL } from "drizzle-orm";
import { mapPipelined } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { live, liveSeries, outlooks } from "./db/schema.ts";
import { read, writeUncached } from "./db/transaction.ts";
import { hasTags } from "./fleets/series-tags.ts";
import { requireModel } from "./models.ts";

/** Key of what is no series: the model itself. */
const MODEL_KEY = "";

type Row = typeof outlooks.$inferSelect;
export type NewOutlook = Omit<Row, "model" | "series">;

export interface OutlookRow extends Omit<Row, "series"> {
  /** Tags of the series; null: of the model. */
  readonly series: Readonly<Record<string, string>> | null;
}

/** Replaces the outlooks of a model, or of a series. @throws TorusError `not_found` (model) */
export function replaceOutlooks(
  store: Store,
  { model, series = MODEL_KEY }: { readonly model: string; readonly series?: string | undefined },
  found: readonly NewOutlook[],
): Promise<void> {
  return writeUncached(store, async (tx) => {
    await requireModel(tx, model);
    await tx
      .delete(outlooks)
      .where(and(eq(outlooks.model, model), eq(outlooks.series, series)))
      .run();
    await mapPipelined(found, (one) =>
      tx
        .insert(outlooks)
        .values({ model, series, ...one })
        .run(),
    );
  });
}

export interface OutlookQuery {
  /** Only those made since, ms since the epoch. */
  readonly madeAt: number;
  /** Only predictable ones until then, ms since the epoch. */
  readonly untilAt?: number;
  readonly models?: readonly string[];
  /** Only those of series with all of these tags. */
  readonly series?: Readonly<Record<string, string>>;
}

/** Outlooks of live models by date; those that are not predictable come last. */
export function listOutlooks(
  store: Store,
  query: OutlookQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OutlookRow[]> {
  const { isPredictable, reachedAt, model, series, feature, type } = outlooks;
  return read(store, async (db) => {
    const rows = await db
      .select({ row: outlooks, series: liveSeries.tags })
      .from(outlooks)
      .innerJoin(live, eq(live.model, outlooks.model))
      .leftJoin(liveSeries, ofSeries)
      .where(matches(query))
      .orderBy(desc(isPredictable), asc(reachedAt), asc(model), asc(series), asc(feature), asc(type))
      .limit(to - from)
      .offset(from)
      .all();
    return rows.map(({ row, series: tags }) => ({ ...row, series: tags }));
  });
}

/** Number of outlooks on all pages. */
export function countOutlooks(store: Store, query: OutlookQuery): Promise<number> {
  return read(store, async (db) => {
    const rows = db
      .select({ n: count() })
      .from(outlooks)
      .innerJoin(live, eq(live.model, outlooks.model))
      .leftJoin(liveSeries, ofSeries);
    return (await rows.where(matches(query)).get())!.n;
  });
}

const ofSeries = and(eq(liveSeries.model, outlooks.model), eq(liveSeries.key, outlooks.series));

function matches({ madeAt, untilAt, models, series }: OutlookQuery): SQL | undefined {
  return and(
    gte(outlooks.madeAt, madeAt),
    // A series that is gone has no tags any more.
    or(eq(outlooks.series, MODEL_KEY), isNotNull(liveSeries.key)),
    untilAt === undefined
      ? undefined
      : and(eq(outlooks.isPredictable, true), lte(outlooks.reachedAt, untilAt)),
    models && inArray(outlooks.model, [...models]),
    series && hasTags(liveSeries.tags, series),
  );
}
