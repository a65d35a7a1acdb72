// SQL of deliveries: lists per hook, redirection to a changed hook, expiry and pruning.
import { and, desc, eq, gt, gte, inArray, lt, max, ne, type SQL, sql } from "drizzle-orm";
import { type HookEvent, isEnd } from "../../core/anomaly/event.ts";
import type { HookOptions } from "../../core/anomaly/hook-options.ts";
import type { HookSelector } from "../../core/anomaly/hook-selector.ts";
import type { Change } from "../../core/change.ts";
import type { Store } from "../db/open.ts";
import { countOf, NO_LIMIT } from "../db/pages.ts";
import { type hooks, outbox } from "../db/schema.ts";
import { announce, read, type Tx, writeUncached } from "../db/transaction.ts";

/** A hook of a model, or a global hook. */
export interface HookRef {
  /** Null: the hook is global. */
  readonly model: string | null;
  readonly name: string;
}

/** The hook of a row of the outbox. */
export function refOf({ model, hook, isGlobal }: Pick<DeliveryRow, "model" | "hook" | "isGlobal">): HookRef {
  return { model: isGlobal ? null : model, name: hook };
}

/** Kind, configuration and options of a hook. */
export type HookContent = Pick<typeof hooks.$inferSelect, "kind" | "config"> & {
  readonly receiver?: string | null;
  readonly options?: HookOptions;
  /** Of a global hook. */
  readonly selector?: HookSelector;
};

/** A delivery without the configuration of its hook, which holds secrets. */
export type DeliveryRow = Omit<typeof outbox.$inferSelect, "event" | "config"> & {
  readonly event: HookEvent;
};

