// SQL of the outbox: one row per event and hook, taken in order per hook, and what comes of each.
import { and, asc, eq, getTableColumns, gt, lt, lte, min, notExists, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AnomalyEvent } from "../../core/anomaly/event.ts";
import type { Store } from "../db/open.ts";
import { type globalHooks, hooks, type OutboxRow, outbox } from "../db/schema.ts";
import { read, type Tx, write, writeUncached } from "../db/transaction.ts";
import { listSelecting, requireGlobalHook } from "../global-hooks.ts";
import { placeOfHook, requireHook } from "../hooks.ts";
import { type HookRef, retryNow } from "./deliveries.ts";
import { insertResend, removeResends, resendLater } from "./resends.ts";

/** When an event is due, ms since the epoch. */
export interface EventTiming {
  readonly at: number;
  /** Hooks are muted until then; retention counts from here. Default: `at`. */
  readonly notBefore?: number;
}

/** An event of live detection, and until when hooks are muted, ms since the epoch; absent: they are not. */
export interface PlannedEvent extends Pick<EventTiming, "notBefore"> {
  readonly event: AnomalyEvent;
}

/** Puts events into the outbox in their order, see `enqueueEvent`. @param at ms since the epoch */
export function enqueueEvents(tx: Tx, events: readonly PlannedEvent[], at: number): void {
  for (const { event, ...timing } of events) enqueueEvent(tx, event, { at, ...timing });
}

/**
 * Puts an event into the outbox, once per hook of its model and per global hook that selects the model; to be called in the transaction that caused the event.
 * The same event again changes nothing. Resends of a start end with the end of its episode.
 * @returns how many hooks will be told
 */
export function enqueueEvent(tx: Tx, event: AnomalyEvent, timing: EventTiming): number {
  const attached = tx.select().from(hooks).where(eq(hooks.model, event.model)).orderBy(hooks.name).all();
  if (event.kind === "anomaly_end") removeResends(tx, event);
  for (const hook of attached) insertRow(tx, { event, hook }, timing);
  const selecting = listSelecting(tx, event);
  for (const hook of selecting) insertRow(tx, { event, hook }, timing);
  return attached.length + selecting.length;
}

/**
 * Puts events into the outbox for one hook only, as a test of it; what waited for another attempt is due now.
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

type AnyHook = typeof hooks.$inferSelect | typeof globalHooks.$inferSelect;

/** The secrets of the hook go over as they are kept: sealed. */
function insertRow(
  tx: Tx,
  { event, hook }: { event: AnomalyEvent; hook: AnyHook },
  { at, notBefore = at }: EventTiming,
): void {
  const dueAt = Math.max(at, notBefore);
  const { name, kind, receiver, config } = hook;
  const isGlobal = !("model" in hook);
  // No name of a hook holds a slash.
  const id = `${event.id}/${isGlobal ? "global/" : ""}${name}`;
  const row = { id, model: event.model, hook: name, isGlobal, kind, receiver, config, event: { ...event } };
  tx.insert(outbox)
    .values({ ...row, state: "waiting", createdAt: dueAt, nextAt: dueAt })
    .onConflictDoNothing()
    .run();
}

const earlier = alias(outbox, "earlier");

/** Waiting, and nothing that came before waits for the same hook. */
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
        // A resend must not hold up the events that follow.
        eq(earlier.resend, false),
      ),
    );
  return and(eq(outbox.state, "waiting"), notExists(before));
}

/** Hooks of an older version are a receiver each. */
const receiverColumn = sql<string>`coalesce(${outbox.receiver}, ${outbox.model} || '/' || ${outbox.hook})`;

export interface DueQuery {
  /** ms since the epoch */
  readonly at: number;
  readonly limit: number;
  /** Whether those that were tried before, or those that were not. */
  readonly retries: boolean;
  /** Receivers that get nothing now. */
  readonly full?: readonly string[];
}

/** A delivery that is due, with its hook's secrets open. */
export type DueDelivery = OutboxRow & { readonly receiver: string };

/**
 * The deliveries that are due, the oldest of each model and hook. Nothing is marked: one server owns the database, and a
 * delivery that dies with it must be found waiting.
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

/** When the next delivery after `at` falls due; undefined where none does. */
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

/** Ends a row; the configuration of its hook, which holds secrets, is needed no more. */
const over = { config: {} };

/** Records a delivery. @param resendAt when to resend the start, if the anomaly still lasts then */
export function markSent(
  store: Store,
  row: OutboxRow,
  { at, resendAt }: { at: number; resendAt?: number | undefined },
): Promise<void> {
  return writeUncached(store, (tx) => {
    if (resendAt !== undefined && row.resend) return resendLater(tx, row, resendAt);
    const patch = {
      ...over,
      state: "sent" as const,
      endedAt: at,
      attempts: row.attempts + 1,
      lastError: null,
    };
    tx.update(outbox).set(patch).where(eq(outbox.seq, row.seq)).run();
    if (resendAt !== undefined && row.event.kind === "anomaly_start") insertResend(tx, row, resendAt);
  });
}

/** Plans another attempt. */
export function planRetry(
  store: Store,
  { seq, attempts }: OutboxRow,
  { reason, nextAt }: { reason: string; nextAt: number },
): Promise<void> {
  return writeUncached(store, (tx) => {
    const patch = { attempts: attempts + 1, lastError: reason, nextAt };
    tx.update(outbox)
      .set(patch)
      .where(and(eq(outbox.seq, seq), eq(outbox.state, "waiting")))
      .run();
  });
}

/** Gives a delivery up: the receiver will never take it, or has not for too long. */
export function expireDelivery(
  store: Store,
  { seq, attempts }: OutboxRow,
  { state, reason, at }: { state: "rejected" | "expired"; reason: string; at: number },
): Promise<void> {
  return writeUncached(store, (tx) => {
    const patch = { ...over, state, attempts: attempts + 1, lastError: reason, endedAt: at };
    tx.update(outbox)
      .set(patch)
      .where(and(eq(outbox.seq, seq), eq(outbox.state, "waiting")))
      .run();
  });
}
