// Tables of models, their versions, the buckets they read, and templates.
import { blob, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BucketSettings } from "../../../core/model/bucket-settings.ts";
import type { ModelSettings } from "../../../core/model/model.ts";
import type { VersionSummary } from "../../../core/model/version-summary.ts";

export const buckets = sqliteTable("buckets", {
  name: text().primaryKey(),
  kind: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  settings: text({ mode: "json" }).$type<BucketSettings>().notNull(),
});

export const models = sqliteTable("models", {
  name: text().primaryKey(),
  /** Rises with every change of settings or of the active version. */
  generation: integer().notNull().default(1),
  /** Name of the version that answers; null = not trained. */
  activeVersion: text("active_version"),
  /** The training submitted last; retention may have removed its job. */
  lastTraining: text("last_training"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  settings: text({ mode: "json" }).$type<ModelSettings>().notNull(),
});

export const versions = sqliteTable(
  "versions",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    number: integer().notNull(),
    /** `number` with at least two digits. */
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Range trained on, ms; `toAt` exclusive. */
    fromAt: integer("from_at").notNull(),
    toAt: integer("to_at").notNull(),
    /** SHA-256 of `weights`, hex. */
    checksum: text().notNull(),
    summary: text({ mode: "json" }).$type<VersionSummary>().notNull(),
    /** Settings the training used. */
    settings: text({ mode: "json" }).$type<ModelSettings>().notNull(),
    parameters: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Flat Float32Array, little endian. */
    weights: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.number] }),
    uniqueIndex("versions_by_name").on(table.model, table.name),
  ],
);

export const templates = sqliteTable("templates", {
  name: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});
