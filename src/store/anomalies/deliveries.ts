// SQL of deliveries beside their way to the receiver: what was told, what is put right, what is forgotten.
import { and, desc, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import type { AnomalyEvent } from "../../core/anomaly/event.ts";
import type { Store } from "../db/open.ts";
import { type hooks, outbox } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";

/** The same, or a global hook. */
export interface HookRef {
  /** Null: the hook is global. */
  readonly model: string | null;
  readonly name: string;
}

/** What a hook is. */
export type HookContent = Pick<typeof hooks.$inferSelect, "kind" | "config"> & {
  readonly receiver?: string | null;
};

/** A delivery without the configuration of its hook, which holds secrets. */
export type DeliveryRow = Omit<typeof outbox.$inferSelect, "event" | "config"> & {
  readonly event: AnomalyEvent;
};

/** The deliveries of a hook, newest first. */
export function listDeliveries(store: Store, ref: HookRef, limit: number): Promise<DeliveryRow[]> {
  return read(store, (db) => {
    const rows = db.select().from(outbox).where(isFor(ref)).orderBy(desc(outbox.seq)).limit(limit).all();
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

/** Events that were tried before and still wait are due at once, as after a repair. */
export function retryNow(tx: Tx, key: HookRef, at: number): void {
  tx.update(outbox)
    .set({ nextAt: at })
    .where(and(waitingFor(key), gt(outbox.attempts, 0), gt(outbox.nextAt, at)))
    .run();
}

/** What still waits for a hook that is replaced goes to the new one: the old one may be why it waits. */
export function redirectDeliveries(
  tx: Tx,
  key: HookRef,
  { kind, receiver, config, at }: HookContent & { at: number },
): void {
  // Another kind may need no resends.
  const resends = and(waitingFor(key), ne(outbox.kind, kind), eq(outbox.resend, true));
  tx.delete(outbox).where(resends).run();
  tx.update(outbox)
    .set({ kind, receiver: receiver ?? null, config })
    .where(waitingFor(key))
    .run();
  retryNow(tx, key, at);
}

/** Drops what waits for a global hook that is deleted. */
export function dropDeliveries(tx: Tx, ref: HookRef): void {
  tx.delete(outbox).where(waitingFor(ref)).run();
}

function waitingFor(ref: HookRef) {
  return and(eq(outbox.state, "waiting"), isFor(ref));
}

function isFor({ model, name }: HookRef) {
  const ofModel = model === null ? undefined : eq(outbox.model, model);
  return and(eq(outbox.hook, name), eq(outbox.isGlobal, model === null), ofModel);
}

/** Gives up events that should have been told before this instant, tried or not. @returns them */
export function expireDeliveries(
  store: Store,
  { before, at, reason }: { before: number; at: number; reason: string },
): Promise<DeliveryRow[]> {
  return writeUncached(store, (tx) => {
    const rows = tx
      .update(outbox)
      .set({
        config: {},
        state: "expired",
        endedAt: at,
        lastError: sql`coalesce(${outbox.lastError}, ${reason})`,
      })
      .where(and(eq(outbox.state, "waiting"), lt(outbox.createdAt, before)))
      .returning()
      .all();
    return rows.map(({ config: _, ...row }) => row as unknown as DeliveryRow);
  });
}

/** Forgets deliveries that are over: those that ended before `endedBefore`, and of the others all but the newest. */
export function sweepDeliveries(
  store: Store,
  { endedBefore, keep }: { endedBefore: number; keep: number },
): Promise<void> {
  return writeUncached(store, (tx) => {
    const over = ne(outbox.state, "waiting");
    tx.delete(outbox)
      .where(and(over, lt(outbox.endedAt, endedBefore)))
      .run();
    const surplus = tx
      .select({ seq: outbox.seq })
      .from(outbox)
      .where(over)
      .orderBy(desc(outbox.seq))
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(keep);
    tx.delete(outbox).where(inArray(outbox.seq, surplus)).run();
  });
}
