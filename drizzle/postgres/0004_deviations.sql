-- Deviations; the same columns as drizzle/0023_deviations.sql, in the order of the code.
CREATE TABLE "deviations" (
  "id" bigint PRIMARY KEY NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "series" text COLLATE "C",
  "start_at" bigint NOT NULL,
  "end_at" bigint NOT NULL,
  "interval_ms" bigint NOT NULL,
  "peak" double precision NOT NULL,
  "feature" text COLLATE "C" NOT NULL,
  "type" text COLLATE "C" NOT NULL,
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE SEQUENCE "deviations_id_seq" OWNED BY "deviations"."id";
CREATE FUNCTION "deviations_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."id" := coalesce(NEW."id", nextval('deviations_id_seq')); RETURN NEW; END $$;
CREATE TRIGGER "deviations_key" BEFORE INSERT ON "deviations" FOR EACH ROW EXECUTE FUNCTION "deviations_key"();
CREATE INDEX "deviations_by_model" ON "deviations" ("model", "series", "start_at");
CREATE INDEX "deviations_by_start" ON "deviations" ("start_at");
