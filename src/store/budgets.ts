// SQL of error budgets: the last state of each of live models and their series, listed by what is left.
import { and, asc, count, desc, eq, gte, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { mapPipelined } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { budgets, live, liveSeries } from "./db/schema.ts";
import { read, writeUncached } from "./db/transaction.ts";
import { hasTags } from "./fleets/series-tags.ts";
import { requireModel } from "./models.ts";

/** Key of what is no series: the model itself. */
const MODEL_KEY = "";

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

export interface BudgetQuery {
  /** Only those made since, ms since the epoch. */
  readonly madeAt: number;
  readonly models?: readonly string[];
  /** Only those of series with all of these tags. */
  readonly series?: Readonly<Record<string, string>>;
}

/** Budgets of live models, those with the least left first; unknown ones come last. */
export function listBudgets(
  store: Store,
  query: BudgetQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<BudgetRow[]> {
  const { isKnown, remaining, model, series, feature } = budgets;
  return read(store, async (db) => {
    const rows = await db
      .select({ row: budgets, series: liveSeries.tags })
      .from(budgets)
      .innerJoin(live, eq(live.model, budgets.model))
      .leftJoin(liveSeries, ofSeries)
      .where(matches(query))
      .orderBy(desc(isKnown), asc(remaining), asc(model), asc(series), asc(feature))
      .limit(to - from)
      .offset(from)
      .all();
    return rows.map(({ row, series: tags }) => ({ ...row, series: tags }));
  });
}

/** Number of budgets on all pages. */
export function countBudgets(store: Store, query: BudgetQuery): Promise<number> {
  return read(store, async (db) => {
    const rows = db
      .select({ n: count() })
      .from(budgets)
      .innerJoin(live, eq(live.model, budgets.model))
      .leftJoin(liveSeries, ofSeries);
    return (await rows.where(matches(query)).get())!.n;
  });
}

const ofSeries = and(eq(liveSeries.model, budgets.model), eq(liveSeries.key, budgets.series));

function matches({ madeAt, models, series }: BudgetQuery): SQL | undefined {
  return and(
    gte(budgets.madeAt, madeAt),
    // A series that is gone has no tags any more.
    or(eq(budgets.series, MODEL_KEY), isNotNull(liveSeries.key)),
    models && inArray(budgets.model, [...models]),
    series && hasTags(liveSeries.tags, series),
  );
}
