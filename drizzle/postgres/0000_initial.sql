-- State database on PostgreSQL: the tables of src/store/db/tables, keys by sequences, and the functions of SQLite that verbs use.
CREATE TABLE "buckets" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "settings" text COLLATE "C" NOT NULL
);
CREATE TABLE "episodes" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "start_at" bigint NOT NULL,
  "end_at" bigint,
  "peak_score" double precision NOT NULL,
  "features" text COLLATE "C" NOT NULL,
  "peak" text COLLATE "C" NOT NULL,
  "severity" text COLLATE "C",
  "confidence" text COLLATE "C",
  "closed_by" text COLLATE "C",
  "origin" text COLLATE "C" NOT NULL DEFAULT 'live',
  "series" text COLLATE "C",
  "scope" text COLLATE "C",
  "share" double precision,
  "feedback" text COLLATE "C"
);
CREATE INDEX "episodes_by_model" ON "episodes" ("model", "start_at");
CREATE INDEX "episodes_by_start" ON "episodes" ("start_at");
CREATE TABLE "models" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "generation" bigint NOT NULL DEFAULT 1,
  "active_version" text COLLATE "C",
  "last_training" text COLLATE "C",
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "settings" text COLLATE "C" NOT NULL
);
CREATE TABLE "evaluations" (
  "model" text COLLATE "C" NOT NULL,
  "place" bigint NOT NULL,
  "rev" bigint NOT NULL,
  "window_at" bigint NOT NULL,
  "evaluated_at" bigint NOT NULL,
  "duration_ms" bigint NOT NULL,
  "outcome" text COLLATE "C" NOT NULL,
  "score" double precision,
  "error" text COLLATE "C",
  PRIMARY KEY ("model", "place"),
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE TABLE "failed_sources" (
  "bucket" text COLLATE "C" PRIMARY KEY NOT NULL,
  "episode" text COLLATE "C" NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "started_at" bigint NOT NULL,
  "code" text COLLATE "C" NOT NULL,
  "reason" text COLLATE "C" NOT NULL
);
CREATE TABLE "versions" (
  "model" text COLLATE "C" NOT NULL,
  "number" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "created_at" bigint NOT NULL,
  "from_at" bigint NOT NULL,
  "to_at" bigint NOT NULL,
  "checksum" text COLLATE "C" NOT NULL,
  "summary" text COLLATE "C" NOT NULL,
  "settings" text COLLATE "C" NOT NULL,
  "parameters" text COLLATE "C" NOT NULL,
  "weights" bytea NOT NULL,
  PRIMARY KEY ("model", "number"),
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "versions_by_name" ON "versions" ("model", "name");
CREATE TABLE "fit_sets" (
  "id" bigint PRIMARY KEY NOT NULL,
  "model" text COLLATE "C",
  "number" bigint,
  "is_staged" smallint NOT NULL DEFAULT 0,
  FOREIGN KEY ("model", "number") REFERENCES "versions" ("model", "number") ON DELETE SET NULL
);
CREATE SEQUENCE "fit_sets_id_seq" OWNED BY "fit_sets"."id";
CREATE FUNCTION "fit_sets_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."id" := coalesce(NEW."id", nextval('fit_sets_id_seq')); RETURN NEW; END $$;
CREATE TRIGGER "fit_sets_key" BEFORE INSERT ON "fit_sets" FOR EACH ROW EXECUTE FUNCTION "fit_sets_key"();
CREATE INDEX "fit_sets_by_version" ON "fit_sets" ("model", "number");
CREATE TABLE "global_hooks" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "receiver" text COLLATE "C" NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "selector" text COLLATE "C" NOT NULL,
  "config" text COLLATE "C" NOT NULL,
  "options" text COLLATE "C" NOT NULL DEFAULT '{}'
);
CREATE TABLE "hooks" (
  "model" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL,
  "receiver" text COLLATE "C",
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "config" text COLLATE "C" NOT NULL,
  "options" text COLLATE "C" NOT NULL DEFAULT '{}',
  PRIMARY KEY ("model", "name"),
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE TABLE "jobs" (
  "seq" bigint PRIMARY KEY NOT NULL,
  "id" text COLLATE "C" NOT NULL,
  "type" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  "model" text COLLATE "C",
  "attempts" bigint NOT NULL DEFAULT 0,
  "owner" text COLLATE "C",
  "error_code" text COLLATE "C",
  "error_message" text COLLATE "C",
  "created_at" bigint NOT NULL,
  "started_at" bigint,
  "ended_at" bigint,
  "foreground" smallint NOT NULL DEFAULT 0,
  "result_bytes" bigint,
  "input" text COLLATE "C",
  "result" text COLLATE "C"
);
CREATE SEQUENCE "jobs_seq_seq" OWNED BY "jobs"."seq";
CREATE FUNCTION "jobs_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."seq" := coalesce(NEW."seq", nextval('jobs_seq_seq')); RETURN NEW; END $$;
CREATE TRIGGER "jobs_key" BEFORE INSERT ON "jobs" FOR EACH ROW EXECUTE FUNCTION "jobs_key"();
CREATE UNIQUE INDEX "jobs_by_id" ON "jobs" ("id");
CREATE INDEX "jobs_by_state" ON "jobs" ("state", "seq");
CREATE INDEX "jobs_by_model" ON "jobs" ("model", "state");
CREATE INDEX "jobs_by_end" ON "jobs" ("ended_at");
CREATE INDEX "jobs_by_kept_result" ON "jobs" ("ended_at", "seq", "result_bytes") WHERE result_bytes > 0;
CREATE UNIQUE INDEX "jobs_active_training" ON "jobs" ("model") WHERE type = 'training' and state in ('waiting', 'running');
CREATE TABLE "job_results" (
  "job" bigint NOT NULL,
  "part" bigint NOT NULL,
  "text" text COLLATE "C" NOT NULL,
  "rowid" bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY ("job", "part"),
  FOREIGN KEY ("job") REFERENCES "jobs" ("seq") ON DELETE CASCADE
);
CREATE TABLE "labels" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "from_at" bigint NOT NULL,
  "to_at" bigint NOT NULL,
  "anomaly" smallint NOT NULL,
  "feature" text COLLATE "C",
  "series" text COLLATE "C",
  "created_at" bigint NOT NULL,
  "note" text COLLATE "C",
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE INDEX "labels_by_model" ON "labels" ("model", "from_at");
CREATE TABLE "live" (
  "model" text COLLATE "C" PRIMARY KEY NOT NULL,
  "started_at" bigint NOT NULL,
  "rev" bigint NOT NULL DEFAULT 0,
  "options" text COLLATE "C" NOT NULL,
  "last_slot" bigint,
  "last_window_at" bigint,
  "missed" bigint NOT NULL DEFAULT 0,
  "failures" bigint NOT NULL DEFAULT 0,
  "last_error_code" text COLLATE "C",
  "last_error_message" text COLLATE "C",
  "last_error_at" bigint,
  "output_error" text COLLATE "C",
  "state" text COLLATE "C" NOT NULL,
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE TABLE "live_series" (
  "model" text COLLATE "C" NOT NULL,
  "key" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" NOT NULL,
  "score" double precision,
  "first_seen_at" bigint NOT NULL,
  "newest_at" bigint,
  "window_at" bigint NOT NULL,
  "tags" text COLLATE "C" NOT NULL,
  "last" text COLLATE "C",
  "rowid" bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY ("model", "key"),
  FOREIGN KEY ("model") REFERENCES "live" ("model") ON DELETE CASCADE
);
CREATE INDEX "live_series_by_status" ON "live_series" ("model", "status", "key");
CREATE INDEX "live_series_by_score" ON "live_series" ("model", "score", "key");
CREATE INDEX "live_series_by_newest" ON "live_series" ("model", "newest_at", "key");
CREATE TABLE "live_series_memories" (
  "model" text COLLATE "C" NOT NULL,
  "key" text COLLATE "C" NOT NULL,
  "window_at" bigint NOT NULL,
  "memory" bytea NOT NULL,
  PRIMARY KEY ("model", "key"),
  FOREIGN KEY ("model") REFERENCES "live" ("model") ON DELETE CASCADE
);
CREATE TABLE "live_series_states" (
  "model" text COLLATE "C" NOT NULL,
  "key" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL,
  PRIMARY KEY ("model", "key"),
  FOREIGN KEY ("model") REFERENCES "live" ("model") ON DELETE CASCADE
);
CREATE TABLE "meta" (
  "key" text COLLATE "C" PRIMARY KEY NOT NULL,
  "value" text COLLATE "C" NOT NULL
);
CREATE TABLE "outbox" (
  "seq" bigint PRIMARY KEY NOT NULL,
  "id" text COLLATE "C" NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "hook" text COLLATE "C" NOT NULL,
  "is_global" smallint NOT NULL DEFAULT 0,
  "kind" text COLLATE "C" NOT NULL,
  "receiver" text COLLATE "C",
  "resend" smallint NOT NULL DEFAULT 0,
  "group_key" text COLLATE "C",
  "batch" text COLLATE "C",
  "state" text COLLATE "C" NOT NULL,
  "attempts" bigint NOT NULL DEFAULT 0,
  "created_at" bigint NOT NULL,
  "next_at" bigint NOT NULL,
  "ended_at" bigint,
  "last_error" text COLLATE "C",
  "event" text COLLATE "C" NOT NULL,
  "config" text COLLATE "C" NOT NULL
);
CREATE SEQUENCE "outbox_seq_seq" OWNED BY "outbox"."seq";
CREATE FUNCTION "outbox_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."seq" := coalesce(NEW."seq", nextval('outbox_seq_seq')); RETURN NEW; END $$;
CREATE TRIGGER "outbox_key" BEFORE INSERT ON "outbox" FOR EACH ROW EXECUTE FUNCTION "outbox_key"();
CREATE UNIQUE INDEX "outbox_by_id" ON "outbox" ("id", "resend");
CREATE INDEX "outbox_by_state" ON "outbox" ("state", "next_at");
CREATE INDEX "outbox_by_hook" ON "outbox" ("model", "hook", "seq");
CREATE INDEX "outbox_by_group" ON "outbox" ("hook", "group_key", "state", "seq");
CREATE TABLE "scheduled_jobs" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "origin" text COLLATE "C" NOT NULL,
  "generation" bigint NOT NULL DEFAULT 1,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "last_run_at" bigint,
  "last_status" bigint,
  "last_error" text COLLATE "C",
  "creator" text COLLATE "C",
  "definition" text COLLATE "C" NOT NULL
);
CREATE TABLE "scheduled_runs" (
  "seq" bigint PRIMARY KEY NOT NULL,
  "job" text COLLATE "C" NOT NULL,
  "slot_at" bigint NOT NULL,
  "generation" bigint NOT NULL,
  "started_at" bigint NOT NULL,
  FOREIGN KEY ("job") REFERENCES "scheduled_jobs" ("name") ON DELETE CASCADE
);
CREATE SEQUENCE "scheduled_runs_seq_seq" OWNED BY "scheduled_runs"."seq";
CREATE FUNCTION "scheduled_runs_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."seq" := coalesce(NEW."seq", nextval('scheduled_runs_seq_seq')); RETURN NEW; END $$;
CREATE TRIGGER "scheduled_runs_key" BEFORE INSERT ON "scheduled_runs" FOR EACH ROW EXECUTE FUNCTION "scheduled_runs_key"();
CREATE UNIQUE INDEX "scheduled_runs_by_slot" ON "scheduled_runs" ("job", "slot_at");
CREATE TABLE "scores" (
  "id" bigint PRIMARY KEY NOT NULL,
  "model" text COLLATE "C" NOT NULL,
  "start_at" bigint NOT NULL,
  "interval_ms" bigint NOT NULL,
  "version" text COLLATE "C" NOT NULL,
  "features" text COLLATE "C" NOT NULL,
  "series" text COLLATE "C",
  "data" bytea NOT NULL,
  FOREIGN KEY ("model") REFERENCES "models" ("name") ON DELETE CASCADE
);
CREATE SEQUENCE "scores_id_seq" OWNED BY "scores"."id";
CREATE FUNCTION "scores_key"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."id" := coalesce(NEW."id", nextval('scores_id_seq')); RETURN NEW; END $$;
CREATE TRIGGER "scores_key" BEFORE INSERT ON "scores" FOR EACH ROW EXECUTE FUNCTION "scores_key"();
CREATE INDEX "scores_by_model" ON "scores" ("model", "series", "interval_ms", "start_at");
CREATE INDEX "scores_by_start" ON "scores" ("start_at");
CREATE TABLE "templates" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "created_at" bigint NOT NULL,
  "settings" text COLLATE "C" NOT NULL
);
CREATE TABLE "tokens" (
  "name" text COLLATE "C" PRIMARY KEY NOT NULL,
  "id" text COLLATE "C" NOT NULL,
  "scope" text COLLATE "C" NOT NULL,
  "digest" text COLLATE "C" NOT NULL,
  "created_at" bigint NOT NULL,
  "last_used_at" bigint,
  "expires_at" bigint
);
CREATE UNIQUE INDEX "tokens_by_digest" ON "tokens" ("digest");
CREATE TABLE "version_series" (
  "fit_set" bigint NOT NULL,
  "key" text COLLATE "C" NOT NULL,
  "tags" text COLLATE "C" NOT NULL,
  "points" bigint NOT NULL,
  "fitted_at" bigint NOT NULL,
  "parameters" bytea NOT NULL,
  "rowid" bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  PRIMARY KEY ("fit_set", "key"),
  FOREIGN KEY ("fit_set") REFERENCES "fit_sets" ("id") ON DELETE CASCADE
);
CREATE FUNCTION json_each(document text) RETURNS TABLE (key text, value text) LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF json_typeof(document::json) = 'array' THEN
    RETURN QUERY SELECT (entry.ordinality - 1)::text, entry.value
      FROM json_array_elements_text(document::json) WITH ORDINALITY AS entry(value, ordinality);
  ELSE
    RETURN QUERY SELECT entry.key, entry.value FROM json_each_text(document::json) AS entry;
  END IF;
END $$;
CREATE FUNCTION json_extract(document text, path text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT document::json #>> string_to_array(trim(both ',' from regexp_replace(substr(path, 2), '[].[]+', ',', 'g')), ',') $$;
CREATE FUNCTION instr(haystack text, needle text) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT strpos(haystack, needle) $$;
