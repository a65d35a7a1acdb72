// SQL of labels: ranges of a model that people marked; deleted with the model.
import { and, asc, eq, gt, lt } from "drizzle-orm";
import type { NewLabel } from "../../core/anomaly/stored-label.ts";
import { TorusError } from "../../core/errors.ts";
import { assertBelowCap } from "../db/caps.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { labels } from "../db/schema.ts";
import { announce, read, writeUncached } from "../db/transaction.ts";
import { concerns } from "../fleets/series-tags.ts";
import { requireModel } from "../models.ts";

export const labelCap = { table: labels, max: 10_000, noun: "labels of this model" } as const;

export type LabelRow = typeof labels.$inferSelect;

interface LabelPlace {
  readonly id: string;
  readonly model: string;
  /** Tags of the series that it concerns; absent: all series. */
  readonly series?: Readonly<Record<string, string>>;
  readonly at: number;
}

/**
 * Adds a label, unless the model has one that says the same.
 * @returns the new one, or the one that there was
 * @throws TorusError `not_found` (model), `invalid` beyond the cap
 */
export function insertLabel(
  store: Store,
  { id, model, at, ...label }: NewLabel & LabelPlace,
): Promise<LabelRow> {
  const row: LabelRow = { feature: null, note: null, series: null, ...label, id, model, createdAt: at };
  return writeUncached(store, async (tx) => {
    await requireModel(tx, model);
    const ofRange = await tx
      .select()
      .from(labels)
      .where(and(eq(labels.model, model), eq(labels.fromAt, row.fromAt), eq(labels.toAt, row.toAt)))
      .all();
    const same = ofRange.find((known) => Bun.deepEquals({ ...known, id, createdAt: at }, row, true));
    if (same) return same;
    await assertBelowCap(tx, labelCap, eq(labels.model, model));
    await tx.insert(labels).values(row).run();
    announce(tx, { type: "model", model, step: "labelled" });
    return row;
  });
}

/** @throws TorusError `not_found`, also for a label of another model */
export function removeLabel(store: Store, { model, id }: { model: string; id: string }): Promise<void> {
  return writeUncached(store, async (tx) => {
    const removed = await tx
      .delete(labels)
      .where(and(eq(labels.id, id), eq(labels.model, model)))
      .returning({ id: labels.id })
      .all();
    if (removed.length === 0)
      throw new TorusError("not_found", `model ${model} has no label ${id.slice(0, 64)}`);
    announce(tx, { type: "model", model, step: "labelled" });
  });
}

export interface LabelQuery {
  readonly model: string;
  /** Only those that overlap the range, ms since the epoch; either end may be open. */
  readonly fromAt?: number;
  readonly toAt?: number;
  /** Only those that concern the series with these tags. */
  readonly series?: Readonly<Record<string, string>>;
}

/** Labels by start: all, or a page. */
export function listLabels(
  store: Store,
  query: LabelQuery,
  page: { readonly from: number; readonly to: number } = { from: 0, to: labelCap.max },
): Promise<LabelRow[]> {
  return read(store, (db) =>
    db
      .select()
      .from(labels)
      .where(matches(query))
      .orderBy(asc(labels.fromAt), asc(labels.id))
      .limit(page.to - page.from)
      .offset(page.from)
      .all(),
  );
}

/** Number of labels on all pages. */
export function countLabels(store: Store, query: LabelQuery): Promise<number> {
  return read(store, (db) => countOf(db, labels, matches(query)));
}

function matches({ model, fromAt, toAt, series }: LabelQuery) {
  return and(
    eq(labels.model, model),
    fromAt === undefined ? undefined : gt(labels.toAt, fromAt),
    toAt === undefined ? undefined : lt(labels.fromAt, toAt),
    series && concerns(labels.series, series),
  );
}
