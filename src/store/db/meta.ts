// SQL of `meta`: facts about this server, one row per key.
import { eq } from "drizzle-orm";
import type { Store } from "./open.ts";
import { meta } from "./schema.ts";
import { read, write } from "./transaction.ts";

/** @returns the value of `key`, which `create` makes at first */
export function ensureMeta(store: Store, key: string, create: () => string): Promise<string> {
  return write(store, async (tx) => {
    const row = await tx.select().from(meta).where(eq(meta.key, key)).get();
    if (row) return row.value;
    const value = create();
    await tx.insert(meta).values({ key, value }).run();
    return value;
  });
}

/** @returns the value of `key`, if there is one */
export function findMeta(store: Store, key: string): Promise<string | undefined> {
  return read(store, async (db) => (await db.select().from(meta).where(eq(meta.key, key)).get())?.value);
}

export function putMeta(store: Store, key: string, value: string): Promise<void> {
  return write(store, async (tx) => {
    await tx
      .insert(meta)
      .values({ key, value })
      .onConflictDoUpdate({ target: meta.key, set: { value } })
      .run();
  });
}

export function deleteMeta(store: Store, key: string): Promise<void> {
  return write(store, async (tx) => {
    await tx.delete(meta).where(eq(meta.key, key)).run();
  });
}
