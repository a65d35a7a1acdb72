// SQL of repetitions: a row that tells the start of an anomaly again and again while it lasts, for hooks that forget.
import { and, eq, like } from "drizzle-orm";
import type { AnomalyEvent } from "../core/event.ts";
import type { OutboxRow } from "./outbox.ts";
import { hooks, outbox } from "./schema.ts";
import type { Tx } from "./transaction.ts";

/** Ends the id of such a row. */
export const AGAIN = "/again";

/** The episode is over. */
export function forgetRepeats(tx: Tx, { episode, model }: AnomalyEvent): void {
  const repeats = and(eq(outbox.model, model), like(outbox.id, `${episode}:start/%${AGAIN}`));
  tx.delete(outbox)
    .where(and(eq(outbox.state, "waiting"), repeats))
    .run();
}

/** Plans to tell a start again. Not where the end is known already, nobody is to be told any more, or in a test. */
export function insertRepeat(tx: Tx, row: OutboxRow, repeatAt: number): void {
  const { hook, event } = row;
  const end = tx
    .select({ seq: outbox.seq })
    .from(outbox)
    .where(eq(outbox.id, `${event.episode}:end/${hook}`))
    .get();
  const now = findHook(tx, row);
  if (end || !now || event.test) return;
  const { seq: _, ...rest } = row;
  const fresh = { state: "waiting" as const, attempts: 0, endedAt: null, lastError: null };
  tx.insert(outbox)
    .values({
      ...rest,
      ...fresh,
      id: `${row.id}${AGAIN}`,
      event: { ...event },
      config: now.config,
      createdAt: repeatAt,
      nextAt: repeatAt,
    })
    .onConflictDoNothing()
    .run();
}

/** Has a row that was told wait anew, unless its hook has gone. Where the episode is over the row is gone already. */
export function repeatLater(tx: Tx, row: OutboxRow, repeatAt: number): void {
  const now = findHook(tx, row);
  const mine = eq(outbox.id, row.id);
  const patch = { attempts: 0, createdAt: repeatAt, nextAt: repeatAt, lastError: null };
  if (!now) tx.delete(outbox).where(mine).run();
  else
    tx.update(outbox)
      .set({ ...patch, config: now.config })
      .where(mine)
      .run();
}

/** The hook as it is now, if it still is what it was. */
function findHook(tx: Tx, { model, hook, kind }: OutboxRow) {
  return tx
    .select()
    .from(hooks)
    .where(and(eq(hooks.model, model), eq(hooks.name, hook), eq(hooks.kind, kind)))
    .get();
}
