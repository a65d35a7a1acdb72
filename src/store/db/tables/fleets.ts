// Tables of fleets: series with fitted parameters per version, and the live state of each series.
import {
  blob,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type { LastValues } from "../../../core/series/last-values.ts";
import type { SeriesStatus } from "../../../core/series/series-status.ts";
import { bin } from "./bin.ts";
import { live } from "./live.ts";
import { versions } from "./models.ts";

/**
 * The series of one version. A set is written in parts before its version exists, belongs to it by one update, and is
 * removed in parts after it, since thousands of series would hold the thread for a second.
 */
export const fitSets = sqliteTable(
  "fit_sets",
  {
    id: integer().primaryKey(),
    /** The version; both null until the training is committed, and once the version is removed or its model deleted. */
    model: text(),
    number: integer(),
    /** Its training is not committed yet. */
    isStaged: integer("is_staged", { mode: "boolean" }).notNull().default(false),
    /** Of a version of a deleted model that can be restored. */
    bin: text().references(() => bin.id, { onDelete: "set null" }),
  },
  (table) => [
    foreignKey({
      columns: [table.model, table.number],
      foreignColumns: [versions.model, versions.number],
    }).onDelete("set null"),
    index("fit_sets_by_version").on(table.model, table.number),
    index("fit_sets_by_bin").on(table.bin),
  ],
);

/** Series of a version, with the parameters that were fitted to each. */
export const versionSeries = sqliteTable(
  "version_series",
  {
    /** `id` of the set. */
    fitSet: integer("fit_set")
      .notNull()
      .references(() => fitSets.id, { onDelete: "cascade" }),
    /** See `groupKeyOfTags`. */
    key: text().notNull(),
    tags: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** Intervals with points that it was fitted to. */
    points: integer().notNull(),
    fittedAt: integer("fitted_at").notNull(),
    /** JSON, compressed with zstd. */
    parameters: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.fitSet, table.key] })],
);

/** Series of live models: narrow rows, since lists sort all those of a model. */
export const liveSeries = sqliteTable(
  "live_series",
  {
    model: text()
      .notNull()
      .references(() => live.model, { onDelete: "cascade" }),
    /** See `groupKeyOfTags`. */
    key: text().notNull(),
    status: text().$type<SeriesStatus>().notNull(),
    /** 0..100, of the last interval; null: nothing was observed. */
    score: real(),
    firstSeenAt: integer("first_seen_at").notNull(),
    /** End of the newest interval with points, ms; null until there was one. */
    newestAt: integer("newest_at"),
    /** End (exclusive) of the last window that was evaluated, ms. */
    windowAt: integer("window_at").notNull(),
    tags: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** Of the last interval that was scored, see `LastValues`; null until there was one. */
    last: text({ mode: "json" }).$type<LastValues>(),
  },
  (table) => [
    primaryKey({ columns: [table.model, table.key] }),
    // With the key: a page deep in the list is found without reading rows.
    index("live_series_by_status").on(table.model, table.status, table.key),
    index("live_series_by_score").on(table.model, table.score, table.key),
    index("live_series_by_newest").on(table.model, table.newestAt, table.key),
  ],
);

/** State machine and anomaly of each series, written when they change: owned by live/. */
export const liveSeriesStates = sqliteTable(
  "live_series_states",
  {
    model: text()
      .notNull()
      .references(() => live.model, { onDelete: "cascade" }),
    key: text().notNull(),
    state: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.key] })],
);

/** What the model kind remembers of each series: large, and written in turns. */
export const liveSeriesMemories = sqliteTable(
  "live_series_memories",
  {
    model: text()
      .notNull()
      .references(() => live.model, { onDelete: "cascade" }),
    key: text().notNull(),
    /** End of the window after which it was written, ms. */
    windowAt: integer("window_at").notNull(),
    /** JSON, compressed with zstd. */
    memory: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.key] })],
);
