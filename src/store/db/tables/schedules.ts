// Tables of scheduled jobs and their runs.
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Creator } from "../../../core/access/token.ts";
import type { ErrorCode } from "../../../core/errors.ts";
import type { ScheduledJob } from "../../../core/time/scheduled-job.ts";
import type { JobOrigin } from "../../../core/time/scheduled-plan.ts";

export const scheduledJobs = sqliteTable("scheduled_jobs", {
  name: text().primaryKey(),
  origin: text().$type<JobOrigin>().notNull(),
  /** Rises with every change: the outcome of a run counts only for the definition that ran. */
  generation: integer().notNull().default(1),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** The last run; all null until there was one. */
  lastRunAt: integer("last_run_at"),
  lastStatus: integer("last_status"),
  lastError: text("last_error"),
  /** The token whose rights its runs have; null: made without one, or by the configuration. */
  creator: text({ mode: "json" }).$type<Creator>(),
  definition: text({ mode: "json" }).$type<ScheduledJob>().notNull(),
  /** Of `lastError`. */
  lastErrorCode: text("last_error_code").$type<ErrorCode>(),
});

/** Slots that were taken: a job runs at most once in each. */
export const scheduledRuns = sqliteTable(
  "scheduled_runs",
  {
    /** Order of the runs, whatever the clock did. */
    seq: integer().primaryKey({ autoIncrement: true }),
    job: text()
      .notNull()
      .references(() => scheduledJobs.name, { onDelete: "cascade" }),
    slotAt: integer("slot_at").notNull(),
    /** Of the job's definition. */
    generation: integer().notNull(),
    startedAt: integer("started_at").notNull(),
  },
  (table) => [uniqueIndex("scheduled_runs_by_slot").on(table.job, table.slotAt)],
);
