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

const countOf = (status: string) =>
  sql`cast(json_extract(${live.state}, ${sql.raw(`'$.fleet.${status}'`)}) as bigint)`;
/** Of a model, or of all series of a fleet. */
const isSilent = sql`(json_extract(${live.state}, '$.quiet.isSilent') is not null
  or json_extract(${live.state}, '$.conditions.silence') is not null
  or ${countOf("new")} + ${countOf("watched")} + ${countOf("anomalous")} = 0)`;

/** Index of the state, see core/model/model-state.ts. */
const rank = sql<number>`case
  when json_extract(${live.state}, '$.episode') is not null then 0
  when ${countOf("anomalous")} > 0 then 0
  when ${live.failures} > 0 then 1
  when ${isSilent} then 2
  when ${jobs.state} in ('waiting', 'running') then 3
  when ${isLive} and not ${isTrained} then 4
  when ${isLive} then 5
  when ${isTrained} then 6
  else 7 end`;

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
