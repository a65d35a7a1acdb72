-- Bin; the same columns as drizzle/0022_bin.sql, in the order of the code.
CREATE TABLE "bin" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "model" text COLLATE "C",
  "deleted_at" bigint NOT NULL,
  "deleted_by" text COLLATE "C",
  "bytes" bigint NOT NULL,
  "has_points" smallint NOT NULL DEFAULT 0
);
CREATE INDEX "bin_by_time" ON "bin" ("deleted_at");
CREATE TABLE "bin_rows" (
  "bin" text COLLATE "C" NOT NULL,
  "place" bigint NOT NULL,
  "source" text COLLATE "C" NOT NULL,
  "content" text COLLATE "C" NOT NULL,
  "sealed" text COLLATE "C" NOT NULL DEFAULT '{}',
  "data" bytea,
  PRIMARY KEY ("bin", "place"),
  FOREIGN KEY ("bin") REFERENCES "bin" ("id") ON DELETE CASCADE
);
ALTER TABLE "fit_sets" ADD COLUMN "bin" text COLLATE "C" REFERENCES "bin" ("id") ON DELETE SET NULL;
CREATE INDEX "fit_sets_by_bin" ON "fit_sets" ("bin");
