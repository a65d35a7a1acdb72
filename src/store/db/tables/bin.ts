// Tables of the bin: deleted resources that can be restored, with the rows that belonged to them.
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ResourceKind } from "../../../core/apply/kinds.ts";

export const bin = sqliteTable(
  "bin",
  {
    /** UUID. */
    id: text().primaryKey(),
    kind: text().$type<ResourceKind>().notNull(),
    name: text().notNull(),
    /** Of a hook of a model; null: of any other resource. */
    model: text(),
    deletedAt: integer("deleted_at").notNull(),
    /** Name of the token; null: without authentication. */
    deletedBy: text("deleted_by"),
    /** Of all its rows, and of its file. */
    bytes: integer().notNull(),
    /** Of a bucket: whether it has had points in a file, which is beside those of buckets meanwhile. */
    hasPoints: integer("has_points", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("bin_by_time").on(table.deletedAt)],
);

/** Rows of deleted resources. */
export const binRows = sqliteTable(
  "bin_rows",
  {
    bin: text()
      .notNull()
      .references(() => bin.id, { onDelete: "cascade" }),
    /** From 0, in the order in which they are restored. */
    place: integer().notNull(),
    /** Name of the table. */
    source: text().notNull(),
    /** Columns of the row but for the following two. */
    content: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Column whose secrets are sealed, as the row had it; empty where there is none. */
    sealed: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    /** Column of bytes; null where there is none. */
    data: blob({ mode: "buffer" }),
  },
  (table) => [primaryKey({ columns: [table.bin, table.place] })],
);
