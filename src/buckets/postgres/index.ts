// Kind `postgres`: a table or a query of PostgreSQL or TimescaleDB, a row per point.
import { throwIfAborted } from "../../core/errors.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { checkTerms, readQueries } from "../shared/query.ts";
import { Database } from "./database.ts";
import { exploreSource, probeSource } from "./explore.ts";
import { createLanguage } from "./query.ts";
import { openGrid } from "./read.ts";
import type { Session } from "./session.ts";
import {
  checkSettings,
  destination,
  type PostgresSettings,
  secrets,
  settings,
  toConnectOptions,
} from "./settings.ts";
import { openSource, type Source } from "./source.ts";
import { checkNames, insertPoints } from "./write.ts";

export const postgres: BucketKind<typeof settings> = {
  kind: "postgres",
  description:
    "A table or a query of PostgreSQL or TimescaleDB: a row per point, fields and tags are columns. It is read in " +
    "read-only transactions; points are written only with `writable`. Rows of one measurement are one series " +
    "for `rate` and `derivative`, unless `series_by` names the columns that distinguish them. The query of a feature is a SELECT " +
    "that answers the columns `time` and `value`, a row per interval, from `{from}` to `{to}` (exclusive) in " +
    "intervals of `{interval}`, as in `SELECT date_bin({interval}, at, {from}) AS time, avg(v) AS value FROM t " +
    "WHERE at >= {from} AND at < {to} GROUP BY 1`",
  settings,
  secrets,
  destination,
  check: checkSettings,
  queryLanguage: "SQL",
  checkQuery: checkTerms,
  open: (_name, own) => openPostgres(own, new Database(toConnectOptions(own))),
};

function openPostgres(own: PostgresSettings, database: Database): Bucket {
  /** Reads within one transaction that writes nothing. */
  function look<T>(work: (session: Session, source: Source) => Promise<T>, signal: AbortSignal): Promise<T> {
    return database.transact(
      "read",
      async (session) => work(session, await openSource(session, own)),
      signal,
    );
  }

  const readerOf = (session: Session, source: Source) =>
    createReader((query, signal) => openGrid({ session, source }, query, signal));
  const bucket: Bucket = {
    read: (query, signal) =>
      database.transact(
        "read",
        (session) => {
          const language = createLanguage({ session, upstream: database.upstream, own });
          const readOthers = async (others: ReadQuery) =>
            readerOf(session, await openSource(session, own)).read(others, signal);
          return readQueries(query, { language, readOthers }, signal);
        },
        signal,
      ),
    readGrouped: (query, signal) =>
      look((session, source) => readerOf(session, source).readGrouped(query, signal), signal),
    probe: (signal) => look((session, source) => probeSource(session, source), signal),
    explore: (options, signal) =>
      look((session, source) => exploreSource({ session, source, own }, options), signal),
    close: () => database.close(),
  };
  if (!own.writable) return bucket;
  return {
    ...bucket,
    async write(points, { measurement }, signal) {
      throwIfAborted(signal);
      checkNames(points, own, measurement);
      if (points.length === 0) return;
      const insert = async (session: Session) =>
        insertPoints({ session, source: await openSource(session, own), own }, points, measurement);
      await database.transact("write", insert, signal);
    },
  };
}
