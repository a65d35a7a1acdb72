-- Outlooks; the same columns as drizzle/0025_outlooks.sql, in the order of the code.
CREATE TABLE "outlooks" (
  "model" text COLLATE "C" NOT NULL,
  "series" text COLLATE "C" NOT NULL,
  "feature" text COLLATE "C" NOT NULL,
  "type" text COLLATE "C" NOT NULL,
  "bound" double precision NOT NULL,
  "source" text COLLATE "C" NOT NULL,
  "value" double precision NOT NULL,
  "per_day" double precision NOT NULL,
  "reached_at" bigint NOT NULL,
  "earliest_at" bigint NOT NULL,
  "latest_at" bigint,
  "hits" bigint NOT NULL,
  "cases" bigint NOT NULL,
  "is_predictable" smallint NOT NULL,
  "made_at" bigint NOT NULL,
  PRIMARY KEY ("model", "series", "feature", "type"),
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE INDEX "outlooks_by_date" ON "outlooks" ("is_predictable", "reached_at");
