// SQL of hooks: those of a model, deleted with it, and global ones, which serve every model that their selector matches.
import { and, eq, isNull } from "drizzle-orm";
import { hookMutedUntil } from "../core/anomaly/hook-options.ts";
import type { HookSelector } from "../core/anomaly/hook-selector.ts";
import { TorusError } from "../core/errors.ts";
import {
  dropDeliveries,
  type HookContent,
  type HookRef,
  redirectDeliveries,
} from "./anomalies/deliveries.ts";
import { moveHeld } from "./anomalies/held.ts";
import { type Deletion, moveToBin, trimBin } from "./bin/move.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Store } from "./db/open.ts";
import { globalHooks, hooks, outbox } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";
import { requireModel } from "./models.ts";
import type { Place } from "./secrets/seal.ts";

/** `config` includes the secrets. */
export interface HookRow extends Omit<typeof hooks.$inferSelect, "model"> {
  /** Null: the hook is global. */
  readonly model: string | null;
  /** Of a global hook. */
  readonly selector?: HookSelector;
}

/** @param model null: the global hooks. @returns hooks by name. @throws TorusError `not_found` for the model */
export function listHooks(store: Store, model: string | null): Promise<HookRow[]> {
  return read(store, async (db) => {
    if (model !== null) await requireModel(db, model);
    return (await selectHooks(db, { model })).map((row) => openRow(store, row));
  });
}

/** The global hooks, then those of all models, by model and name. @param kind absent: all kinds */
export function listAllHooks(store: Store, kind?: string): Promise<HookRow[]> {
  return read(store, async (db) => (await selectHooks(db, { kind })).map((row) => openRow(store, row)));
}

/** @throws TorusError `not_found` for the model or the hook */
export function loadHook(store: Store, ref: HookRef): Promise<HookRow> {
  return read(store, async (db) => openRow(store, await requireHook(db, ref)));
}

/**
 * Creates or replaces a hook; waiting deliveries go to the new one, and those held back by a mute wait for its new end.
 * @param change gets the old content and returns the new one; a throw undoes everything
 * @throws TorusError `not_found` for the model, `invalid` beyond the cap
 */
export function putHook(
  store: Store,
  { model, name }: HookRef,
  { at, change }: { at: number; change: (old: HookContent | undefined) => HookContent },
): Promise<void> {
  return write(store, async (tx) => {
    if (model !== null) await requireModel(tx, model);
    const old = await findHook(tx, { model, name });
    if (!old && model === null) await assertBelowCap(tx, caps.globalHooks);
    if (!old && model !== null) await assertBelowCap(tx, caps.hooks, eq(hooks.model, model));
    const content = change(old && openRow(store, old));
    const { kind, receiver = null, options = {}, selector = {} } = content;
    const config = store.vault.seal(placeOfHook({ model, name }), content.config, kind);
    const set = { kind, receiver, config, options, updatedAt: at };
    if (model === null) {
      const globalSet = { ...set, receiver: receiver!, selector };
      const insert = tx.insert(globalHooks).values({ name, createdAt: at, ...globalSet });
      await insert.onConflictDoUpdate({ target: globalHooks.name, set: globalSet }).run();
    } else {
      const insert = tx.insert(hooks).values({ model, name, createdAt: at, ...set });
      await insert.onConflictDoUpdate({ target: [hooks.model, hooks.name], set }).run();
    }
    await redirectDeliveries(tx, { model, name }, { kind, receiver, config, at });
    const heldUntil = old && hookMutedUntil(old.options, at);
    if (heldUntil !== undefined)
      await moveHeld(tx, { model, name }, heldUntil, hookMutedUntil(options, at) ?? at);
  });
}

/**
 * Deletes a hook; a global one with its waiting deliveries.
 * @param deletion absent: for good
 * @returns entries of the bin
 * @throws TorusError `not_found` for the model or the hook
 */
export function removeHook(store: Store, ref: HookRef, deletion?: Deletion): Promise<string[]> {
  return write(store, async (tx) => {
    const { model, ...row } = await requireHook(tx, ref);
    const source = model === null ? "globalHooks" : "hooks";
    const rows = [[source, model === null ? row : { model, ...row }]] as const;
    const binned = deletion ? [await moveToBin(tx, { kind: "hook", ...ref, rows }, deletion)] : [];
    if (ref.model === null) {
      await tx.delete(globalHooks).where(eq(globalHooks.name, ref.name)).run();
      await dropDeliveries(tx, ref);
    } else await tx.delete(hooks).where(isHook(ref.model, ref.name)).run();
    if (deletion) await trimBin(tx);
    return binned;
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
      await tx.update(hooks).set({ receiver }).where(isHook(row.model, row.name)).run();
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

function isHook(model: string, name: string) {
  return and(eq(hooks.model, model), eq(hooks.name, name));
}

/**
 * Stored rows, secrets sealed: the global hooks, then those of models, by model and name.
 * @param filter model null: the global hooks alone
 */
export async function selectHooks(
  db: Pick<Tx, "select">,
  { model, name, kind }: Partial<HookRef> & { readonly kind?: string | undefined },
): Promise<HookRow[]> {
  const matches = (table: typeof hooks | typeof globalHooks) =>
    and(
      name === undefined ? undefined : eq(table.name, name),
      kind === undefined ? undefined : eq(table.kind, kind),
    );
  const ofModel = typeof model === "string" ? eq(hooks.model, model) : undefined;
  const global = db.select().from(globalHooks).where(matches(globalHooks)).orderBy(globalHooks.name);
  const own = db
    .select()
    .from(hooks)
    .where(and(ofModel, matches(hooks)))
    .orderBy(hooks.model, hooks.name);
  return [
    ...(ofModel ? [] : (await global.all()).map((row) => ({ ...row, model: null }))),
    ...(model === null ? [] : await own.all()),
  ];
}

/** The stored row, secrets sealed. */
export async function findHook(db: Pick<Tx, "select">, ref: HookRef): Promise<HookRow | undefined> {
  return (await selectHooks(db, ref))[0];
}

/** The stored row, secrets sealed. @throws TorusError `not_found` for the model or the hook */
export async function requireHook(db: Pick<Tx, "select">, ref: HookRef): Promise<HookRow> {
  const { model, name } = ref;
  if (model !== null) await requireModel(db, model);
  const row = await findHook(db, ref);
  if (row) return row;
  const text = model === null ? `there is no global hook ${name}` : `model ${model} has no hook ${name}`;
  throw new TorusError("not_found", text);
}
