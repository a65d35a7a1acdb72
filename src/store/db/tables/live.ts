// Tables of live detection: models, evaluations, recorded scores, deviations, outlooks, budgets, episodes; and of labels beside these.
import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BudgetSummary } from "../../../core/budget/state.ts";
import type { LimitSource } from "../../../core/capacity/limit.ts";
import { models } from "./models.ts";

/** Live models and the progress of their detection. */
export const live = sqliteTable("live", {
  model: text()
    .primaryKey()
    .references(() => models.name, { onDelete: "cascade" }),
  startedAt: integer("started_at").notNull(),
  /** Rises with each recorded evaluation, and with changes that make an evaluation under way stale. */
  rev: integer().notNull().default(0),
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
  /** Problem of writing to the output bucket, owned by live/; null: the last write worked. */
  outputError: text("output_error", { mode: "json" }).$type<Record<string, unknown>>(),
  /** Anomaly state machine, rejected points: owned by live/. */
  state: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
});

/** Data sources that live detection cannot read, and whose failure was announced. */
export const failedSources = sqliteTable("failed_sources", {
  bucket: text().primaryKey(),
  /** UUID of its events. */
  episode: text().notNull(),
  /** Of the events for global hooks: a model that reads the bucket. */
  model: text().notNull(),
  startedAt: integer("started_at").notNull(),
  code: text().notNull(),
  reason: text().notNull(),
});

/** Evaluations kept per model. */
export const EVALUATIONS_KEPT = 20;

/** The last evaluations of each live model, for `live.evaluations`: a ring, each replaces the oldest. */
export const evaluations = sqliteTable(
  "evaluations",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** `rev` modulo `EVALUATIONS_KEPT`. */
    place: integer().notNull(),
    /** Revision of the live row that it was loaded with: their order. */
    rev: integer().notNull(),
    /** End (exclusive) of the window, ms. */
    windowAt: integer("window_at").notNull(),
    evaluatedAt: integer("evaluated_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    outcome: text().$type<"ok" | "no_data" | "learning" | "failed">().notNull(),
    score: real(),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.model, table.place] })],
);

/** Blocks of recorded scores, see core/series/score-run.ts; for `server.history`. */
export const scores = sqliteTable(
  "scores",
  {
    id: integer().primaryKey(),
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** Start of the first interval, ms. */
    startAt: integer("start_at").notNull(),
    intervalMs: integer("interval_ms").notNull(),
    /** Name of the version that scored it; versions are removed before their scores. */
    version: text().notNull(),
    features: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Key of the series, see `groupKeyOfTags`; null: of the model. */
    series: text(),
    /** Float32Array, little endian. */
    data: blob("data", { mode: "buffer" }).notNull(),
  },
  (table) => [
    index("scores_by_model").on(table.model, table.series, table.intervalMs, table.startAt),
    index("scores_by_start").on(table.startAt),
  ],
);

/** Stretches of rare scores, see core/related/deviation.ts: kept as long as the scores. */
export const deviations = sqliteTable(
  "deviations",
  {
    id: integer().primaryKey(),
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** Key of the series, see `groupKeyOfTags`; null: of the model. */
    series: text(),
    /** Start of the first interval, and end of the last one, exclusive; ms. */
    startAt: integer("start_at").notNull(),
    endAt: integer("end_at").notNull(),
    intervalMs: integer("interval_ms").notNull(),
    /** The greatest rarity, decades; its feature and direction. */
    peak: real().notNull(),
    feature: text().notNull(),
    type: text().$type<"low" | "high">().notNull(),
  },
  (table) => [
    index("deviations_by_model").on(table.model, table.series, table.startAt),
    index("deviations_by_start").on(table.startAt),
  ],
);

/** When features of live models, and of their series, reach a limit: the last outlook of each, see core/capacity. */
export const outlooks = sqliteTable(
  "outlooks",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** Key of the series, see `groupKeyOfTags`; empty: of the model. */
    series: text().notNull(),
    feature: text().notNull(),
    type: text().$type<"low" | "high">().notNull(),
    /** The limit, and where it comes from, see core/capacity/limit.ts. */
    bound: real().notNull(),
    source: text().$type<LimitSource>().notNull(),
    /** The newest value. */
    value: real().notNull(),
    /** Change of the peaks per day. */
    perDay: real("per_day").notNull(),
    /** ms. */
    reachedAt: integer("reached_at").notNull(),
    earliestAt: integer("earliest_at").notNull(),
    /** Null: not within the horizon. */
    latestAt: integer("latest_at"),
    /** Earlier cases, and how many of them were right. */
    hits: integer().notNull(),
    cases: integer().notNull(),
    isPredictable: integer("is_predictable", { mode: "boolean" }).notNull(),
    madeAt: integer("made_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.series, table.feature, table.type] }),
    index("outlooks_by_date").on(table.isPredictable, table.reachedAt),
  ],
);

/** Error budgets of live models, and of their series: the last state of each, see core/budget. */
export const budgets = sqliteTable(
  "budgets",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    /** Key of the series, see `groupKeyOfTags`; empty: of the model. */
    series: text().notNull(),
    feature: text().notNull(),
    /** Whether it is known what is left. */
    isKnown: integer("is_known", { mode: "boolean" }).notNull(),
    /** Share that is left; 0 where that is unknown. */
    remaining: real().notNull(),
    madeAt: integer("made_at").notNull(),
    state: text({ mode: "json" }).$type<BudgetSummary>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.series, table.feature] }),
    index("budgets_by_remaining").on(table.isKnown, table.remaining),
  ],
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
    /** Observed and expected values at the start, and at the peak. */
    features: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    peak: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The highest it reached; null in rows of an older version. */
    severity: text().$type<"info" | "warning" | "critical">(),
    /** Of the score at the start; null in rows of an older version, and of evaluations and backtests. */
    confidence: text().$type<"learning" | "fair" | "good">(),
    closedBy: text("closed_by"),
    /** Source of the anomaly. */
    origin: text().$type<"live" | "evaluation" | "backtest">().notNull().default("live"),
    /** Tags of the series of a fleet; null: of the model. */
    series: text({ mode: "json" }).$type<Readonly<Record<string, string>>>(),
    /** `fleet`: of many series at once. */
    scope: text().$type<"fleet">(),
    /** Of scope `fleet`: share of the series that are anomalous, 0..1. */
    share: real(),
    feedback: text({ mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    index("episodes_by_model").on(table.model, table.startAt),
    index("episodes_by_start").on(table.startAt),
  ],
);

/** Ranges that people marked as anomalous or normal. */
export const labels = sqliteTable(
  "labels",
  {
    id: text().primaryKey(),
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    fromAt: integer("from_at").notNull(),
    /** Exclusive. */
    toAt: integer("to_at").notNull(),
    /** False: normal, whatever it looks like. */
    anomaly: integer({ mode: "boolean" }).notNull(),
    /** Null: all features. */
    feature: text(),
    /** Tags of series of a fleet; null: all series. */
    series: text({ mode: "json" }).$type<Readonly<Record<string, string>>>(),
    createdAt: integer("created_at").notNull(),
    note: text(),
  },
  (table) => [index("labels_by_model").on(table.model, table.fromAt)],
);
