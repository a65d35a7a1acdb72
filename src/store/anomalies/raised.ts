// SQL of what live detection raised: starts of anomalies with their feedback, the newest ones.
import { and, desc, eq, gte, lt } from "drizzle-orm";
import type { Feedback } from "../../core/anomaly/feedback.ts";
import type { Range } from "../../core/series/grid.ts";
import type { Store } from "../db/open.ts";
import { episodes } from "../db/schema.ts";
import { read } from "../db/transaction.ts";
import { hasTags } from "../fleets/series-tags.ts";

interface RaisedQuery extends Range {
  readonly model: string;
  /** Only those of this series of a fleet. */
  readonly series?: Readonly<Record<string, string>> | undefined;
  readonly limit: number;
}

export interface Raised {
  /** Start of the interval that started it, ms since the epoch. */
  readonly startAt: number;
  readonly feedback: Feedback | null;
}

/** Anomalies of live detection that started in the range, newest first. */
export function listRaised(
  store: Store,
  { model, fromAt, toAt, series, limit }: RaisedQuery,
): Promise<Raised[]> {
  const { startAt, feedback, origin } = episodes;
  return read(
    store,
    async (db) =>
      (await db
        .select({ startAt, feedback })
        .from(episodes)
        .where(
          and(
            eq(episodes.model, model),
            gte(startAt, fromAt),
            lt(startAt, toAt),
            eq(origin, "live"),
            series && hasTags(episodes.series, series),
          ),
        )
        .orderBy(desc(startAt))
        .limit(limit)
        // The JSON column was written from the same type.
        .all()) as Raised[],
  );
}
