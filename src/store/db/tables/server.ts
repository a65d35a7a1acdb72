// Tables of the server: facts about it, access tokens.
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../../core/access/token.ts";

/** Facts about this server: one row per key. */
export const meta = sqliteTable("meta", {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** Access tokens; their secrets are not stored. */
export const tokens = sqliteTable(
  "tokens",
  {
    name: text().primaryKey(),
    /** Another token of the same name, made later, has another one. */
    id: text().notNull(),
    scope: text().$type<Scope>().notNull(),
    /** SHA-256 of the secret, hex. */
    digest: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Coarse; null until it was used. */
    lastUsedAt: integer("last_used_at"),
    /** Null: never. */
    expiresAt: integer("expires_at"),
  },
  (table) => [uniqueIndex("tokens_by_digest").on(table.digest)],
);
