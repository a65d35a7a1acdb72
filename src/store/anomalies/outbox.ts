// SQL of the outbox: one row per event and hook, delivered in order per hook, and its outcome.
import { and, asc, eq, getTableColumns, gt, lt, lte, min, notExists, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type AnomalyEvent, isEnd, isStart } from "../../core/anomaly/event.ts";
import { wantsEvent } from "../../core/anomaly/hook-options.ts";
import type { Store } from "../db/open.ts";
import { type globalHooks, hooks, type OutboxRow, outbox } from "../db/schema.ts";
import { read, type Tx, write, writeUncached } from "../db/transaction.ts";
import { listSelecting, requireGlobalHook } from "../global-hooks.ts";
import { placeOfHook, requireHook } from "../hooks.ts";
import {
  announceDelivery,
  type DeliveryStep,
  type HookRef,
  hasStart,
  keyOfHook,
  retryNow,
} from "./deliveries.ts";
import { insertResend, removeResends, resendLater } from "./resends.ts";

/** When an event is due, ms since the epoch. */
interface EventTiming {
  readonly at: number;
  /** Hooks are muted until then; retention counts from here. Default: `at`. */
  readonly notBefore?: number;
}

/** An event of live detection, and until when hooks are muted, ms since the epoch; absent: they are not. */
export interface PlannedEvent extends Pick<EventTiming, "notBefore"> {
  readonly event: AnomalyEvent;
}

/** The event for the outbox. @param notBefore until when hooks are muted, ms since the epoch */
export function planEvent(event: AnomalyEvent, notBefore: number | undefined): PlannedEvent {
  return { event, ...(notBefore !== undefined && { notBefore }) };
}

/** Puts events into the outbox in their order, see `enqueueEvent`. @param at ms since the epoch */
export function enqueueEvents(tx: Tx, events: readonly PlannedEvent[], at: number): void {
  for (const { event, ...timing } of events) enqueueEvent(tx, event, { at, ...timing });
}

/**
 * Puts an event into the outbox, once per hook of its model and per global hook that selects the model, if the hook
 * gets such events; to be called in the transaction that caused the event. Idempotent. An end goes to the hooks that got
 * its start, and removes its resends.
 * @returns number of hooks
 */
export function enqueueEvent(tx: Tx, event: AnomalyEvent, timing: EventTiming): number {
  if (isEnd(event.kind)) removeResends(tx, event);
  const receiving = [...listAttached(tx, event), ...listSelecting(tx, event)];
  for (const hook of receiving) insertRow(tx, { event, hook }, timing);
  return receiving.length;
}

/** The hooks of the model that get an event, by name. */
function listAttached(tx: Tx, event: AnomalyEvent): HookRow[] {
  const attached = tx.select().from(hooks).where(eq(hooks.model, event.model)).orderBy(hooks.name).all();
  return attached.filter((hook) => wantsEvent(hook.options, event.kind) || hasStart(tx, event, hook));
}

/**
 * Puts test events into the outbox for one hook; its waiting retries are due now.
 * @throws TorusError `not_found` for the model or the hook
 */
export function enqueueTest(
  store: Store,
  key: HookRef,
  { events, at }: { events: readonly AnomalyEvent[]; at: number },
): Promise<void> {
  return write(store, (tx) => {
    const { model, name } = key;
    const hook = model === null ? requireGlobalHook(tx, name) : requireHook(tx, { model, name });
    retryNow(tx, key, at);
    for (const event of events) insertRow(tx, { event, hook }, { at });
  });
}

type HookRow = typeof hooks.$inferSelect;
export type AnyHook = HookRow | typeof globalHooks.$inferSelect;

/**
 * Puts an event into the outbox for one hook; the secrets of the hook are copied sealed.
 * @param key of the row after the id of the event; default: that of the hook
 */
export function insertRow(
  tx: Tx,
  { event, hook, key }: { event: AnomalyEvent; hook: AnyHook; key?: string },
  { at, notBefore = at }: EventTiming,
): void {
  const dueAt = Math.max(at, notBefore);
  const { name, kind, receiver, config } = hook;
  const isGlobal = !("model" in hook);
  const id = `${event.id}/${key ?? keyOfHook(isGlobal ? { model: null, name } : hook)}`;
  const row = { id, model: event.model, hook: name, isGlobal, kind, receiver, config, event: { ...event } };
  const inserted = tx
    .insert(outbox)
    .values({ ...row, state: "waiting", createdAt: dueAt, nextAt: dueAt })
    .onConflictDoNothing()
    .returning({ seq: outbox.seq })
    .all();
  if (inserted.length > 0) announceDelivery(tx, row, { step: "created" });
}

const earlier = alias(outbox, "earlier");

