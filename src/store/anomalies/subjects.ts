// SQL of what live detection scores: live models of one series with their features, and series of fleets, in pages.
import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Store } from "../db/open.ts";
import { live, liveSeries, models } from "../db/schema.ts";
import { read } from "../db/transaction.ts";

/** Some 5 ms. */
const PAGE_ROWS = 1000;

interface LiveSingle {
  readonly model: string;
  readonly features: ModelSettings["features"];
}

/** A page of live models of one series, by name. @param after the last of the page before */
export function listSingles(store: Store, after = ""): Promise<LiveSingle[]> {
  const features = sql<string>`json_extract(${models.settings}, '$.features')`;
  const isSingle = sql`json_extract(${models.settings}, '$.group_by') is null`;
  return read(store, async (db) => {
    const rows = await db
      .select({ model: live.model, features })
      .from(live)
      .innerJoin(models, eq(models.name, live.model))
      .where(and(isSingle, gt(live.model, after)))
      .orderBy(asc(live.model))
      .limit(PAGE_ROWS)
      .all();
    return rows.map((row) => ({ model: row.model, features: JSON.parse(row.features) }));
  });
}

export interface LiveMember {
  readonly model: string;
  readonly key: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A page of live series of fleets, by model and key. @param after the last of the page before */
export function listMembers(store: Store, after?: Pick<LiveMember, "model" | "key">): Promise<LiveMember[]> {
  const { model, key, tags } = liveSeries;
  const isBeyond = after && or(gt(model, after.model), and(eq(model, after.model), gt(key, after.key)));
  return read(store, (db) =>
    db
      .select({ model, key, tags })
      .from(liveSeries)
      .where(isBeyond)
      .orderBy(asc(model), asc(key))
      .limit(PAGE_ROWS)
      .all(),
  );
}

/** The last row of a full page, after which the next begins; undefined: there is none. */
export function lastOfPage<T>(page: readonly T[]): T | undefined {
  return page.length === PAGE_ROWS ? page.at(-1) : undefined;
}
