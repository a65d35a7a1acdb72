// Table of calendars: settings, and the text that was read last.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReadingCode } from "../../../core/calendar/reading-code.ts";
import type { CalendarSettings } from "../../../core/calendar/settings.ts";

export const calendars = sqliteTable("calendars", {
  name: text().primaryKey(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Rises with every write: a refresh that began before another write is dropped. */
  revision: integer().notNull().default(1),
  /** Next reading of the address, ms; null: there is no address. */
  nextAt: integer("next_at"),
  /** Last successful reading; null: none, or no address. */
  refreshedAt: integer("refreshed_at"),
  /** Readings that failed since. */
  failures: integer().notNull().default(0),
  lastError: text("last_error"),
  /** Of `lastError`. */
  lastErrorCode: text("last_error_code").$type<ReadingCode>(),
  /** Validators of the last answer, for the next request (RFC 9110, 8.8). */
  etag: text(),
  lastModified: text("last_modified"),
  /** Without the text. */
  settings: text({ mode: "json" }).$type<Omit<CalendarSettings, "ical">>().notNull(),
  /** Text in force; null: the address was never read. */
  ical: text(),
});
