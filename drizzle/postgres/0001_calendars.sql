-- Calendars; the same columns as drizzle/0021_calendars.sql, in the order of the code.
CREATE TABLE "calendars" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "revision" bigint DEFAULT 1 NOT NULL,
  "next_at" bigint,
  "refreshed_at" bigint,
  "failures" bigint DEFAULT 0 NOT NULL,
  "last_error" text COLLATE "C",
  "etag" text COLLATE "C",
  "last_modified" text COLLATE "C",
  "settings" text COLLATE "C" NOT NULL,
  "ical" text COLLATE "C"
);
