// Tables of jobs and their large results.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ErrorCode } from "../../../core/errors.ts";
import type { JobState, JobType } from "../../../core/job.ts";

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
    /** A request waits for it, and is answered its result: without that request the job has no purpose. */
    foreground: integer({ mode: "boolean" }).notNull().default(false),
    /** Length of the result as JSON; 0 = there was one, which is not kept; null = there is none. */
    resultBytes: integer("result_bytes"),
    /** Of an ended job only if it can be retried and is small: points can be many. */
    input: text({ mode: "json" }).$type<unknown>(),
    /** Null also where the result is large: then it is in `job_results`. */
    result: text({ mode: "json" }).$type<unknown>(),
  },
  (table) => [
    uniqueIndex("jobs_by_id").on(table.id),
    index("jobs_by_state").on(table.state, table.seq),
    index("jobs_by_model").on(table.model, table.state),
    index("jobs_by_end").on(table.endedAt),
    index("jobs_by_kept_result").on(table.endedAt, table.seq, table.resultBytes).where(sql`result_bytes > 0`),
    uniqueIndex("jobs_active_training")
      .on(table.model)
      .where(sql`type = 'training' and state in ('waiting', 'running')`),
  ],
);

/** Large results as JSON text in parts, so that none has to be read or written in one go. */
export const jobResults = sqliteTable(
  "job_results",
  {
    /** `seq` of the job. */
    job: integer()
      .notNull()
      .references(() => jobs.seq, { onDelete: "cascade" }),
    /** From 0. */
    part: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.job, table.part] })],
);
