// Fields by their names and tags: few are looked up by the indexes, of many all are scanned.
import type { Database } from "bun:sqlite";
import type { FieldQuery } from "../../core/series/samples.ts";

/** Fields per statement, so that one takes some milliseconds. */
const FIELDS_PER_STEP = 1000;
/** Pairs of measurement and field that are looked up one by one; of more, all fields are scanned. */
const MAX_PAIRS = 64;
/** Pairs that are compared with the query at most. */
const MAX_COMPARED = 1_000_000;

type Yielder = () => Promise<void> | undefined;

export interface FieldRow {
  readonly id: number;
  readonly seriesId: number;
  readonly name: string;
  readonly measurement: string;
  readonly tags: string;
}

/** Fields that match by their names, page by page: a statement does not stay open between two of them. */
export async function* scanFields(
  db: Database,
  query: FieldQuery,
  yieldNow: Yielder,
): AsyncGenerator<readonly FieldRow[]> {
  const pairs = await listPairs(db, query, yieldNow);
  if (!pairs) {
    const all = scanPages(
      (after) => pageOfAll(db, after),
      ({ id }) => id,
      yieldNow,
    );
    for await (const rows of all) yield rows.filter((row) => query.matches(row.measurement, row.name));
  } else
    for (const pair of pairs)
      yield* scanPages(
        (after) => pageOfPair(db, { ...pair, query, after }),
        ({ seriesId }) => seriesId,
        yieldNow,
      );
}

async function* scanPages(
  pageAfter: (after: number) => readonly FieldRow[],
  placeOf: (row: FieldRow) => number,
  yieldNow: Yielder,
): AsyncGenerator<readonly FieldRow[]> {
  for (let after = -1; ; ) {
    const rows = pageAfter(after);
    if (rows.length > 0) yield rows;
    if (rows.length < FIELDS_PER_STEP) return;
    after = placeOf(rows.at(-1)!);
    await yieldNow();
  }
}

const columns = `f.id AS id, f.series_id AS seriesId, f.name AS name, s.measurement AS measurement, s.tags AS tags
  FROM fields f CROSS JOIN series s ON s.id = f.series_id`;

function pageOfAll(db: Database, after: number): readonly FieldRow[] {
  return db
    .query<FieldRow, [number, number]>(`SELECT ${columns} WHERE f.id > ?1 ORDER BY f.id LIMIT ?2`)
    .all(after, FIELDS_PER_STEP);
}

interface Pair {
  readonly measurement: string;
  readonly field: string;
}

function pageOfPair(
  db: Database,
  { measurement, field, query, after }: Pair & { readonly query: FieldQuery; readonly after: number },
): readonly FieldRow[] {
  const hasTag = " AND f.series_id IN (SELECT series_id FROM tags WHERE tag = ? AND value = ?)";
  return db
    .query<FieldRow, (string | number)[]>(
      `SELECT ${columns} WHERE f.name = ? AND s.measurement = ? AND f.series_id > ?${hasTag.repeat(query.tags.length)}
       ORDER BY f.series_id LIMIT ?`,
    )
    .all(field, measurement, after, ...query.tags.flatMap(({ tag, value }) => [tag, value]), FIELDS_PER_STEP);
}

/** Pairs that the query matches, found by the indexes; undefined where there are too many to look each up. */
async function listPairs(
  db: Database,
  { matches }: FieldQuery,
  yieldNow: Yielder,
): Promise<readonly Pair[] | undefined> {
  const measurements = listDistinct(db, "measurement", "series");
  const fields = listDistinct(db, "name", "fields");
  if (measurements.length * fields.length > MAX_COMPARED) return undefined;
  const pairs: Pair[] = [];
  for (const measurement of measurements) {
    for (const field of fields) if (matches(measurement, field)) pairs.push({ measurement, field });
    if (pairs.length > MAX_PAIRS) return undefined;
    await yieldNow();
  }
  return pairs;
}

/** Seeks from value to value by the index. */
function listDistinct(db: Database, column: "measurement" | "name", table: "series" | "fields"): string[] {
  const next = db.query<{ value: string }, [string | null]>(
    `SELECT ${column} AS value FROM ${table} WHERE ?1 IS NULL OR ${column} > ?1 ORDER BY ${column} LIMIT 1`,
  );
  const values: string[] = [];
  for (let row = next.get(null); row; row = next.get(row.value)) values.push(row.value);
  return values;
}
