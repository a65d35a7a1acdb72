// Table of recorded changes: deployments, configuration and the like, beside what models watch.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** They refer to no model. Not `changes`: on PostgreSQL, nodes tell one another of theirs in a table of that name. */
export const recordedChanges = sqliteTable(
  "recorded_changes",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** Null: it took no time. */
    endAt: integer("end_at"),
    kind: text().notNull(),
    title: text().notNull(),
    /** Address of a page about it. */
    url: text(),
    createdAt: integer("created_at").notNull(),
    /** Tags of the series that it may move; empty: of all. */
    tags: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
  },
  (table) => [index("recorded_changes_by_time").on(table.at)],
);
