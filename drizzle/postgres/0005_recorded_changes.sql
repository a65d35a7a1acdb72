-- Recorded changes; the same columns as drizzle/0024_recorded_changes.sql, in the order of the code.
CREATE TABLE "recorded_changes" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "at" bigint NOT NULL,
  "end_at" bigint,
  "kind" text COLLATE "C" NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "url" text COLLATE "C",
  "created_at" bigint NOT NULL,
  "tags" text COLLATE "C" NOT NULL
);
CREATE INDEX "recorded_changes_by_time" ON "recorded_changes" ("at");
