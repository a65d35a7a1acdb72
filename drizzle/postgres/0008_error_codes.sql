-- Codes of the errors of deliveries and scheduled jobs; the same columns as drizzle/0027_error_codes.sql.
ALTER TABLE "outbox" ADD COLUMN "last_error_code" text COLLATE "C";
ALTER TABLE "scheduled_jobs" ADD COLUMN "last_error_code" text COLLATE "C";
