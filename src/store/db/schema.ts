// Tables of the state database. Large JSON columns come last, so that lists never touch their pages.
import { sql } from "drizzle-orm";
import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Creator, Scope } from "../../core/access/token.ts";
import type { AnomalyEvent } from "../../core/anomaly/event.ts";
import type { HookSelector } from "../../core/anomaly/hook-selector.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { JobState, JobType } from "../../core/job.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { ScheduledJob } from "../../core/time/scheduled-job.ts";
import type { JobOrigin } from "../../core/time/scheduled-plan.ts";

/** A delivery, with its event. */
export type OutboxRow = Omit<typeof outbox.$inferSelect, "event"> & { readonly event: AnomalyEvent };

/** Facts about this server: one row per key. */
export const meta = sqliteTable("meta", {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** Who may use the service; the secrets themselves are kept nowhere. */
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
    summary: text({ mode: "json" }).$type<Record<string, number | string | boolean>>().notNull(),
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
    /** Null once the job is final: it is not needed any more, and points can be many. */
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

export const templates = sqliteTable("templates", {
  name: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  settings: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});

export const hooks = sqliteTable(
  "hooks",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text().notNull(),
    /** Server or program that is called, see `receiverOf`; null: the hook is of an older version. */
    receiver: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.name] })],
);

/** Hooks of many models, by a selector. */
export const globalHooks = sqliteTable("global_hooks", {
  name: text().primaryKey(),
  kind: text().notNull(),
  /** Server or program that is called, see `receiverOf`. */
  receiver: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  selector: text({ mode: "json" }).$type<HookSelector>().notNull(),
  config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});

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

/** Models that are live, and where their detection stands. */
export const live = sqliteTable("live", {
  model: text()
    .primaryKey()
    .references(() => models.name, { onDelete: "cascade" }),
  startedAt: integer("started_at").notNull(),
  /** Parameters of `_start`. */
  options: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** Number of the last slot that was evaluated, see core/time/tick.ts; null until there was one. */
  lastSlot: integer("last_slot"),
  /** End (exclusive) of the last window that was evaluated, ms; null until there was one. */
  lastWindowAt: integer("last_window_at"),
  /** Windows that were skipped because the server was late. */
  missed: integer().notNull().default(0),
  /** Failed evaluations in a row. */
  failures: integer().notNull().default(0),
  lastErrorCode: text("last_error_code"),
  lastErrorMessage: text("last_error_message"),
  lastErrorAt: integer("last_error_at"),
  /** Anomaly state machine, rejected points: owned by live/. */
  state: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});

/** The last evaluations of each live model, so that the loop can explain itself. */
export const evaluations = sqliteTable(
  "evaluations",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** End (exclusive) of the window, ms. */
    windowAt: integer("window_at").notNull(),
    evaluatedAt: integer("evaluated_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    outcome: text().$type<"ok" | "no_data" | "failed">().notNull(),
    score: real(),
    error: text(),
  },
  (table) => [index("evaluations_by_model").on(table.model, table.seq)],
);

/** Anomalies from start to end; they outlive their model. */
export const episodes = sqliteTable(
  "episodes",
  {
    id: text().primaryKey(),
    model: text().notNull(),
    startAt: integer("start_at").notNull(),
    /** Null while it lasts. */
    endAt: integer("end_at"),
    peakScore: real("peak_score").notNull(),
    /** What was observed and expected at the start, and at the peak. */
    features: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    peak: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    closedBy: text("closed_by"),
    /** What found it. */
    origin: text().$type<"live" | "evaluation" | "backtest">().notNull().default("live"),
    feedback: text({ mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    index("episodes_by_model").on(table.model, table.startAt),
    index("episodes_by_start").on(table.startAt),
  ],
);

/** One row per event and hook, written together with what caused it; delivered at least once. */
export const outbox = sqliteTable(
  "outbox",
  {
    /** Order of events. */
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Idempotency key: the same in every attempt and resend. */
    id: text().notNull(),
    model: text().notNull(),
    hook: text().notNull(),
    /** Whether `hook` names a global hook: one of the same name may belong to the model. */
    isGlobal: integer("is_global", { mode: "boolean" }).notNull().default(false),
    /** Kind and configuration of the hook at the time of the event, which is delivered even if the hook is deleted. */
    kind: text().notNull(),
    /** That of the hook; hooks with the same one share its slots. */
    receiver: text(),
    /** Repeats the start of an anomaly while it lasts; one row, rescheduled after each delivery. */
    resend: integer({ mode: "boolean" }).notNull().default(false),
    state: text().$type<"waiting" | "sent" | "rejected" | "expired">().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** Not before this instant, ms. */
    nextAt: integer("next_at").notNull(),
    endedAt: integer("ended_at"),
    lastError: text("last_error"),
    event: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    uniqueIndex("outbox_by_id").on(table.id, table.resend),
    index("outbox_by_state").on(table.state, table.nextAt),
    index("outbox_by_hook").on(table.model, table.hook, table.seq),
  ],
);
