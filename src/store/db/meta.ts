// SQL of `meta`: facts about this server, one row per key.
import { eq } from "drizzle-orm";
import type { Store } from "./open.ts";
import { meta } from "./schema.ts";
import { write } from "./transaction.ts";

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
