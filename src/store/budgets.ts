// SQL of error budgets: the last state of each of live models and their series, listed by what is left.
import { and, asc, count, desc, eq } from "drizzle-orm";
import { mapPipelined } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { budgets, live, liveSeries } from "./db/schema.ts";
import { read, writeUncached } from "./db/transaction.ts";
import { requireModel } from "./models.ts";
import { MODEL_KEY, matchesSubject, ofLive, ofSeries, type SubjectQuery } from "./subjects.ts";

type Row = typeof budgets.$inferSelect;
export type NewBudget = Omit<Row, "model" | "series">;

export interface BudgetRow extends Omit<Row, "series"> {
  /** Tags of the series; null: of the model. */
  readonly series: Readonly<Record<string, string>> | null;
}

/** Replaces the budgets of a model, or of a series. @throws TorusError `not_found` (model) */
export function replaceBudgets(
  store: Store,
  { model, series = MODEL_KEY }: { readonly model: string; readonly series?: string | undefined },
  found: readonly NewBudget[],
): Promise<void> {
  return writeUncached(store, async (tx) => {
    await requireModel(tx, model);
    await tx
      .delete(budgets)
      .where(and(eq(budgets.model, model), eq(budgets.series, series)))
      .run();
    await mapPipelined(found, (one) =>
      tx
        .insert(budgets)
        .values({ model, series, ...one })
        .run(),
    );
  });
}

/** Budgets of live models, those with the least left first; unknown ones come last. */
export function listBudgets(
  store: Store,
  query: SubjectQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<BudgetRow[]> {
  const { isKnown, remaining, model, series, feature } = budgets;
  return read(store, async (db) => {
    const rows = await db
      .select({ row: budgets, series: liveSeries.tags })
      .from(budgets)
      .innerJoin(live, ofLive(budgets))
      .leftJoin(liveSeries, ofSeries(budgets))
      .where(matchesSubject(budgets, query))
      .orderBy(desc(isKnown), asc(remaining), asc(model), asc(series), asc(feature))
      .limit(to - from)
      .offset(from)
      .all();
    return rows.map(({ row, series: tags }) => ({ ...row, series: tags }));
  });
}

/** Number of budgets on all pages. */
export function countBudgets(store: Store, query: SubjectQuery): Promise<number> {
  return read(store, async (db) => {
    const rows = db
      .select({ n: count() })
      .from(budgets)
      .innerJoin(live, ofLive(budgets))
      .leftJoin(liveSeries, ofSeries(budgets));
    return (await rows.where(matchesSubject(budgets, query)).get())!.n;
  });
}
