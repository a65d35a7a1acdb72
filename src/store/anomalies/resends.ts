// SQL of resends: one row that tells the start of an anomaly again while it lasts, for receivers that forget.
import { and, eq, like } from "drizzle-orm";
import type { AnomalyEvent } from "../../core/anomaly/event.ts";
import { globalHooks, hooks, type OutboxRow, outbox } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";

/** Removes the resends of an episode that is over. */
export function removeResends(tx: Tx, { episode, model }: AnomalyEvent): void {
  const ofEpisode = and(eq(outbox.model, model), like(outbox.id, `${episode}:start/%`));
  tx.delete(outbox)
    .where(and(eq(outbox.state, "waiting"), eq(outbox.resend, true), ofEpisode))
    .run();
}

/** Plans to resend a start. Not where the end is known already, the hook is gone, or in a test. */
export function insertResend(tx: Tx, row: OutboxRow, resendAt: number): void {
  const { event } = row;
  const endId = row.id.replace(`${event.episode}:start/`, `${event.episode}:end/`);
  const end = tx.select({ seq: outbox.seq }).from(outbox).where(eq(outbox.id, endId)).get();
  const now = findHook(tx, row);
  if (end || !now || event.test) return;
  const { seq: _, ...rest } = row;
  const fresh = { resend: true, state: "waiting" as const, attempts: 0, endedAt: null, lastError: null };
  tx.insert(outbox)
    .values({
      ...rest,
      ...fresh,
      event: { ...event },
      receiver: now.receiver,
      config: now.config,
      createdAt: resendAt,
      nextAt: resendAt,
    })
    .onConflictDoNothing()
    .run();
}

/** Plans the next resend, unless the hook is gone. Where the episode is over the row is gone already. */
export function resendLater(tx: Tx, row: OutboxRow, resendAt: number): void {
  const now = findHook(tx, row);
  const mine = eq(outbox.seq, row.seq);
  const patch = { attempts: 0, createdAt: resendAt, nextAt: resendAt, lastError: null };
  if (!now) tx.delete(outbox).where(mine).run();
  else
    tx.update(outbox)
      .set({ ...patch, receiver: now.receiver, config: now.config })
      .where(mine)
      .run();
}

/** The hook as it is now, if it is of the same kind still. */
function findHook(tx: Tx, { model, hook, kind, isGlobal }: OutboxRow) {
  if (isGlobal)
    return tx
      .select()
      .from(globalHooks)
      .where(and(eq(globalHooks.name, hook), eq(globalHooks.kind, kind)))
      .get();
  return tx
    .select()
    .from(hooks)
    .where(and(eq(hooks.model, model), eq(hooks.name, hook), eq(hooks.kind, kind)))
    .get();
}
