// SQL of access tokens, stored as digests; the secrets are not stored.
import { eq, inArray } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import type { Store } from "./db/open.ts";
import { tokens } from "./db/schema.ts";
import { read, signal, write, writeUncached } from "./db/transaction.ts";

export type TokenRow = typeof tokens.$inferSelect;

/** All tokens, by name. */
export function listTokens(store: Store): Promise<TokenRow[]> {
  return read(store, (db) => db.select().from(tokens).orderBy(tokens.name).all());
}

/** @throws TorusError `already_exists` */
export function createToken(store: Store, row: TokenRow): Promise<void> {
  return write(store, async (tx) => {
    const { name } = row;
    if (await tx.select().from(tokens).where(eq(tokens.name, name)).get())
      throw new TorusError("already_exists", `token ${name} exists: delete it first, or choose another name`);
    await tx.insert(tokens).values(row).run();
    signal(tx, { topic: "tokens" });
  });
}

/** Deletes tokens, all or none. @throws TorusError `not_found` naming the first unknown one */
export function removeTokens(store: Store, names: readonly string[]): Promise<void> {
  return write(store, async (tx) => {
    const known = await tx
      .select({ name: tokens.name })
      .from(tokens)
      .where(inArray(tokens.name, [...names]))
      .all();
    const unknown = names.find((name) => !known.some((row) => row.name === name));
    if (unknown !== undefined) throw new TorusError("not_found", `token ${unknown} does not exist`);
    await tx
      .delete(tokens)
      .where(inArray(tokens.name, [...names]))
      .run();
    signal(tx, { topic: "tokens" });
  });
}

/** Records when tokens were used, ms since the epoch by id; deleted ones are skipped. */
export function markUsed(store: Store, usedAt: ReadonlyMap<string, number>): Promise<void> {
  return writeUncached(store, async (tx) => {
    for (const [id, at] of usedAt)
      await tx.update(tokens).set({ lastUsedAt: at }).where(eq(tokens.id, id)).run();
  });
}
