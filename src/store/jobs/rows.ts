// SQL of reads of jobs: one, lists and pages, and their small results.
import { and, asc, eq, getTableColumns, gte, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import type { JobState, JobType } from "../../core/job.ts";
import { readCached } from "../db/cached-query.ts";
import type { Db } from "../db/database.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { prepareOnce } from "../db/prepared.ts";
import { jobs } from "../db/schema.ts";
import { read } from "../db/transaction.ts";
import type { Page } from "../models.ts";

const { input: _input, result: _result, ...summaryColumns } = getTableColumns(jobs);

export { summaryColumns };

/** A job without its input and its result, which can be large. */
export type JobSummary = Omit<typeof jobs.$inferSelect, "input" | "result">;
/** A job with its result, if small; large ones are read in parts, see `readResult`. */
export type JobRow = JobSummary & { readonly result: unknown };

/** Time of the start; before that, of the submission. */
const startAt = sql`coalesce(${jobs.startedAt}, ${jobs.createdAt})`;

/** Sort keys of the API; null for jobs without the value. */
const orders = {
  id: jobs.id,
  type: jobs.type,
  state: jobs.state,
  model: jobs.model,
  start_timestamp: startAt,
  start_date: startAt,
  end_timestamp: jobs.endedAt,
  end_date: jobs.endedAt,
};
type JobOrder = keyof typeof orders;

export interface JobPage extends Page {
  readonly by: JobOrder;
}

/** Whether SQL can sort by this field of the API. */
export function isJobOrder(field: string): field is JobOrder {
  return Object.hasOwn(orders, field);
}

/** All given conditions must hold. */
export interface JobFilter {
  readonly states?: readonly JobState[];
  readonly types?: readonly JobType[];
  readonly models?: readonly string[];
  /** Started at or after this instant; before their start: submitted. ms since the epoch. */
  readonly sinceAt?: number;
}

function whereOf({ states, types, models, sinceAt }: JobFilter): SQL | undefined {
  return and(
    states && inArray(jobs.state, [...states]),
    types && inArray(jobs.type, [...types]),
    models && inArray(jobs.model, [...models]),
    sinceAt === undefined ? undefined : gte(startAt, sinceAt),
  );
}

/** All jobs by id, or a sorted page of them, nulls last. */
export function listJobs(
  store: Store,
  page?: JobPage,
  filter: JobFilter = {},
): Promise<readonly JobSummary[]> {
  const select = (db: Db) => db.select(summaryColumns).from(jobs).where(whereOf(filter));
  if (!page) return read(store, (db) => select(db).orderBy(asc(jobs.id)).all());
  const { by, descending, offset, limit } = page;
  const direction = sql.raw(descending ? "desc" : "asc");
  const order = sql`${orders[by]} ${direction} nulls last`;
  const list = (db: Db) => select(db).orderBy(order, asc(jobs.id)).limit(limit).offset(offset).all();
  const key = `${by} ${descending} ${offset} ${limit} ${JSON.stringify(filter)}`;
  return readCached(store, { kind: "jobs", key, read: list });
}

/** Number of jobs on all pages. */
export function countJobs(store: Store, filter: JobFilter = {}): Promise<number> {
  const find = (db: Db) => countOf(db, jobs, whereOf(filter));
  return readCached(store, { kind: "jobs", key: `count ${JSON.stringify(filter)}`, read: find });
}

/** @throws TorusError `not_found` */
export async function loadJob(store: Store, id: string): Promise<JobRow> {
  const find = (db: Db) => prepareOnce(db, selectJob).get({ id });
  const row = await readCached(store, { kind: "job", key: id, read: find, isSmall: hasNoResult });
  if (!row) throw new TorusError("not_found", `job ${id} does not exist`);
  return row;
}

/** What a failed or canceled job was submitted with. */
interface EndedJob {
  readonly type: JobType;
  readonly model: string | null;
  readonly input: unknown;
}

/** @throws TorusError `not_found`, `job_stopped` (neither failed nor canceled), `not_supported` (input not kept) */
export function loadEndedJob(store: Store, id: string): Promise<EndedJob> {
  return read(store, async (db) => {
    const { type, model, input, state } = jobs;
    const row = await db.select({ type, model, input, state }).from(jobs).where(eq(jobs.id, id)).get();
    if (!row) throw new TorusError("not_found", `job ${id} does not exist`);
    const found = `job ${id} cannot be retried`;
    if (row.state !== "failed" && row.state !== "canceled")
      throw new TorusError("job_stopped", `${found}: it is ${row.state}, not failed or canceled`, {
        job_id: id,
      });
    if (row.input === null)
      throw new TorusError("not_supported", `${found}: its input was not kept; send the request again`);
    return row;
  });
}

/** Rows with results are not cached, as these can be large. */
function hasNoResult(row: JobRow | undefined): boolean {
  return typeof row?.result !== "object" || row.result === null;
}

function selectJob(db: Db) {
  return db
    .select({ ...summaryColumns, result: jobs.result })
    .from(jobs)
    .where(eq(jobs.id, sql.placeholder("id")))
    .prepare();
}

/** Small results of jobs by id; null where there is none. */
export function loadResults(store: Store, ids: readonly string[]): Promise<Map<string, unknown>> {
  return read(store, async (db) => {
    const results = new Map<string, unknown>(ids.map((id) => [id, null]));
    for (const { id, result } of await prepareOnce(db, selectResults).all({ ids: JSON.stringify(ids) }))
      results.set(id, result);
    return results;
  });
}

/** One statement for any number of ids, which are one parameter. */
function selectResults(db: Db) {
  const wanted = sql`(select value from json_each(${sql.placeholder("ids")}))`;
  return db
    .select({ id: jobs.id, result: jobs.result })
    .from(jobs)
    .where(and(sql`${jobs.id} in ${wanted}`, isNotNull(jobs.result)))
    .prepare();
}
