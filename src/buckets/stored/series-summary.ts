// Summaries of measurements: fields with types, tags with their first values, first and last instant.
import type { Database } from "bun:sqlite";
import type { ExploreLimits } from "../kind.ts";
import type { Choice } from "../shared/choose.ts";

interface FieldSummary {
  readonly type: string;
  /** Names of the tags of its series, sorted; absent where all of a measurement have the same. */
  readonly tags?: readonly string[];
}

interface TagSummary {
  readonly name: string;
  readonly values: Choice<string>;
}

export interface SeriesSummary {
  readonly measurement: string;
  /** By name, sorted. */
  readonly fields: ReadonlyMap<string, FieldSummary>;
  readonly tags: readonly TagSummary[];
  /** Instants in ms; null where no block is left. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** Target duration of a step, in ms; the number of series per step follows it. */
const STEP_MS = 5;
const MAX_SERIES_PER_STEP = 1024;

interface FieldRow {
  readonly measurement: string;
  readonly name: string;
  readonly type: string;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

interface SeriesRow {
  readonly id: number;
  readonly measurement: string;
  readonly tags: string;
  /** Whether it has the field that is asked for. */
  readonly isOf: number;
}

interface Wanted {
  /** Null: all. */
  readonly measurement: string | null;
  /** Null: all; otherwise only the series that have it. */
  readonly field: string | null;
  readonly limits: ExploreLimits;
}

/**
 * Summaries of all measurements, or of one, sorted by name. Series are read in the order of their ids, which is that of
 * their rows; yields to the event loop in between.
 */
export async function summarize(
  db: Database,
  { measurement, field, limits }: Wanted,
  yieldNow: () => Promise<void> | undefined,
): Promise<SeriesSummary[]> {
  const findSeries = prepareSeries(db);
  const findFields = prepareFields(db);
  const findUnmeasured = prepareUnmeasured(db);
  const collectors = new Map<string, Collector>();
  const collect = (name: string) => {
    const known = collectors.get(name) ?? new Collector(name, limits.values);
    collectors.set(name, known);
    return known;
  };
  for (let [after, size] = [0, 16]; ; ) {
    const startedAt = performance.now();
    const series = findSeries.all(after, size, measurement, field);
    if (series.length === 0) break;
    const upTo = series.at(-1)!.id;
    for (const row of findFields.all(after, upTo, measurement, field)) collect(row.measurement).addField(row);
    const unmeasured = new Map<number, readonly string[]>();
    for (const row of series) {
      const names = row.isOf === 1 ? collect(row.measurement).addTags(row.tags) : [];
      if (row.measurement === "") unmeasured.set(row.id, names);
    }
    if (unmeasured.size > 0)
      for (const row of findUnmeasured.all(after, upTo, field))
        collect("").addFieldTags(row.name, unmeasured.get(row.seriesId)!);
    after = upTo;
    const isShort = performance.now() - startedAt < STEP_MS;
    size = isShort ? Math.min(size * 2, MAX_SERIES_PER_STEP) : Math.max(size >> 1, 1);
    await yieldNow();
  }
  return sortByName(collectors).map(([, collector]) => collector.finish());
}

/** SQL: whether a series `s` has a field of the name that is bound, if one is. */
export const hasField = (name: string) =>
  `(${name} IS NULL OR EXISTS (SELECT 1 FROM fields f WHERE f.series_id = s.id AND f.name = ${name}))`;

/** Series without the field are in the answer, too: a step is some series, however few have it. */
const prepareSeries = (db: Database) =>
  db.query<SeriesRow, [number, number, string | null, string | null]>(
    `SELECT id, measurement, tags, ${hasField("?4")} AS isOf FROM series s
     WHERE id > ?1 AND (?3 IS NULL OR measurement = ?3) ORDER BY id LIMIT ?2`,
  );

/** SQL for the instants of the first and the last point of a row of `blocks` that is not special; null where all are. */
const extentOf = (key: string, end: string) =>
  `CASE WHEN others = '[]' THEN NULL WHEN others GLOB '{*' THEN coalesce(others ->> '${key}', ${end}) ELSE ${end} END`;
const firstAt = `(SELECT ${extentOf("first", "start_at")} AS at FROM blocks
  WHERE field_id = f.id AND at IS NOT NULL ORDER BY start_at LIMIT 1)`;
/** Of a field `f`. */
export const lastAt = `(SELECT ${extentOf("last", "end_at")} AS at FROM blocks
  WHERE field_id = f.id AND at IS NOT NULL ORDER BY start_at DESC LIMIT 1)`;

/**
 * A field has the type of its newest block; texts and booleans are in `others`, after their instants. A field whose
 * values are all special is left out.
 */
const prepareFields = (db: Database) =>
  db.query<FieldRow, [number, number, string | null, string | null]>(
    `SELECT s.measurement AS measurement, f.name AS name,
       min(${firstAt}) AS firstAt,
       max(CASE WHEN b.others IS NULL THEN b.end_at ELSE ${lastAt} END) AS lastAt,
       CASE coalesce(json_type(b.others, '$[0][1]'), json_type(b.others, '$.texts[0][1]'))
         WHEN 'text' THEN 'string' WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE 'number' END AS type
     FROM series s CROSS JOIN fields f ON f.series_id = s.id
     LEFT JOIN blocks b ON b.field_id = f.id
       AND b.start_at = (SELECT max(start_at) FROM blocks WHERE field_id = f.id)
     WHERE s.id > ?1 AND s.id <= ?2 AND (?3 IS NULL OR s.measurement = ?3) AND (?4 IS NULL OR f.name = ?4)
     GROUP BY +s.measurement, +f.name, type HAVING lastAt IS NOT NULL OR max(b.start_at) IS NULL`,
  );

/** Fields of points without a measurement, as of remote write: their tags differ from field to field. */
const prepareUnmeasured = (db: Database) =>
  db.query<{ readonly name: string; readonly seriesId: number }, [number, number, string | null]>(
    `SELECT f.name AS name, s.id AS seriesId FROM series s CROSS JOIN fields f ON f.series_id = s.id
     WHERE s.id > ?1 AND s.id <= ?2 AND s.measurement = '' AND (?3 IS NULL OR f.name = ?3)`,
  );

/** Collects the summary of one measurement. */
class Collector {
  readonly #fields = new Map<string, FieldSummary>();
  readonly #tags = new Map<string, SmallestValues>();
  readonly #fieldTags = new Map<string, Set<string>>();
  #firstAt = Infinity;
  #lastAt = -Infinity;