/** The deliveries of a hook, newest first. */
export function listDeliveries(store: Store, ref: HookRef, limit: number): Promise<DeliveryRow[]> {
  return read(store, async (db) => {
    const rows = await db
      .select()
      .from(outbox)
      .where(isFor(ref))
      .orderBy(desc(outbox.seq))
      .limit(limit)
      .all();
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

/** Of each hook the newest delivery that was attempted; of a global hook among all models. */
export function listLastDeliveries(store: Store): Promise<DeliveryRow[]> {
  return read(store, async (db) => {
    const newest = db
      .select({ seq: max(outbox.seq) })
      .from(outbox)
      .where(gt(outbox.attempts, 0))
      .groupBy(
        outbox.isGlobal,
        outbox.hook,
        sql`case when ${outbox.isGlobal} = 1 then '' else ${outbox.model} end`,
      );
    const rows = await db.select().from(outbox).where(inArray(outbox.seq, newest)).all();
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

export const deliveryStates = ["waiting", "sent", "rejected", "expired"] as const;

export interface DeliveryQuery {
  readonly states?: readonly (typeof deliveryStates)[number][];
  readonly models?: readonly string[];
  /** Created at or after, ms since the epoch. */
  readonly sinceAt?: number;
  /** Id of the anomaly; give its model too, which has an index. */
  readonly episode?: string;
}

/** A page of the deliveries of all hooks, newest first. */
export function listAllDeliveries(
  store: Store,
  query: DeliveryQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<DeliveryRow[]> {
  return read(store, async (db) => {
    const rows = await db
      .select()
      .from(outbox)
      .where(matches(query))
      .orderBy(desc(outbox.seq))
      .limit(to - from)
      .offset(from)
      .all();
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

/** Number of deliveries on all pages. */
export function countAllDeliveries(store: Store, query: DeliveryQuery): Promise<number> {
  return read(store, (db) => countOf(db, outbox, matches(query)));
}

function matches({ states, models, sinceAt, episode }: DeliveryQuery): SQL | undefined {
  return and(
    states && inArray(outbox.state, [...states]),
    models && inArray(outbox.model, [...models]),
    sinceAt === undefined ? undefined : gte(outbox.createdAt, sinceAt),
    episode === undefined ? undefined : eq(sql`json_extract(${outbox.event}, '$.episode')`, episode),
  );
}

/** The end of the id of a hook's deliveries, after that of the event. Unique: names of hooks have no slash. */
export function keyOfHook({ model, name }: HookRef): string {
  return model === null ? `global/${name}` : name;
}

/** Whether a hook has a delivery of the start that an event ends. */
export async function hasStart(
  tx: Pick<Tx, "select">,
  { kind, episode }: HookEvent,
  hook: HookRef,
): Promise<boolean> {
  if (!isEnd(kind)) return false;
  const id = `${episode}:start/${keyOfHook(hook)}`;
  return (await tx.select({ seq: outbox.seq }).from(outbox).where(eq(outbox.id, id)).get()) !== undefined;
}

/** Makes waiting retries due at once. @param at ms since the epoch */
export async function retryNow(tx: Tx, key: HookRef, at: number): Promise<void> {
  await tx
    .update(outbox)
    .set({ nextAt: at })
    .where(and(waitingFor(key), gt(outbox.attempts, 0), gt(outbox.nextAt, at)))
    .run();
}

/** Redirects waiting deliveries of a replaced hook to the new one, and retries them now. */
export async function redirectDeliveries(
  tx: Tx,
  key: HookRef,
  { kind, receiver, config, at }: HookContent & { at: number },
): Promise<void> {
  // Not every kind needs resends.
  const resends = and(waitingFor(key), ne(outbox.kind, kind), eq(outbox.resend, true));
  await tx.delete(outbox).where(resends).run();
  // Nor does every kind deliver groups.
  await tx
    .update(outbox)
    .set({ groupKey: null, batch: null })
    .where(and(waitingFor(key), ne(outbox.kind, kind)))
    .run();
  await tx
    .update(outbox)
    .set({ kind, receiver: receiver ?? null, config })
    .where(waitingFor(key))
    .run();
  await retryNow(tx, key, at);
}

/** Deletes the waiting deliveries of a global hook. */
export async function dropDeliveries(tx: Tx, ref: HookRef): Promise<void> {
  await tx.delete(outbox).where(waitingFor(ref)).run();
}

/** Condition: waiting for a hook. */
export function waitingFor(ref: HookRef) {
  return and(eq(outbox.state, "waiting"), isFor(ref));
}

function isFor({ model, name }: HookRef) {
  const ofModel = model === null ? undefined : eq(outbox.model, model);
  return and(eq(outbox.hook, name), eq(outbox.isGlobal, model === null), ofModel);
}

type DeliveryChange = Extract<Change, { type: "delivery" }>;
export type DeliveryStep = Pick<DeliveryChange, "step" | "error">;

/** Announces a step of a delivery. */
export function announceDelivery(
  tx: Tx,
  { id, model, hook, isGlobal }: Pick<DeliveryRow, "id" | "model" | "hook" | "isGlobal">,
  change: DeliveryStep,
): void {
  announce(tx, { type: "delivery", id, model, hook, isGlobal, ...change });
}

/** Expires waiting deliveries created before this instant. @returns them */
export function expireDeliveries(
  store: Store,
  { before, at, reason }: { before: number; at: number; reason: string },
): Promise<DeliveryRow[]> {
  return writeUncached(store, async (tx) => {
    const rows = await tx
      .update(outbox)
      .set({
        config: {},
        state: "expired",
        endedAt: at,
        lastError: sql`coalesce(${outbox.lastError}, ${reason})`,
        lastErrorCode: sql`coalesce(${outbox.lastErrorCode}, case when ${outbox.lastError} is null then 'deadline' end)`,
      })
      .where(and(eq(outbox.state, "waiting"), lt(outbox.createdAt, before)))
      .returning()
      .all();
    for (const row of rows) announceDelivery(tx, row, { step: "expired", error: row.lastError ?? reason });
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

/** Deletes ended deliveries: those that ended before `endedBefore`, and beyond the newest `keep`. */
export function sweepDeliveries(
  store: Store,
  { endedBefore, keep }: { endedBefore: number; keep: number },
): Promise<void> {
  return writeUncached(store, async (tx) => {
    const isEnded = ne(outbox.state, "waiting");
    await tx
      .delete(outbox)
      .where(and(isEnded, lt(outbox.endedAt, endedBefore)))
      .run();
    const surplus = tx
      .select({ seq: outbox.seq })
      .from(outbox)
      .where(isEnded)
      .orderBy(desc(outbox.seq))
      .limit(NO_LIMIT)
      .offset(keep);
    await tx.delete(outbox).where(inArray(outbox.seq, surplus)).run();
  });
}
