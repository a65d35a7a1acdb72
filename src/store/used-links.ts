// SQL of used judgement links: a row of `meta` per link until it expires, so that each works once.
import { and, eq, like, sql } from "drizzle-orm";
import type { Store } from "./db/open.ts";
import { meta } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";

const PREFIX = "used_link:";

/** Whether the link was used before. @param id identifies the link */
export function isLinkUsed(store: Store, id: string): Promise<boolean> {
  return read(store, async (db) => (await findUsed(db, id)) !== undefined);
}

/** Marks a link as used, and forgets those that have expired. @returns false where it was used before */
export function useLink(
  store: Store,
  { id, expiresAt, nowAt }: { readonly id: string; readonly expiresAt: number; readonly nowAt: number },
): Promise<boolean> {
  return write(store, async (tx) => {
    const hasExpired = sql`cast(${meta.value} as integer) < ${nowAt}`;
    await tx
      .delete(meta)
      .where(and(like(meta.key, `${PREFIX}%`), hasExpired))
      .run();
    if (await findUsed(tx, id)) return false;
    await tx
      .insert(meta)
      .values({ key: PREFIX + id, value: String(expiresAt) })
      .run();
    return true;
  });
}

/** Makes a link usable again, whose action has failed. */
export function releaseLink(store: Store, id: string): Promise<void> {
  return write(store, async (tx) => {
    await tx
      .delete(meta)
      .where(eq(meta.key, PREFIX + id))
      .run();
  });
}

function findUsed(db: Pick<Tx, "select">, id: string) {
  return db
    .select({ key: meta.key })
    .from(meta)
    .where(eq(meta.key, PREFIX + id))
    .get();
}
