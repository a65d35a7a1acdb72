// Generated migrations, bundled with the program, and their application to a database.
import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { MigrationMeta } from "drizzle-orm/migrator";
import type { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import initial from "../../../drizzle/0000_initial.sql" with { type: "text" };
import resources from "../../../drizzle/0001_resources.sql" with { type: "text" };
import live from "../../../drizzle/0002_live.sql" with { type: "text" };
import security from "../../../drizzle/0003_security.sql" with { type: "text" };
import results from "../../../drizzle/0004_results.sql" with { type: "text" };
import resend from "../../../drizzle/0005_resend.sql" with { type: "text" };
import receiver from "../../../drizzle/0006_receiver.sql" with { type: "text" };
import globalHooks from "../../../drizzle/0007_global_hooks.sql" with { type: "text" };
import episodeOrigin from "../../../drizzle/0008_episode_origin.sql" with { type: "text" };
import episodeSeverity from "../../../drizzle/0009_episode_severity.sql" with { type: "text" };
import episodeConfidence from "../../../drizzle/0010_episode_confidence.sql" with { type: "text" };
import labels from "../../../drizzle/0011_labels.sql" with { type: "text" };
import scores from "../../../drizzle/0012_scores.sql" with { type: "text" };
import hookOptions from "../../../drizzle/0013_hook_options.sql" with { type: "text" };
import failedSources from "../../../drizzle/0014_failed_sources.sql" with { type: "text" };
import groups from "../../../drizzle/0015_groups.sql" with { type: "text" };
import fleets from "../../../drizzle/0016_fleets.sql" with { type: "text" };
import liveRevision from "../../../drizzle/0017_live_revision.sql" with { type: "text" };
import evaluationRing from "../../../drizzle/0018_evaluation_ring.sql" with { type: "text" };
import outputError from "../../../drizzle/0019_output_error.sql" with { type: "text" };
import lastValues from "../../../drizzle/0020_last_values.sql" with { type: "text" };
import calendars from "../../../drizzle/0021_calendars.sql" with { type: "text" };
import bin from "../../../drizzle/0022_bin.sql" with { type: "text" };
import deviations from "../../../drizzle/0023_deviations.sql" with { type: "text" };
import recordedChanges from "../../../drizzle/0024_recorded_changes.sql" with { type: "text" };
import outlooks from "../../../drizzle/0025_outlooks.sql" with { type: "text" };
import budgets from "../../../drizzle/0026_budgets.sql" with { type: "text" };
import errorCodes from "../../../drizzle/0027_error_codes.sql" with { type: "text" };
import calendarCodes from "../../../drizzle/0028_calendar_codes.sql" with { type: "text" };
import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };

/** Imported one by one, because a compiled binary has no folder to read. A new migration adds its line. */
const texts: Readonly<Record<string, string>> = {
  "0000_initial": initial,
  "0001_resources": resources,
  "0002_live": live,
  "0003_security": security,
  "0004_results": results,
  "0005_resend": resend,
  "0006_receiver": receiver,
  "0007_global_hooks": globalHooks,
  "0008_episode_origin": episodeOrigin,
  "0009_episode_severity": episodeSeverity,
  "0010_episode_confidence": episodeConfidence,
  "0011_labels": labels,
  "0012_scores": scores,
  "0013_hook_options": hookOptions,
  "0014_failed_sources": failedSources,
  "0015_groups": groups,
  "0016_fleets": fleets,
  "0017_live_revision": liveRevision,
  "0018_evaluation_ring": evaluationRing,
  "0019_output_error": outputError,
  "0020_last_values": lastValues,
  "0021_calendars": calendars,
  "0022_bin": bin,
  "0023_deviations": deviations,
  "0024_recorded_changes": recordedChanges,
  "0025_outlooks": outlooks,
  "0026_budgets": budgets,
  "0027_error_codes": errorCodes,
  "0028_calendar_codes": calendarCodes,
};

/** Every migration, oldest first, as drizzle's `readMigrationFiles` returns them. */
export const migrations: readonly MigrationMeta[] = journal.entries.map((entry) => {
  const text = texts[entry.tag];
  if (text === undefined)
    throw new Error(`drizzle/${entry.tag}.sql is not imported by src/store/db/migrations.ts`);
  return {
    sql: text.split("--> statement-breakpoint"),
    bps: entry.breakpoints,
    folderMillis: entry.when,
    hash: createHash("sha256").update(text).digest("hex"),
  };
});

/** Stamp of the newest migration in the database; 0 where there is none yet. */
export function readSchemaStamp(sqlite: Database): number {
  const table = sqlite.query("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
  if (!table) return 0;
  const row = sqlite.query("select max(created_at) as stamp from __drizzle_migrations").get();
  return Number((row as { stamp: number | null }).stamp ?? 0);
}

/** Stamp of the newest migration this program knows. */
export const newestStamp = migrations.at(-1)?.folderMillis ?? 0;

/** Brings the database up to date in one transaction. */
export function applyMigrations(db: BunSQLiteDatabase, list: readonly MigrationMeta[] = migrations): void {
  // Internal API, hence the pinned version: the public migrator reads a folder.
  const { dialect, session } = db as unknown as {
    dialect: SQLiteSyncDialect;
    session: Parameters<SQLiteSyncDialect["migrate"]>[1];
  };
  dialect.migrate([...list], session);
}
