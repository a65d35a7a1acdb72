// SQL of hooks: by model and name; they go with their model.
import { and, eq, isNull } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import { type HookContent, type HookRef, redirectDeliveries } from "./anomalies/deliveries.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Store } from "./db/open.ts";
import { hooks, outbox } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";
import { requireModel } from "./models.ts";
import type { Place } from "./secrets/seal.ts";

/** `config` holds the secrets too. */
export type HookRow = typeof hooks.$inferSelect;

/** Where a hook is. */
export type HookKey = Pick<HookRow, "model" | "name">;

/** All hooks of a model, by name. @throws TorusError `not_found` for the model */
export function listHooks(store: Store, model: string): Promise<HookRow[]> {
  return read(store, (db) => {
    requireModel(db, model);
    const rows = db.select().from(hooks).where(eq(hooks.model, model)).orderBy(hooks.name).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** @throws TorusError `not_found` for the model or the hook */
export function loadHook(store: Store, key: HookKey): Promise<HookRow> {
  return read(store, (db) => openRow(store, requireHook(db, key)));
}

/**
 * Creates or replaces a hook; what still waits for the old one goes to the new one.
 * @param change gets what was there and returns what is to be there; what it throws undoes everything
 * @throws TorusError `not_found` for the model, `invalid` where it has too many
 */
export function putHook(
  store: Store,
  { model, name }: HookKey,
  { at, change }: { at: number; change: (old: HookContent | undefined) => HookContent },
): Promise<void> {
  return write(store, (tx) => {
    requireModel(tx, model);
    const old = findHook(tx, { model, name });
    if (!old) assertBelowCap(tx, caps.hooks, eq(hooks.model, model));
    const content = change(old && openRow(store, old));
    const { kind, receiver = null } = content;
    const config = store.vault.seal(placeOfHook({ model, name }), content.config, kind);
    tx.insert(hooks)
      .values({ model, name, kind, receiver, config, createdAt: at, updatedAt: at })
      .onConflictDoUpdate({
        target: [hooks.model, hooks.name],
        set: { kind, receiver, config, updatedAt: at },
      })
      .run();
    redirectDeliveries(tx, { model, name }, { kind, receiver, config, at });
  });
}

/** @throws TorusError `not_found` for the model or the hook */
export function removeHook(store: Store, key: HookKey): Promise<void> {
  return write(store, (tx) => {
    requireHook(tx, key);
    tx.delete(hooks).where(at(key)).run();
  });
}

/** Fills in the receivers of hooks of an older version, and of what waits for them. */
export function fillReceivers(
  store: Store,
  receiverOf: (kind: string, config: HookContent["config"]) => string,
): Promise<void> {
  return write(store, (tx) => {
    const rows = tx.select().from(hooks).where(isNull(hooks.receiver)).all();
    for (const row of rows) {
      const receiver = receiverOf(row.kind, openRow(store, row).config);
      tx.update(hooks).set({ receiver }).where(at(row)).run();
      const waiting = and(
        eq(outbox.isGlobal, false),
        eq(outbox.model, row.model),
        eq(outbox.hook, row.name),
        eq(outbox.state, "waiting"),
      );
      tx.update(outbox).set({ receiver }).where(waiting).run();
    }
  });
}

/** Where the configuration of a hook is, also that of its entries in the outbox. */
export function placeOfHook({ model, name }: HookRef): Place {
  // No model has an empty name.
  return { table: "hooks", row: [model ?? "", name] };
}

function openRow({ vault }: Store, row: HookRow): HookRow {
  return { ...row, config: vault.open(placeOfHook(row), row.config) };
}

function at({ model, name }: HookKey) {
  return and(eq(hooks.model, model), eq(hooks.name, name));
}

function findHook(tx: Pick<Tx, "select">, key: HookKey): HookRow | undefined {
  return tx.select().from(hooks).where(at(key)).get();
}

/** The row as it is kept: its secrets are sealed. */
export function requireHook(tx: Pick<Tx, "select">, key: HookKey): HookRow {
  requireModel(tx, key.model);
  const row = findHook(tx, key);
  if (!row) throw new TorusError("not_found", `model ${key.model} has no hook ${key.name}`);
  return row;
}
