// Catalog: the ids of series and fields, with a cache for writers.
import type { Database } from "bun:sqlite";
import { groupKeyOf } from "../core/series/grouped-grid.ts";
import type { FeatureQuery, Point } from "../core/series/query.ts";
import type { SeriesName } from "../core/series/samples.ts";

/** The cache is emptied when it holds so many series. */
const MAX_CACHED_SERIES = 200_000;

/** A series and the cached ids of its fields. */
export interface Series {
  readonly id: number;
  readonly fields: Map<string, number>;
}

interface KnownSeries {
  readonly measurement: string;
  readonly series: Series;
}

interface KnownField {
  readonly measurement: string;
  readonly id: number;
}

/** The ids of a file, in a cache; its statements are prepared once. */
export class Catalog {
  readonly #cache = new Map<string, Series>();
  /** Points of one series share the object of their tags, in some protocols from push to push. */
  #byTags = new WeakMap<Point["tags"], KnownSeries>();
  #byName = new WeakMap<SeriesName, KnownField>();
  readonly #statements: ReturnType<typeof prepare>;
  #version = 0;
  /** Fields of the file; undefined until a limit asks for it. */
  #fields: number | undefined;

  constructor(db: Database) {
    this.#statements = prepare(db);
  }

  /**
   * Finds a series or adds it. Call inside a transaction.
   * @param maxFields no series is added where there are so many fields
   */
  findSeries(measurement: string, tags: Point["tags"], maxFields: number): Series | undefined {
    const seen = this.#byTags.get(tags);
    if (seen?.measurement === measurement) return seen.series;
    const series = this.#findByText(measurement, tags, maxFields);
    if (series) this.#byTags.set(tags, { measurement, series });
    return series;
  }

  /** Finds the id of a field of a series or adds it, as `findSeries` does. Call inside a transaction. */
  findField({ id, fields: ids }: Series, field: string, maxFields: number): number | undefined {
    const known = ids.get(field);
    if (known !== undefined) return known;
    const added = this.#isFull(maxFields) ? undefined : this.#statements.addField.get(id, field);
    if (added && this.#fields !== undefined) this.#fields++;
    const found = added ?? this.#statements.seekField.get(id, field);
    if (found) ids.set(field, found.id);
    return found?.id;
  }

  /** Finds the id of the field of a pushed series or adds it, as `findSeries` does. Call inside a transaction. */
  findSampled(measurement: string, name: SeriesName, maxFields: number): number | undefined {
    const seen = this.#byName.get(name);
    if (seen?.measurement === measurement) return seen.id;
    const series = this.findSeries(measurement, name.tags, maxFields);
    const id = series && this.findField(series, name.metric, maxFields);
    if (id !== undefined) this.#byName.set(name, { measurement, id });
    return id;
  }

  /** Empties the cache if another connection has changed the file. */
  refresh(): void {
    const { data_version } = this.#statements.dataVersion.get()!;
    if (data_version !== this.#version) this.invalidate();
    this.#version = data_version;
  }

  /** Empties the cache: a rollback or a removal may have made it stale. */
  invalidate(): void {
    this.#cache.clear();
    this.#byTags = new WeakMap();
    this.#byName = new WeakMap();
    this.#fields = undefined;
  }

  #isFull(maxFields: number): boolean {
    if (maxFields === Infinity) return false;
    this.#fields ??= this.#statements.countFields.get()!.fields;
    return this.#fields >= maxFields;
  }

  #findByText(measurement: string, tags: Point["tags"], maxFields: number): Series | undefined {
    const canonical = canonicalize(tags);
    const key = `${canonical}${measurement}`;
    const known = this.#cache.get(key);
    if (known) return known;
    if (this.#cache.size >= MAX_CACHED_SERIES) this.invalidate();
    const series = this.#loadSeries(measurement, canonical, maxFields);
    if (series) this.#cache.set(key, series);
    return series;
  }

  #loadSeries(measurement: string, tags: string, maxFields: number): Series | undefined {
    const { seekSeries, addSeries, addTag } = this.#statements;
    if (this.#isFull(maxFields)) {
      const known = seekSeries.get(measurement, tags);
      return known ? { id: known.id, fields: new Map() } : undefined;
    }
    const { id } = addSeries.get(measurement, tags)!;
    for (const [tag, value] of JSON.parse(tags) as [string, string][]) addTag.run(id, tag, value);
    return { id, fields: new Map() };
  }
}

function prepare(db: Database) {
  return {
    addSeries: db.query<{ id: number }, [string, string]>(
      `INSERT INTO series (measurement, tags) VALUES (?1, ?2)
       ON CONFLICT DO UPDATE SET tags = excluded.tags RETURNING id`,
    ),
    addTag: db.query("INSERT OR IGNORE INTO tags (series_id, tag, value) VALUES (?1, ?2, ?3)"),
    addField: db.query<{ id: number }, [number, string]>(
      "INSERT INTO fields (series_id, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING id",
    ),
    seekSeries: db.query<{ id: number }, [string, string]>(
      "SELECT id FROM series WHERE measurement = ?1 AND tags = ?2",
    ),
    seekField: db.query<{ id: number }, [number, string]>(
      "SELECT id FROM fields WHERE series_id = ?1 AND name = ?2",
    ),
    countFields: db.query<{ fields: number }, []>("SELECT count(*) AS fields FROM fields"),
    dataVersion: db.query<{ data_version: number }, []>("PRAGMA data_version"),
  };
}

/** Canonical JSON of tags, independent of their order. */
function canonicalize(tags: Point["tags"]): string {
  const names = Object.keys(tags);
  if (names.length === 0) return "[]";
  return JSON.stringify(names.sort().map((name) => [name, tags[name]]));
}

type FieldSource = Pick<FeatureQuery, "field" | "measurement" | "tags">;

/** Ids of the matching fields over all matching series. Names and values are bound parameters. */
export function findFields(db: Database, source: FieldSource): number[] {
  const { condition, parameters } = matchFields(source);
  return db
    .query<{ id: number }, string[]>(`SELECT f.id AS id FROM fields f WHERE ${condition} ORDER BY f.id`)
    .all(...parameters)
    .map(({ id }) => id);
}

/** Ids as of `findFields`, by the values of some tags; see `groupKeyOf`. */
export function findFieldGroups(
  db: Database,
  source: FieldSource,
  groupBy: readonly string[],
): Map<string, number[]> {
  const { condition, parameters } = matchFields(source);
  const rows = db.query<{ id: number; tags: string }, string[]>(
    `SELECT f.id AS id, s.tags AS tags FROM fields f JOIN series s ON s.id = f.series_id
     WHERE ${condition} ORDER BY f.id`,
  );
  const groups = new Map<string, number[]>();
  for (const { id, tags } of rows.iterate(...parameters)) {
    const values = new Map(JSON.parse(tags) as [string, string][]);
    const key = groupKeyOf(groupBy.map((tag) => values.get(tag)));
    const known = groups.get(key);
    if (known) known.push(id);
    else groups.set(key, [id]);
  }
  return groups;
}

function matchFields({ field, measurement, tags }: FieldSource) {
  const hasTag = " AND f.series_id IN (SELECT series_id FROM tags WHERE tag = ? AND value = ?)";
  const ofMeasurement = " AND f.series_id IN (SELECT id FROM series WHERE measurement = ?)";
  const condition = `f.name = ?${hasTag.repeat(tags.length)}${measurement === undefined ? "" : ofMeasurement}`;
  const parameters = [field, ...tags.flatMap(({ tag, value }) => [tag, value])];
  return { condition, parameters: measurement === undefined ? parameters : [...parameters, measurement] };
}
