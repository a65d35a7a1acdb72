// SQL of the hooks that get an event: those of its model, and the global ones whose selector matches it.
import { eq } from "drizzle-orm";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { wantsEvent } from "../../core/anomaly/hook-options.ts";
import { selectsModel } from "../../core/anomaly/selects-model.ts";
import type { Feature } from "../../core/model/feature.ts";
import { filterInOrder } from "../db/in-order.ts";
import { models } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";
import { type HookRow, selectHooks } from "../hooks.ts";
import { hasStart } from "./deliveries.ts";

/** The hooks of the model that get an event, by name; for an end also those that got the start. */
export async function listAttached(tx: Tx, event: HookEvent): Promise<HookRow[]> {
  const rows = await selectHooks(tx, { model: event.model });
  return filterInOrder(rows, (hook) => wantsEvent(hook.options, event.kind) || hasStart(tx, event, hook));
}

/** The global hooks that get an event, by name; for an end also those that got the start. */
export async function listSelecting(tx: Tx, event: HookEvent): Promise<HookRow[]> {
  const rows = await selectHooks(tx, { model: null });
  if (rows.length === 0) return [];
  const model = { name: event.model, features: await featuresOf(tx, event), series: event.series };
  return filterInOrder(
    rows,
    (hook) =>
      (wantsEvent(hook.options, event.kind) && selectsModel(hook.selector!, model)) ||
      hasStart(tx, event, hook),
  );
}

/** Features of the model; for a deleted one those of the event. */
async function featuresOf(tx: Tx, { model, features }: HookEvent): Promise<Pick<Feature, "match_all">[]> {
  const row = await tx.select({ settings: models.settings }).from(models).where(eq(models.name, model)).get();
  if (row) return (row.settings as { features?: Feature[] }).features ?? [];
  return Object.values(features).map(({ tags = {} }) => ({
    match_all: Object.entries(tags).map(([tag, value]) => ({ tag, value })),
  }));
}
