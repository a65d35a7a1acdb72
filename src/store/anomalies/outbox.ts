// SQL of the outbox: one row per event and hook, delivered in order per hook, and its outcome.
import { type HookEvent, isEnd, isStart } from "../../core/anomaly/event.ts";
import { hookMutedUntil } from "../../core/anomaly/hook-options.ts";
import type { Store } from "../db/open.ts";
import { outbox } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import { type HookRow, requireHook } from "../hooks.ts";
import { announceDelivery, type HookRef, keyOfHook, retryNow } from "./deliveries.ts";
import { placeInGroup } from "./groups.ts";
import { dropHeldStart } from "./held.ts";
import { listAttached, listSelecting } from "./receiving.ts";
import { removeResends } from "./resends.ts";

/** When an event is due, ms since the epoch. */
interface EventTiming {
  readonly at: number;
  /** Hooks are muted until then; retention counts from here. Default: `at`. */
  readonly notBefore?: number;
}

/** An event of live detection, and until when hooks are muted, ms since the epoch; absent: they are not. */
export interface PlannedEvent extends Pick<EventTiming, "notBefore"> {
  readonly event: HookEvent;
}

/** The event for the outbox. @param notBefore until when hooks are muted, ms since the epoch */
export function planEvent(event: HookEvent, notBefore: number | undefined): PlannedEvent {
  return { event, ...(notBefore !== undefined && { notBefore }) };
}

/** Puts events into the outbox in their order, see `enqueueEvent`. @param at ms since the epoch */
export async function enqueueEvents(tx: Tx, events: readonly PlannedEvent[], at: number): Promise<void> {
  for (const { event, ...timing } of events) await enqueueEvent(tx, event, { at, ...timing });
}

/**
 * Puts an event into the outbox, once per hook of its model and per global hook that selects the model, if the hook
 * gets such events; to be called in the transaction that caused the event. Idempotent. An end goes to the hooks that got
 * its start, and removes its resends.
 * @returns number of hooks
 */
export async function enqueueEvent(tx: Tx, event: HookEvent, timing: EventTiming): Promise<number> {
  if (isEnd(event.kind)) await removeResends(tx, event);
  const receiving = [...(await listAttached(tx, event)), ...(await listSelecting(tx, event))];
  for (const hook of receiving) await insertRow(tx, { event, hook }, timing);
  return receiving.length;
}

/**
 * Puts test events into the outbox for one hook; its waiting retries are due now.
 * @throws TorusError `not_found` for the model or the hook
 */
export function enqueueTest(
  store: Store,
  key: HookRef,
  { events, at }: { events: readonly HookEvent[]; at: number },
): Promise<void> {
  return write(store, async (tx) => {
    const hook = await requireHook(tx, key);
    await retryNow(tx, key, at);
    for (const event of events) await insertRow(tx, { event, hook }, { at });
  });
}

/**
 * Puts an event into the outbox for one hook; the secrets of the hook are copied sealed. While the hook is muted it is
 * held back, and an end takes the start that is held back with it.
 * @param key of the row after the id of the event; default: that of the hook
 */
export async function insertRow(
  tx: Tx,
  { event, hook, key }: { event: HookEvent; hook: HookRow; key?: string },
  { at, notBefore = at }: EventTiming,
): Promise<void> {
  const { name, kind, receiver, config } = hook;
  const place = { model: event.model, hook: name, isGlobal: hook.model === null };
  const ofHook = key ?? keyOfHook(hook);
  const mutedUntil = event.test ? undefined : hookMutedUntil(hook.options, at);
  const startId = `${event.episode}:start/${ofHook}`;
  if (mutedUntil !== undefined && isEnd(event.kind) && (await dropHeldStart(tx, startId, at))) return;
  const readyAt = Math.max(at, notBefore, mutedUntil ?? at);
  // What has no end would gather during a long mute: its retention counts from the event.
  const hasPair = isStart(event.kind) || isEnd(event.kind);
  const createdAt = hasPair ? readyAt : Math.max(at, notBefore);
  const id = `${event.id}/${ofHook}`;
  const { groupKey, nextAt } = await placeInGroup(
    tx,
    { event, place, options: hook.options },
    { at, readyAt },
  );
  const row = { id, ...place, groupKey, kind, receiver, config, event: { ...event } };
  const inserted = await tx
    .insert(outbox)
    .values({ ...row, state: "waiting", createdAt, nextAt })
    .onConflictDoNothing()
    .returning({ seq: outbox.seq })
    .all();
  if (inserted.length > 0) announceDelivery(tx, row, { step: "created" });
}
