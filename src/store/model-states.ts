// SQL of models by state: worst first, filtered by state and by a part of the name, counted by state.
import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type ModelStateName, modelStates } from "../core/model/model-state.ts";
import type { Store } from "./db/open.ts";
import { jobs, live, models } from "./db/schema.ts";
import { read } from "./db/transaction.ts";
import { type ModelRow, type Page, selectModels, toModelRow } from "./models.ts";

export interface ModelFilter {
  readonly states?: readonly ModelStateName[];
  /** Part of the name; ASCII letters in any case. */
  readonly text?: string;
}

export interface ModelOrder extends Page {
  /** By state, then by name; absent: by name. */
  readonly byState?: boolean;
}

const isLive = sql`${live.model} is not null`;
const isTrained = sql`${models.activeVersion} is not null`;

/** Index of the state, see core/model/model-state.ts. */
const rank = sql<number>`case
  when json_extract(${live.state}, '$.episode') is not null then 0
  when cast(json_extract(${live.state}, '$.fleet.anomalous') as bigint) > 0 then 0
  when ${live.failures} > 0 then 1
  when ${jobs.state} in ('waiting', 'running') then 2
  when ${isLive} and not ${isTrained} then 3
  when ${isLive} then 4
  when ${isTrained} then 5
  else 6 end`;

function whereOf({ states, text }: ModelFilter): SQL | undefined {
  return and(
    states && inArray(rank, [...states.map((state) => modelStates.indexOf(state))]),
    text === undefined ? undefined : sql`instr(lower(${models.name}), lower(${text})) > 0`,
  );
}

/** A sorted page of the models that match. */
export function findModels(store: Store, filter: ModelFilter, order: ModelOrder): Promise<ModelRow[]> {
  const { byState = false, descending, offset, limit } = order;
  const direction = descending ? desc : asc;
  const sort = byState ? [direction(rank), asc(models.name)] : [direction(models.name)];
  return read(store, async (db) =>
    (
      await selectModels(db)
        .leftJoin(live, eq(live.model, models.name))
        .where(whereOf(filter))
        .orderBy(...sort)
        .limit(limit)
        .offset(offset)
        .all()
    ).map(toModelRow),
  );
}

/** How many models have each state, of those whose names match. */
export function countModelStates(
  store: Store,
  { text }: Pick<ModelFilter, "text">,
): Promise<ReadonlyMap<ModelStateName, number>> {
  return read(store, async (db) => {
    const rows = await db
      .select({ rank, n: count() })
      .from(models)
      .leftJoin(jobs, eq(jobs.id, models.lastTraining))
      .leftJoin(live, eq(live.model, models.name))
      .where(whereOf({ ...(text !== undefined && { text }) }))
      .groupBy(rank)
      .all();
    return new Map(rows.map(({ rank, n }) => [modelStates[rank]!, n]));
  });
}
