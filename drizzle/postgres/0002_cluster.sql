-- Nodes that share the database: leases, shards of names, the changes of each other, and the shard of what one node works on.
CREATE FUNCTION "shard_of"(name text) RETURNS smallint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ((get_byte(d, 0) * 256 + get_byte(d, 1)) & 1023)::smallint FROM (SELECT sha256(convert_to(name, 'UTF8')) AS d) AS digest
$$;
CREATE TABLE "nodes" (
  "id" text COLLATE "C" PRIMARY KEY NOT NULL,
  "storage" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "host" text COLLATE "C" NOT NULL,
  "address" text COLLATE "C" NOT NULL DEFAULT '',
  "version" text COLLATE "C" NOT NULL,
  "work" text COLLATE "C" NOT NULL,
  "settings_hash" text COLLATE "C" NOT NULL,
  "started_at" bigint NOT NULL,
  "lease_until" timestamptz NOT NULL,
  "clock_skew_ms" double precision NOT NULL DEFAULT 0,
  "progress" text COLLATE "C" NOT NULL DEFAULT '[]'
) WITH (fillfactor = 50);
CREATE TABLE "shards" (
  "shard" smallint PRIMARY KEY NOT NULL,
  "node" text COLLATE "C",
  "fence" bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO "shards" ("shard") SELECT generate_series(0, 1023);
CREATE TABLE "changes" (
  "seq" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
  "origin" text COLLATE "C" NOT NULL,
  "body" text COLLATE "C" NOT NULL,
  "at" timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX "changes_by_xid" ON "changes" ("xid");
ALTER TABLE "live" ADD COLUMN "shard" smallint GENERATED ALWAYS AS (shard_of("model")) STORED;
CREATE INDEX "live_by_shard" ON "live" ("shard");
-- Events that a global hook groups are of one notification, whichever models they are of.
ALTER TABLE "outbox" ADD COLUMN "shard" smallint GENERATED ALWAYS AS (
  shard_of(CASE WHEN "is_global" = 1 AND "group_key" IS NOT NULL THEN 'global/' || "hook" || '#' || "group_key" ELSE "model" END)
) STORED;
CREATE INDEX "jobs_waiting" ON "jobs" ("seq") WHERE state = 'waiting';
ALTER TABLE "live" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE "evaluations" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
DELETE FROM "meta" WHERE "key" = 'holder';
