// Tables of the state database. Large JSON columns come last, so that lists never touch their pages.
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ErrorCode } from "../core/errors.ts";
import type { JobState, JobType } from "../core/job.ts";

/** Facts about this server: one row per key. */
export const meta = sqliteTable("meta", {
  key: text().primaryKey(),
  value: text().notNull(),
});

export const buckets = sqliteTable("buckets", {
  name: text().primaryKey(),
  kind: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});

export const models = sqliteTable("models", {
  name: text().primaryKey(),
  /** Rises with every change of settings or of the active version. */
  generation: integer().notNull().default(1),
  /** Name of the version that answers; null = not trained. */
  activeVersion: text("active_version"),
  /** The training submitted last; its job may be gone by retention. */
  lastTraining: text("last_training"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
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
    summary: text({ mode: "json" }).$type<Record<string, number | string | boolean>>().notNull(),
    /** Settings the training used. */
    settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    parameters: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Flat Float32Array, little endian. */
    weights: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.number] }),
    uniqueIndex("versions_by_name").on(table.model, table.name),
  ],
);

export const jobs = sqliteTable(
  "jobs",
  {
    /** Order of submission. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    type: text().$type<JobType>().notNull(),
    state: text().$type<JobState>().notNull(),
    model: text(),
    attempts: integer().notNull().default(0),
    /** Token of the claim that runs the job; null unless running. */
    owner: text(),
    errorCode: text("error_code").$type<ErrorCode>(),
    errorMessage: text("error_message"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    endedAt: integer("ended_at"),
    /** Null once the job is final: nobody needs it any more, and points can be many. */
    input: text({ mode: "json" }).$type<unknown>(),
    result: text({ mode: "json" }).$type<unknown>(),
  },
  (table) => [
    uniqueIndex("jobs_by_id").on(table.id),
    index("jobs_by_state").on(table.state, table.seq),
    index("jobs_by_model").on(table.model, table.state),
    index("jobs_by_end").on(table.endedAt),
    uniqueIndex("jobs_active_training")
      .on(table.model)
      .where(sql`type = 'training' and state in ('waiting', 'running')`),
  ],
);
