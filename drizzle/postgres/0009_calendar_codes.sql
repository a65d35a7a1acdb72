-- Code of the error of the last reading of a calendar; the same column as drizzle/0028_calendar_codes.sql.
ALTER TABLE "calendars" ADD COLUMN "last_error_code" text COLLATE "C";
