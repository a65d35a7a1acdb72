// Probing and exploring local buckets, in steps that yield to the event loop.
import type { Database } from "bun:sqlite";
import { createYielder } from "../../runtime/steps.ts";
import type {
  Exploration,
  ExploredField,
  ExploredMeasurement,
  ExploreOptions,
  ProbeResult,
} from "../kind.ts";
import { type Choice, chooseFields, cut, toTagExploration } from "../shared/choose.ts";
import { hasField, lastAt, type SeriesSummary, summarize } from "./series-summary.ts";

type Yielder = () => Promise<void> | undefined;

/** Fields per statement, so that one takes some milliseconds. */
const FIELDS_PER_STEP = 5000;

/** Number of series and the newest point. @param db undefined where there is no file yet */
export async function probeFile(db: Database | undefined, signal: AbortSignal): Promise<ProbeResult> {
  if (!db) return { series: 0, newestAt: null };
  const { n, v } = db
    .query<{ n: number; v: string }, []>("SELECT count(*) AS n, sqlite_version() AS v FROM series")
    .get()!;
  return { version: `SQLite ${v}`, series: n, newestAt: await findNewest(db, createYielder(signal)) };
}

/** The newest instant over all fields, scanned in the order of their ids. */
async function findNewest(db: Database, yieldNow: Yielder): Promise<number | null> {
  const step = db.query<{ lastId: number | null; lastAt: number | null }, [number, number]>(
    `SELECT max(id) AS lastId, max(${lastAt}) AS lastAt
     FROM (SELECT id FROM fields WHERE id > ?1 ORDER BY id LIMIT ?2) f`,
  );
  let newest: number | null = null;
  for (let id: number | null = 0; id !== null; ) {
    const found: { lastId: number | null; lastAt: number | null } = step.get(id, FIELDS_PER_STEP)!;
    if (found.lastAt !== null) newest = Math.max(newest ?? found.lastAt, found.lastAt);
    id = found.lastId;
    await yieldNow();
  }
  return newest;
}

/** Lists measurements, a page of fields, or the values of a tag. */
export async function exploreFile(
  db: Database | undefined,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const yieldNow = createYielder(signal);
  if (options.tag !== undefined) {
    const named = { ...options, tag: options.tag };
    return toTagExploration(
      named,
      db ? await listValues(db, named, yieldNow) : { chosen: [], truncated: false },
    );
  }
  if (!db) return { measurements: [], truncated: false };
  const { limits, measurement = null, field = null } = options;
  const summaries = await summarize(db, { measurement, field, limits }, yieldNow);
  const fields = chooseFields(summaries.flatMap(toEntries), options);
  const chosen = Map.groupBy(fields.chosen, ({ summary }) => summary);
  const isOver = ({ tags }: SeriesSummary) =>
    tags.length > limits.names || tags.some(({ values }) => values.truncated);
  return {
    measurements: [...chosen].map(([summary, entries]) => describe(summary, entries, limits.names)),
    truncated: fields.truncated || [...chosen.keys()].some(isOver),
  };
}

interface Entry extends ExploredField {
  readonly measurement: string;
  readonly summary: SeriesSummary;
}

function toEntries(summary: SeriesSummary): Entry[] {
  const { measurement, fields } = summary;
  return [...fields].map(([name, field]) => ({ measurement, name, ...field, summary }));
}

function describe(
  { measurement, tags, firstAt, lastAt }: SeriesSummary,
  fields: readonly Entry[],
  limit: number,
): ExploredMeasurement {
  return {
    name: measurement === "" ? null : measurement,
    fields: fields.map(({ summary: _, measurement: _own, ...field }) => field),
    tags: tags.slice(0, limit).map(({ name, values }) => ({ name, values: values.chosen })),
    firstAt,
    lastAt,
  };
}

/** Seeks from value to value by the index, up to the end of the page. */
async function listValues(
  db: Database,
  { tag, search, limits, skip = 0, ...options }: ExploreOptions & { readonly tag: string },
  yieldNow: Yielder,
): Promise<Choice<string>> {
  const { measurement = null, field = null } = options;
  const next = db.query<{ value: string }, [string, string | null]>(
    "SELECT value FROM tags WHERE tag = ?1 AND (?2 IS NULL OR value > ?2) ORDER BY value LIMIT 1",
  );
  const needed = skip + limits.values + 1;
  const isNarrowed = measurement !== null || field !== null;
  const found: string[] = [];
  for (let row = next.get(tag, null); row && found.length < needed; row = next.get(tag, row.value)) {
    const { value } = row;
    const isMatch = !search || search.matches(value);
    if (isMatch && (!isNarrowed || (await hasValue(db, { tag, value, measurement, field }, yieldNow))))
      found.push(value);
    await yieldNow();
  }
  return cut(found.slice(skip), limits.values);
}

interface TagValue {
  readonly tag: string;
  readonly value: string;
  /** Null: any. */
  readonly measurement: string | null;
  readonly field: string | null;
}

/** Whether some series of the measurement, or with the field, carries the tag; many other series may carry it too. */
async function hasValue(
  db: Database,
  { tag, value, measurement, field }: TagValue,
  yieldNow: Yielder,
): Promise<boolean> {
  const rows = db
    .query<{ isOf: number }, [string, string, string | null, string | null]>(
      `SELECT (?3 IS NULL OR s.measurement = ?3) AND ${hasField("?4")} AS isOf
       FROM tags t JOIN series s ON s.id = t.series_id WHERE t.tag = ?1 AND t.value = ?2`,
    )
    .iterate(tag, value, measurement, field);
  for (const { isOf } of rows) {
    if (isOf === 1) return true;
    await yieldNow();
  }
  return false;
}