  constructor(
    private readonly measurement: string,
    private readonly limit: number,
  ) {}

  addField({ name, type, firstAt, lastAt }: FieldRow): void {
    if (this.#fields.get(name)?.type !== "number") this.#fields.set(name, { type });
    this.#firstAt = Math.min(this.#firstAt, firstAt ?? Infinity);
    this.#lastAt = Math.max(this.#lastAt, lastAt ?? -Infinity);
  }

  /** @returns the names */
  addTags(json: string): readonly string[] {
    if (json === "[]") return [];
    const pairs = JSON.parse(json) as [string, string][];
    for (const [tag, value] of pairs) {
      const known = this.#tags.get(tag);
      const values = known ?? new SmallestValues(this.limit);
      if (!known) this.#tags.set(tag, values);
      values.add(value);
    }
    return pairs.map(([tag]) => tag);
  }

  addFieldTags(field: string, names: readonly string[]): void {
    const known = this.#fieldTags.get(field) ?? new Set();
    this.#fieldTags.set(field, known);
    for (const name of names) known.add(name);
  }

  finish(): SeriesSummary {
    return {
      measurement: this.measurement,
      fields: new Map(this.#describeFields()),
      tags: sortByName(this.#tags).map(([name, values]) => ({ name, values: values.choose() })),
      firstAt: Number.isFinite(this.#firstAt) ? this.#firstAt : null,
      lastAt: Number.isFinite(this.#lastAt) ? this.#lastAt : null,
    };
  }

  /** With their tags, where not all have all. */
  #describeFields(): [string, FieldSummary][] {
    const tagsOf = (name: string) => [...(this.#fieldTags.get(name) ?? [])].sort();
    const areAlike = this.#fieldTags.values().every(({ size }) => size === this.#tags.size);
    const fields = sortByName(this.#fields);
    return areAlike ? fields : fields.map(([name, field]) => [name, { ...field, tags: tagsOf(name) }]);
  }
}

function sortByName<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The smallest values of a set, in bounded memory. */
class SmallestValues {
  readonly #values = new Set<string>();
  #bound: string | undefined;

  constructor(private readonly limit: number) {}

  add(value: string): void {
    if (this.#bound !== undefined && value > this.#bound) return;
    this.#values.add(value);
    if (this.#values.size > 2 * this.limit + 2) this.#cut();
  }

  choose(): Choice<string> {
    const sorted = [...this.#values].sort();
    return { chosen: sorted.slice(0, this.limit), truncated: sorted.length > this.limit };
  }

  /** Keeps one value beyond the limit, which reveals that there are more. */
  #cut(): void {
    const kept = [...this.#values].sort().slice(0, this.limit + 1);
    this.#values.clear();
    for (const value of kept) this.#values.add(value);
    this.#bound = kept.at(-1);
  }
}
