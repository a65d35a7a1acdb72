-- Error budgets; the same columns as drizzle/0026_budgets.sql, in the order of the code.
CREATE TABLE "budgets" (
  "model" text COLLATE "C" NOT NULL,
  "series" text COLLATE "C" NOT NULL,
  "feature" text COLLATE "C" NOT NULL,
  "is_known" smallint NOT NULL,
  "remaining" double precision NOT NULL,
  "made_at" bigint NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("model", "series", "feature"),
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE INDEX "budgets_by_remaining" ON "budgets" ("is_known", "remaining");