/** Condition: waiting, and the oldest that waits for its hook. */
function isHead(db: Pick<Tx, "select">) {
  const before = db
    .select({ seq: earlier.seq })
    .from(earlier)
    .where(
      and(
        eq(earlier.state, "waiting"),
        eq(earlier.model, outbox.model),
        eq(earlier.hook, outbox.hook),
        eq(earlier.isGlobal, outbox.isGlobal),
        lt(earlier.seq, outbox.seq),
        // A resend does not block later events.
        eq(earlier.resend, false),
      ),
    );
  return and(eq(outbox.state, "waiting"), notExists(before));
}

/** Hooks of an older version have no receiver: each is one of its own. */
const receiverColumn = sql<string>`coalesce(${outbox.receiver}, ${outbox.model} || '/' || ${outbox.hook})`;

interface DueQuery {
  /** ms since the epoch */
  readonly at: number;
  readonly limit: number;
  /** Retries, or first attempts. */
  readonly retries: boolean;
  /** Receivers to skip. */
  readonly full?: readonly string[];
}

/** A due delivery, with the secrets of its hook open. */
export type DueDelivery = OutboxRow & { readonly receiver: string };

/**
 * The due deliveries, the oldest of each model and hook. Rows are not marked as claimed: one server owns the database, and
 * after a crash they must be found waiting.
 */
export function listDue(store: Store, { at, limit, retries, full = [] }: DueQuery): Promise<DueDelivery[]> {
  return read(store, (db) => {
    const tried = retries ? gt(outbox.attempts, 0) : eq(outbox.attempts, 0);
    const rows = db
      .select({ ...getTableColumns(outbox), receiver: receiverColumn })
      .from(outbox)
      .where(
        and(
          isHead(db),
          lte(outbox.nextAt, at),
          tried,
          full.length ? notInArray(receiverColumn, [...full]) : undefined,
        ),
      )
      .orderBy(asc(outbox.seq))
      .limit(limit)
      .all();
    return rows.map((row) => {
      const place = placeOfHook({ model: row.isGlobal ? null : row.model, name: row.hook });
      return { ...row, config: store.vault.open(place, row.config) } as unknown as DueDelivery;
    });
  });
}

/** @returns when the next delivery after `at` is due, ms since the epoch; undefined where none is */
export function findNextDue(store: Store, at: number): Promise<number | undefined> {
  return read(store, (db) => {
    const row = db
      .select({ at: min(outbox.nextAt) })
      .from(outbox)
      .where(and(isHead(db), gt(outbox.nextAt, at)))
      .get();
    return row?.at ?? undefined;
  });
}

/** Columns of an ended row: the configuration of its hook, which holds secrets, is cleared. */
const endedColumns = { config: {} };

/** Records a successful delivery. @param resendAt when to resend the start if the anomaly lasts, ms since the epoch */
export function markSent(
  store: Store,
  row: OutboxRow,
  { at, resendAt }: { at: number; resendAt?: number | undefined },
): Promise<void> {
  return writeUncached(store, (tx) => {
    announceDelivery(tx, row, { step: "delivered" });
    if (resendAt !== undefined && row.resend) return resendLater(tx, row, resendAt);
    const patch = {
      ...endedColumns,
      state: "sent" as const,
      endedAt: at,
      attempts: row.attempts + 1,
      lastError: null,
    };
    tx.update(outbox).set(patch).where(eq(outbox.seq, row.seq)).run();
    if (resendAt !== undefined && isStart(row.event.kind)) insertResend(tx, row, resendAt);
  });
}

/** Records a failed attempt and when to retry. */
export function planRetry(
  store: Store,
  row: OutboxRow,
  { reason, nextAt }: { reason: string; nextAt: number },
): Promise<void> {
  return writeUncached(store, (tx) => {
    const patch = { attempts: row.attempts + 1, lastError: reason, nextAt };
    changeWaiting(tx, row, patch, { step: "waiting", error: reason });
  });
}

/** Ends a delivery without success. */
export function expireDelivery(
  store: Store,
  row: OutboxRow,
  { state, reason, at }: { state: "rejected" | "expired"; reason: string; at: number },
): Promise<void> {
  return writeUncached(store, (tx) => {
    const patch = { ...endedColumns, state, attempts: row.attempts + 1, lastError: reason, endedAt: at };
    changeWaiting(tx, row, patch, { step: state, error: reason });
  });
}

/** Changes the row unless it has ended or was deleted meanwhile. */
function changeWaiting(
  tx: Tx,
  row: OutboxRow,
  patch: Partial<typeof outbox.$inferInsert>,
  change: DeliveryStep,
): void {
  const changed = tx
    .update(outbox)
    .set(patch)
    .where(and(eq(outbox.seq, row.seq), eq(outbox.state, "waiting")))
    .returning({ seq: outbox.seq })
    .all();
  if (changed.length > 0) announceDelivery(tx, row, change);
}
