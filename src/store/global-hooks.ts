// SQL of global hooks, which serve every model that their selector matches.
import { eq } from "drizzle-orm";
import type { HookEvent } from "../core/anomaly/event.ts";
import { wantsEvent } from "../core/anomaly/hook-options.ts";
import { type HookSelector, selectsModel } from "../core/anomaly/hook-selector.ts";
import { TorusError } from "../core/errors.ts";
import type { Feature } from "../core/model/feature.ts";
import { dropDeliveries, type HookContent, hasStart, redirectDeliveries } from "./anomalies/deliveries.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import { filterInOrder } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { globalHooks, models } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";
import { placeOfHook } from "./hooks.ts";

/** `config` includes the secrets. */
export type GlobalHookRow = typeof globalHooks.$inferSelect;

export type GlobalHookContent = HookContent & {
  readonly receiver: string;
  readonly selector: HookSelector;
};

/** All global hooks, by name. */
export function listGlobalHooks(store: Store): Promise<GlobalHookRow[]> {
  return read(store, async (db) => {
    const rows = await db.select().from(globalHooks).orderBy(globalHooks.name).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** @throws TorusError `not_found` */
export function loadGlobalHook(store: Store, name: string): Promise<GlobalHookRow> {
  return read(store, async (db) => openRow(store, await requireGlobalHook(db, name)));
}

/**
 * Creates or replaces a global hook; waiting deliveries go to the new one.
 * @param change gets the old content and returns the new one; a throw undoes everything
 * @returns whether it was created
 * @throws TorusError `invalid` beyond the cap
 */
export function putGlobalHook(
  store: Store,
  name: string,
  { at, change }: { at: number; change: (old: GlobalHookContent | undefined) => GlobalHookContent },
): Promise<boolean> {
  return write(store, async (tx) => {
    const old = await findGlobalHook(tx, name);
    if (!old) await assertBelowCap(tx, caps.globalHooks);
    const { kind, receiver, selector, options = {}, config: plain } = change(old && openRow(store, old));
    const ref = { model: null, name };
    const config = store.vault.seal(placeOfHook(ref), plain, kind);
    const content = { kind, receiver, selector, options, config, updatedAt: at };
    await tx
      .insert(globalHooks)
      .values({ name, createdAt: at, ...content })
      .onConflictDoUpdate({ target: globalHooks.name, set: content })
      .run();
    await redirectDeliveries(tx, ref, { kind, receiver, config, at });
    return old === undefined;
  });
}

/** Deletes a hook and its waiting deliveries. @throws TorusError `not_found` */
export function removeGlobalHook(store: Store, name: string): Promise<void> {
  return write(store, async (tx) => {
    await requireGlobalHook(tx, name);
    await tx.delete(globalHooks).where(eq(globalHooks.name, name)).run();
    await dropDeliveries(tx, { model: null, name });
  });
}

/** The stored row, secrets sealed. @throws TorusError `not_found` */
export async function requireGlobalHook(tx: Pick<Tx, "select">, name: string): Promise<GlobalHookRow> {
  const row = await findGlobalHook(tx, name);
  if (!row) throw new TorusError("not_found", `there is no global hook ${name}`);
  return row;
}

/** The hooks that get an event, by name; for an end also those that got the start. */
export async function listSelecting(tx: Tx, event: HookEvent): Promise<GlobalHookRow[]> {
  const rows = await tx.select().from(globalHooks).orderBy(globalHooks.name).all();
  if (rows.length === 0) return [];
  const model = { name: event.model, features: await featuresOf(tx, event), series: event.series };
  return filterInOrder(
    rows,
    ({ name, selector, options }) =>
      (wantsEvent(options, event.kind) && selectsModel(selector, model)) ||
      hasStart(tx, event, { model: null, name }),
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

/** The stored row, secrets sealed. */
export function findGlobalHook(tx: Pick<Tx, "select">, name: string): Promise<GlobalHookRow | undefined> {
  return tx.select().from(globalHooks).where(eq(globalHooks.name, name)).get();
}

function openRow({ vault }: Store, row: GlobalHookRow): GlobalHookRow {
  return { ...row, config: vault.open(placeOfHook({ model: null, name: row.name }), row.config) };
}
