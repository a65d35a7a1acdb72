// SQL of outcomes of an attempt: of one delivery, or of all of a batch in one transaction.
import { and, eq, ne } from "drizzle-orm";
import type { DeliveryCode } from "../../core/anomaly/delivery-code.ts";
import { isStart } from "../../core/anomaly/event.ts";
import type { Store } from "../db/open.ts";
import { type OutboxRow, outbox } from "../db/schema.ts";
import { type Tx, writeUncached } from "../db/transaction.ts";
import { announceDelivery, type DeliveryStep } from "./deliveries.ts";
import { insertResend, resendLater } from "./resends.ts";

/** Why an attempt failed. */
export interface DeliveryError {
  /** In English, without secrets. */
  readonly reason: string;
  readonly code: DeliveryCode;
}

/** Columns of an ended row: the configuration of its hook, which holds secrets, is cleared. */
const endedColumns = { config: {} };

/**
 * Records that an event, or all of a batch, was delivered.
 * @param resendAt when to resend the start if the anomaly lasts, ms since the epoch
 */
export function markSent(
  store: Store,
  rows: readonly OutboxRow[],
  { at, resendAt }: { at: number; resendAt?: number | undefined },
): Promise<void> {
  return writeUncached(store, async (tx) => {
    for (const row of rows) {
      if (resendAt !== undefined && row.resend) await resendLater(tx, row, resendAt);
      else if (!(await markRowSent(tx, row, { at, resendAt }))) continue;
      announceDelivery(tx, row, { step: "delivered" });
    }
  });
}

/** @returns false where another node, which has the hook meanwhile, has delivered it, too */
async function markRowSent(
  tx: Tx,
  row: OutboxRow,
  { at, resendAt }: { at: number; resendAt: number | undefined },
): Promise<boolean> {
  const error = { lastError: null, lastErrorCode: null };
  const patch = { state: "sent" as const, endedAt: at, attempts: row.attempts + 1, ...error };
  const changed = await tx
    .update(outbox)
    .set({ ...endedColumns, ...patch })
    .where(and(eq(outbox.seq, row.seq), ne(outbox.state, "sent")))
    .returning({ seq: outbox.seq })
    .all();
  if (changed.length === 0) return false;
  if (resendAt !== undefined && isStart(row.event.kind)) await insertResend(tx, row, resendAt);
  return true;
}

/** Records a failed attempt and when to retry. */
export function planRetry(
  store: Store,
  rows: readonly OutboxRow[],
  { reason, code, nextAt }: DeliveryError & { nextAt: number },
): Promise<void> {
  return writeUncached(store, async (tx) => {
    for (const row of rows) {
      const patch = { attempts: row.attempts + 1, lastError: reason, lastErrorCode: code, nextAt };
      await changeWaiting(tx, row, patch, { step: "waiting", error: reason });
    }
  });
}

/** Ends deliveries without success. */
export function expireDelivery(
  store: Store,
  rows: readonly OutboxRow[],
  { state, reason, code, at }: DeliveryError & { state: "rejected" | "expired"; at: number },
): Promise<void> {
  return writeUncached(store, async (tx) => {
    for (const row of rows) {
      const error = { lastError: reason, lastErrorCode: code };
      const patch = { ...endedColumns, state, attempts: row.attempts + 1, ...error, endedAt: at };
      await changeWaiting(tx, row, patch, { step: state, error: reason });
    }
  });
}

/** Changes the row unless it has ended or was deleted meanwhile. */
async function changeWaiting(
  tx: Tx,
  row: OutboxRow,
  patch: Partial<typeof outbox.$inferInsert>,
  change: DeliveryStep,
): Promise<void> {
  const changed = await tx
    .update(outbox)
    .set(patch)
    .where(and(eq(outbox.seq, row.seq), eq(outbox.state, "waiting")))
    .returning({ seq: outbox.seq })
    .all();
  if (changed.length > 0) announceDelivery(tx, row, change);
}
