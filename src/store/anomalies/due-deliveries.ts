// SQL of due deliveries: the oldest that waits for each hook, or for each group of a hook that groups.
import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  lt,
  lte,
  min,
  notExists,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Store } from "../db/open.ts";
import { type OutboxRow, outbox } from "../db/schema.ts";
import { inShards } from "../db/shards.ts";
import { read, type Tx } from "../db/transaction.ts";
import { placeOfHook } from "../hooks.ts";
import { refOf } from "./deliveries.ts";

const earlier = alias(outbox, "earlier");

/** Earlier of the same hook and model, which comes first whenever it is due. */
const isOfModel = eq(earlier.model, outbox.model);
/** Earlier of the same group: due no later, or in a notification that is not done yet. */
const isOfGroup = and(
  eq(earlier.groupKey, outbox.groupKey),
  or(lte(earlier.nextAt, outbox.nextAt), isNotNull(earlier.batch)),
);

/** Condition: waiting, and the oldest that waits for its hook. */
function isHead(db: Pick<Tx, "select">) {
  const before = db
    .select({ seq: earlier.seq })
    .from(earlier)
    .where(
      and(
        eq(earlier.state, "waiting"),
        eq(earlier.hook, outbox.hook),
        eq(earlier.isGlobal, outbox.isGlobal),
        lt(earlier.seq, outbox.seq),
        or(isOfModel, and(eq(outbox.isGlobal, true), isOfGroup)),
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
  /** Of the node; undefined: all. */
  readonly shards?: readonly number[] | undefined;
}

/** A due delivery, with the secrets of its hook open. */
export type DueDelivery = OutboxRow & { readonly receiver: string };

/**
 * The due deliveries, the oldest of each model and hook. Rows are not marked as claimed: one server owns the database, or
 * their shards, and after a crash they must be found waiting.
 */
export function listDue(
  store: Store,
  { at, limit, retries, full = [], shards }: DueQuery,
): Promise<DueDelivery[]> {
  return read(store, async (db) => {
    const tried = retries ? gt(outbox.attempts, 0) : eq(outbox.attempts, 0);
    const rows = await db
      .select({ ...getTableColumns(outbox), receiver: receiverColumn })
      .from(outbox)
      .where(
        and(
          isHead(db),
          lte(outbox.nextAt, at),
          tried,
          inShards(outbox, shards),
          full.length ? notInArray(receiverColumn, [...full]) : undefined,
        ),
      )
      .orderBy(asc(outbox.seq))
      .limit(limit)
      .all();
    return rows.map((row) => {
      const config = store.vault.open(placeOfHook(refOf(row)), row.config);
      return { ...row, config } as unknown as DueDelivery;
    });
  });
}

/**
 * @param shards of the node; undefined: all
 * @returns when the next delivery after `at` is due, ms since the epoch; undefined where none is
 */
export function findNextDue(
  store: Store,
  at: number,
  shards?: readonly number[],
): Promise<number | undefined> {
  return read(store, async (db) => {
    const row = await db
      .select({ at: min(outbox.nextAt) })
      .from(outbox)
      .where(and(isHead(db), gt(outbox.nextAt, at), inShards(outbox, shards)))
      .get();
    return row?.at ?? undefined;
  });
}
