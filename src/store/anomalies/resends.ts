// SQL of resends: repeats the start of an anomaly while it lasts, for receivers that let alerts expire.
import { and, eq, like } from "drizzle-orm";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { type OutboxRow, outbox } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";
import { findHook } from "../hooks.ts";
import { refOf } from "./deliveries.ts";

/** Removes the resends of an ended episode. */
export async function removeResends(tx: Tx, { episode, model }: HookEvent): Promise<void> {
  const ofEpisode = and(eq(outbox.model, model), like(outbox.id, `${episode}:start/%`));
  await tx
    .delete(outbox)
    .where(and(eq(outbox.state, "waiting"), eq(outbox.resend, true), ofEpisode))
    .run();
}

/** Queues a resend of a start, unless the episode has ended, the hook was deleted, or the event is a test. */
export async function insertResend(tx: Tx, row: OutboxRow, resendAt: number): Promise<void> {
  const { event } = row;
  const endId = row.id.replace(`${event.episode}:start/`, `${event.episode}:end/`);
  const end = await tx.select({ seq: outbox.seq }).from(outbox).where(eq(outbox.id, endId)).get();
  const hook = await findCurrent(tx, row);
  if (end || !hook || event.test) return;
  const { seq: _, ...rest } = row;
  const fresh = {
    resend: true,
    groupKey: null,
    batch: null,
    state: "waiting" as const,
    attempts: 0,
    endedAt: null,
    ...{ lastError: null, lastErrorCode: null },
  };
  await tx
    .insert(outbox)
    .values({
      ...rest,
      ...fresh,
      event: { ...event },
      receiver: hook.receiver,
      config: hook.config,
      createdAt: resendAt,
      nextAt: resendAt,
    })
    .onConflictDoNothing()
    .run();
}

/** Reschedules a resend, or deletes it with its hook. An ended episode has deleted the row before. */
export async function resendLater(tx: Tx, row: OutboxRow, resendAt: number): Promise<void> {
  const hook = await findCurrent(tx, row);
  const mine = eq(outbox.seq, row.seq);
  const patch = { attempts: 0, createdAt: resendAt, nextAt: resendAt, lastError: null, lastErrorCode: null };
  if (!hook) await tx.delete(outbox).where(mine).run();
  else
    await tx
      .update(outbox)
      .set({ ...patch, receiver: hook.receiver, config: hook.config })
      .where(mine)
      .run();
}

/** The current hook, if it is of the same kind. */
async function findCurrent(tx: Tx, row: OutboxRow) {
  const found = await findHook(tx, refOf(row));
  return found?.kind === row.kind ? found : undefined;
}
