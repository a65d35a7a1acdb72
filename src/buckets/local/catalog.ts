// The catalog of a local bucket: which series and fields exist and what their ids are.
import type { Database } from "bun:sqlite";
import type { FeatureQuery, Point } from "../kind.ts";

/** Series kept in memory before the cache starts anew. */
const MAX_CACHED_SERIES = 200_000;

export interface Catalog {
  /** Id of a field of a series; added where it is new. Inside a transaction. */
  findOrAdd(measurement: string, tags: Point["tags"], field: string): number;
  /** Drops what it remembers if another connection has changed the file. */
  refresh(): void;
  /** Drops what it remembers: after a rollback or a removal it may no longer be true. */
  forget(): void;
}

interface Series {
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
    findOrAdd(measurement, tags, field) {
      const canonical = canonicalize(tags);
      const key = `${canonical}${measurement}`;
      let series = cache.get(key);
      if (!series) {
        if (cache.size >= MAX_CACHED_SERIES) cache.clear();
        cache.set(key, (series = loadSeries(measurement, canonical)));
      }
      let id = series.fields.get(field);
      if (id === undefined) series.fields.set(field, (id = addField.get(series.id, field)!.id));
      return id;
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
export function findFields(db: Database, source: Pick<FeatureQuery, "field" | "measurement" | "tags">): number[] {
  const hasTag = " AND EXISTS (SELECT 1 FROM tags t WHERE t.series_id = s.id AND t.tag = ? AND t.value = ?)";
  const ofMeasurement = source.measurement === undefined ? "" : " AND s.measurement = ?";
  const sql = `SELECT f.id AS id FROM fields f JOIN series s ON s.id = f.series_id
    WHERE f.name = ?${ofMeasurement}${hasTag.repeat(source.tags.length)} ORDER BY f.id`;
  const parameters = [
    source.field,
    ...(source.measurement === undefined ? [] : [source.measurement]),
    ...source.tags.flatMap(({ tag, value }) => [tag, value]),
  ];
  return db
    .query<{ id: number }, string[]>(sql)
    .all(...parameters)
    .map(({ id }) => id);
}
