// SQL of hooks of models, by model and name; deleted with their model.
import { and, eq, isNull } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import { type HookContent, type HookRef, redirectDeliveries } from "./anomalies/deliveries.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Store } from "./db/open.ts";
import { hooks, outbox } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";
import { requireModel } from "./models.ts";
import type { Place } from "./secrets/seal.ts";

/** `config` includes the secrets. */
export type HookRow = typeof hooks.$inferSelect;

/** Identifies a hook of a model. */
type HookKey = Pick<HookRow, "model" | "name">;

/** All hooks of a model, by name. @throws TorusError `not_found` for the model */
export function listHooks(store: Store, model: string): Promise<HookRow[]> {
  return read(store, async (db) => {
    await requireModel(db, model);
    const rows = await db.select().from(hooks).where(eq(hooks.model, model)).orderBy(hooks.name).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** The hooks of all models, by model and name. */
export function listAllHooks(store: Store): Promise<HookRow[]> {
  return read(store, async (db) => {
    const rows = await db.select().from(hooks).orderBy(hooks.model, hooks.name).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** The hooks of all models of one kind. */
export function listHooksOfKind(store: Store, kind: string): Promise<HookRow[]> {
  return read(store, async (db) => {
    const rows = await db.select().from(hooks).where(eq(hooks.kind, kind)).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** @throws TorusError `not_found` for the model or the hook */
export function loadHook(store: Store, key: HookKey): Promise<HookRow> {
  return read(store, async (db) => openRow(store, await requireHook(db, key)));
}

/**
 * Creates or replaces a hook; waiting deliveries go to the new one.
 * @param change gets the old content and returns the new one; a throw undoes everything
 * @throws TorusError `not_found` for the model, `invalid` beyond the cap
 */
export function putHook(
  store: Store,
  { model, name }: HookKey,
  { at, change }: { at: number; change: (old: HookContent | undefined) => HookContent },
): Promise<void> {
  return write(store, async (tx) => {
    await requireModel(tx, model);
    const old = await findHook(tx, { model, name });
    if (!old) await assertBelowCap(tx, caps.hooks, eq(hooks.model, model));
    const content = change(old && openRow(store, old));
    const { kind, receiver = null, options = {} } = content;
    const config = store.vault.seal(placeOfHook({ model, name }), content.config, kind);
    await tx
      .insert(hooks)
      .values({ model, name, kind, receiver, config, options, createdAt: at, updatedAt: at })
      .onConflictDoUpdate({
        target: [hooks.model, hooks.name],
        set: { kind, receiver, config, options, updatedAt: at },
      })
      .run();
    await redirectDeliveries(tx, { model, name }, { kind, receiver, config, at });
  });
}

/** @throws TorusError `not_found` for the model or the hook */
export function removeHook(store: Store, key: HookKey): Promise<void> {
  return write(store, async (tx) => {
    await requireHook(tx, key);
    await tx.delete(hooks).where(isHook(key)).run();
  });
}

/** Sets the receiver of hooks of an older version, and of their waiting deliveries. */
export function fillReceivers(
  store: Store,
  receiverOf: (kind: string, config: HookContent["config"]) => string,
): Promise<void> {
  return write(store, async (tx) => {
    const rows = await tx.select().from(hooks).where(isNull(hooks.receiver)).all();
    for (const row of rows) {
      const receiver = receiverOf(row.kind, openRow(store, row).config);
      await tx.update(hooks).set({ receiver }).where(isHook(row)).run();
      const waiting = and(
        eq(outbox.isGlobal, false),
        eq(outbox.model, row.model),
        eq(outbox.hook, row.name),
        eq(outbox.state, "waiting"),
      );
      await tx.update(outbox).set({ receiver }).where(waiting).run();
    }
  });
}

/** Place of the secrets of a hook, also of those in its rows of the outbox. */
export function placeOfHook({ model, name }: HookRef): Place {
  // Global hooks have the model "", which is no name.
  return { table: "hooks", row: [model ?? "", name] };
}

function openRow({ vault }: Store, row: HookRow): HookRow {
  return { ...row, config: vault.open(placeOfHook(row), row.config) };
}

function isHook({ model, name }: HookKey) {
  return and(eq(hooks.model, model), eq(hooks.name, name));
}

/** The stored row, secrets sealed. */
export function findHook(tx: Pick<Tx, "select">, key: HookKey): Promise<HookRow | undefined> {
  return tx.select().from(hooks).where(isHook(key)).get();
}

/** The stored row, secrets sealed. @throws TorusError `not_found` for the model or the hook */
export async function requireHook(tx: Pick<Tx, "select">, key: HookKey): Promise<HookRow> {
  await requireModel(tx, key.model);
  const row = await findHook(tx, key);
  if (!row) throw new TorusError("not_found", `model ${key.model} has no hook ${key.name}`);
  return row;
}
