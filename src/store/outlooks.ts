// SQL of outlooks: when features of live models and their series reach a limit; kept until the next one, listed by date.
import { and, asc, count, desc, eq, lte, min, type SQL } from "drizzle-orm";
import { mapPipelined } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { live, liveSeries, outlooks } from "./db/schema.ts";
import { read, writeUncached } from "./db/transaction.ts";
import { requireModel } from "./models.ts";
import { MODEL_KEY, matchesSubject, ofLive, ofSeries, type SubjectQuery } from "./subjects.ts";

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

export interface OutlookQuery extends SubjectQuery {
  /** Only predictable ones until then, ms since the epoch. */
  readonly untilAt?: number;
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
      .innerJoin(live, ofLive(outlooks))
      .leftJoin(liveSeries, ofSeries(outlooks))
      .where(matches(query))
      .orderBy(desc(isPredictable), asc(reachedAt), asc(model), asc(series), asc(feature), asc(type))
      .limit(to - from)
      .offset(from)
      .all();
    return rows.map(({ row, series: tags }) => ({ ...row, series: tags }));
  });
}

/** Earliest dates that are foreseen, ms since the epoch, by model. @param madeAt only those made since */
export function readFirstDates(store: Store, madeAt: number): Promise<ReadonlyMap<string, number>> {
  const { isPredictable, reachedAt, model } = outlooks;
  return read(store, async (db) => {
    const rows = await db
      .select({ model, first: min(reachedAt) })
      .from(outlooks)
      .innerJoin(live, ofLive(outlooks))
      .leftJoin(liveSeries, ofSeries(outlooks))
      .where(and(matches({ madeAt }), eq(isPredictable, true)))
      .groupBy(model)
      .all();
    return new Map(rows.map((row) => [row.model, Number(row.first)]));
  });
}

/** Number of outlooks on all pages. */
export function countOutlooks(store: Store, query: OutlookQuery): Promise<number> {
  return read(store, async (db) => {
    const rows = db
      .select({ n: count() })
      .from(outlooks)
      .innerJoin(live, ofLive(outlooks))
      .leftJoin(liveSeries, ofSeries(outlooks));
    return (await rows.where(matches(query)).get())!.n;
  });
}

function matches({ untilAt, ...query }: OutlookQuery): SQL | undefined {
  return and(
    matchesSubject(outlooks, query),
    untilAt === undefined
      ? undefined
      : and(eq(outlooks.isPredictable, true), lte(outlooks.reachedAt, untilAt)),
  );
}
