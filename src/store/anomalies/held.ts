// SQL of deliveries that the mute of their hook holds back.
import { and, eq, gt } from "drizzle-orm";
import { outbox } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";
import { type HookRef, waitingFor } from "./deliveries.ts";

/**
 * Deletes the start that a mute of its hook holds back, so that what ended meanwhile is not announced.
 * @param id of the delivery
 * @param at ms since the epoch
 * @returns whether there was one
 */
export async function dropHeldStart(tx: Tx, id: string, at: number): Promise<boolean> {
  const isHeld = and(eq(outbox.state, "waiting"), eq(outbox.attempts, 0), gt(outbox.createdAt, at));
  const dropped = await tx
    .delete(outbox)
    .where(and(eq(outbox.id, id), isHeld))
    .returning({ seq: outbox.seq })
    .all();
  return dropped.length > 0;
}

/** Moves the deliveries that a mute of a hook holds back from its end to another instant, ms since the epoch. */
export async function moveHeld(tx: Tx, key: HookRef, fromAt: number, toAt: number): Promise<void> {
  const isHeld = and(waitingFor(key), eq(outbox.attempts, 0));
  for (const column of ["createdAt", "nextAt"] as const)
    await tx
      .update(outbox)
      .set({ [column]: toAt })
      .where(and(isHeld, eq(outbox[column], fromAt)))
      .run();
}
