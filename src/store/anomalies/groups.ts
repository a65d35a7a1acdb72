// SQL of grouped deliveries: events of one hook that are collected into one notification, repeated as it was.
import { and, asc, eq, isNotNull, isNull, lte, max, min } from "drizzle-orm";
import { type HookEvent, tagsOfEvent } from "../../core/anomaly/event.ts";
import { eventGroupKeyOf, groupingOf, type HookOptions } from "../../core/anomaly/hook-options.ts";
import type { Store } from "../db/open.ts";
import { type OutboxRow, outbox } from "../db/schema.ts";
import { type Tx, writeUncached } from "../db/transaction.ts";
import type { DueDelivery } from "./due-deliveries.ts";

/** Events of one notification. */
const MAX_BATCH = 1000;

type Place = Pick<OutboxRow, "model" | "hook" | "isGlobal">;

interface Placed {
  readonly event: HookEvent;
  readonly place: Place;
  readonly options: HookOptions;
}

/**
 * Group of a new event and when its notification is due: with those that wait already, `group_interval` after the last
 * notification, or after `group_wait`. A test waits for nothing.
 * @param readyAt when hooks are not muted any more, ms since the epoch
 */
export async function placeInGroup(
  tx: Tx,
  { event, place, options }: Placed,
  { at, readyAt }: { at: number; readyAt: number },
): Promise<{ readonly groupKey: string | null; readonly nextAt: number }> {
  const grouping = groupingOf(options);
  if (!grouping || event.test) return { groupKey: null, nextAt: readyAt };
  const groupKey = eventGroupKeyOf(grouping, tagsOfEvent(event));
  const mine = isGroup(place, groupKey);
  const isCollected = and(mine, eq(outbox.state, "waiting"), isNull(outbox.batch), eq(outbox.resend, false));
  const collected = await tx
    .select({ at: min(outbox.nextAt) })
    .from(outbox)
    .where(isCollected)
    .get();
  if (collected?.at) return { groupKey, nextAt: Math.max(readyAt, collected.at) };
  const isSent = and(mine, eq(outbox.state, "sent"), isNotNull(outbox.batch));
  const sent = await tx
    .select({ at: max(outbox.endedAt) })
    .from(outbox)
    .where(isSent)
    .get();
  const againAt = (sent?.at ?? Number.NEGATIVE_INFINITY) + grouping.intervalMs;
  return { groupKey, nextAt: Math.max(readyAt, againAt > at ? againAt : at + grouping.waitMs) };
}

/**
 * The events of a notification: those of an attempt that failed, or all that wait in the group of a due one, in their
 * order. Marks them as one batch, so that every attempt has the same events and the same key.
 */
export function claimBatch(
  store: Store,
  row: DueDelivery,
  { at, newId }: { at: number; newId: () => string },
): Promise<readonly OutboxRow[]> {
  const { groupKey } = row;
  if (groupKey === null || row.resend) return Promise.resolve([row]);
  return writeUncached(store, async (tx) => {
    const ofGroup = and(isGroup(row, groupKey), eq(outbox.state, "waiting"), eq(outbox.resend, false));
    const isIn =
      row.batch === null ? and(isNull(outbox.batch), lte(outbox.nextAt, at)) : eq(outbox.batch, row.batch);
    const found = await tx
      .select()
      .from(outbox)
      .where(and(ofGroup, isIn))
      .orderBy(asc(outbox.seq))
      .limit(MAX_BATCH)
      .all();
    const batch = row.batch ?? newId();
    if (row.batch === null)
      for (const { seq } of found) await tx.update(outbox).set({ batch }).where(eq(outbox.seq, seq)).run();
    // Secrets are open in the due row alone.
    return found.map((each) => ({ ...each, batch, config: row.config }) as unknown as OutboxRow);
  });
}

/** Rows of a hook in one group; those of a model's hook are of that model. */
function isGroup({ model, hook, isGlobal }: Place, groupKey: string) {
  const ofModel = isGlobal ? undefined : eq(outbox.model, model);
  return and(eq(outbox.hook, hook), eq(outbox.groupKey, groupKey), eq(outbox.isGlobal, isGlobal), ofModel);
}
