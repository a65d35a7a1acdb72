// The catalog of a local bucket: which series and fields exist and what their ids are.
import type { Database } from "bun:sqlite";
import type { FeatureQuery, Point } from "../core/series/query.ts";

/** Series kept in memory before the cache starts anew. */
const MAX_CACHED_SERIES = 200_000;

export interface Catalog {
  /** A series; added where it is new. Inside a transaction. */
  findSeries(measurement: string, tags: Point["tags"]): Series;
  /** Id of a field of a series; added where it is new. Inside a transaction. */
  findField(series: Series, field: string): number;
  /** Drops what it remembers if another connection has changed the file. */
  refresh(): void;
  /** Drops what it remembers: after a rollback or a removal it may no longer be true. */
  forget(): void;
}

/** A series and the ids of its fields seen so far. */
export interface Series {
  readonly id: number;
  readonly fields: Map<string, number>;
}

/** A catalog for writing, with a cache of ids in front of the tables. */
export function createCatalog(db: Database): Catalog {
  const cache = new Map<string, Series>();
  const addSeries = db.query<{ id: number }, [string, string]>(
    `INSERT INTO series (measurement, tags) VALUES (?1, ?2)
     ON CONFLICT DO UPDATE SET tags = excluded.tags RETURNING id`,
  );
  const addTag = db.query("INSERT OR IGNORE INTO tags (series_id, tag, value) VALUES (?1, ?2, ?3)");
  const addField = db.query<{ id: number }, [number, string]>(
    `INSERT INTO fields (series_id, name) VALUES (?1, ?2)
     ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id`,
  );
  const dataVersion = db.query<{ data_version: number }, []>("PRAGMA data_version");
  let version = 0;

  function loadSeries(measurement: string, tags: string): Series {
    const { id } = addSeries.get(measurement, tags)!;
    for (const [tag, value] of JSON.parse(tags) as [string, string][]) addTag.run(id, tag, value);
    return { id, fields: new Map() };
  }

  return {
    findSeries(measurement, tags) {
      const canonical = canonicalize(tags);
      const key = `${canonical}${measurement}`;
      const known = cache.get(key);
      if (known) return known;
      if (cache.size >= MAX_CACHED_SERIES) cache.clear();
      const series = loadSeries(measurement, canonical);
      cache.set(key, series);
      return series;
    },
    findField({ id, fields }, field) {
      const known = fields.get(field);
      if (known !== undefined) return known;
      const added = addField.get(id, field)!.id;
      fields.set(field, added);
      return added;
    },
    refresh() {
      const { data_version } = dataVersion.get()!;
      if (data_version !== version) cache.clear();
      version = data_version;
    },
    forget: () => cache.clear(),
  };
}

/** One text for the same tags in any order. */
function canonicalize(tags: Point["tags"]): string {
  const names = Object.keys(tags);
  if (names.length === 0) return "[]";
  return JSON.stringify(names.sort().map((name) => [name, tags[name]]));
}

/** Ids of the fields a query is about, over all series that match. Names and values are parameters, never SQL. */
export function findFields(
  db: Database,
  source: Pick<FeatureQuery, "field" | "measurement" | "tags">,
): number[] {
  const { field, measurement, tags } = source;
  const hasTag = " AND f.series_id IN (SELECT series_id FROM tags WHERE tag = ? AND value = ?)";
  const ofMeasurement = " AND f.series_id IN (SELECT id FROM series WHERE measurement = ?)";
  const sql = `SELECT f.id AS id FROM fields f WHERE f.name = ?
    ${hasTag.repeat(tags.length)} ${measurement === undefined ? "" : ofMeasurement} ORDER BY f.id`;
  const parameters = [field, ...tags.flatMap(({ tag, value }) => [tag, value])];
  if (measurement !== undefined) parameters.push(measurement);
  return db
    .query<{ id: number }, string[]>(sql)
    .all(...parameters)
    .map(({ id }) => id);
}
