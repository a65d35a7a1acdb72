// SQL of alarms: anomalies of live detection without their features, the newest ones.
import { and, desc, gte, inArray } from "drizzle-orm";
import type { Severity } from "../../core/anomaly/severity.ts";
import type { Alarm } from "../../core/report/noise.ts";
import type { Store } from "../db/open.ts";
import { episodes } from "../db/schema.ts";
import { read } from "../db/transaction.ts";
import { type EpisodeQuery, type EpisodeRow, toEpisode, whereOf } from "./episodes.ts";

export interface AlarmRow extends Alarm {
  /** UUID. */
  readonly id: string;
  /** null in those of an older version. */
  readonly severity: Severity | null;
}

interface AlarmQuery extends Pick<EpisodeQuery, "fromAt" | "toAt" | "models" | "judged"> {
  /** Only those that started at or after it, ms since the epoch. */
  readonly sinceAt?: number;
}

/** Alarms of a query, newest first. */
export function listAlarms(
  store: Store,
  { sinceAt, ...query }: AlarmQuery,
  limit: number,
): Promise<AlarmRow[]> {
  const { id, model, startAt, endAt, peakScore, severity, scope, feedback } = episodes;
  return read(
    store,
    async (db) =>
      (await db
        .select({ id, model, startAt, endAt, peakScore, severity, scope, feedback })
        .from(episodes)
        .where(
          and(
            whereOf({ ...query, origin: "live" }),
            sinceAt === undefined ? undefined : gte(startAt, sinceAt),
          ),
        )
        .orderBy(desc(startAt), desc(id))
        .limit(limit)
        // The JSON columns were written from the same types.
        .all()) as AlarmRow[],
  );
}

/** Whole episodes by their ids, in any order; unknown ones are left out. */
export function loadEpisodes(store: Store, ids: readonly string[]): Promise<EpisodeRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return read(store, async (db) =>
    (
      await db
        .select()
        .from(episodes)
        .where(inArray(episodes.id, [...ids]))
        .all()
    ).map(toEpisode),
  );
}
