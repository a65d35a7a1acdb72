// What is in a local bucket: series, measurements with their fields and tags, first and last point.
import type { Database } from "bun:sqlite";
import type { Exploration, ExploredMeasurement, ExploreLimits, Finding } from "../kind.ts";

/** Number of series and the newest point; undefined = no file, nothing there. */
export function probeFile(db: Database | undefined): Finding {
  if (!db) return { series: 0, newestAt: null };
  const { n, v } = db
    .query<{ n: number; v: string }, []>("SELECT count(*) AS n, sqlite_version() AS v FROM series")
    .get()!;
  return { version: `SQLite ${v}`, series: n, newestAt: readEnds(db).lastAt };
}

/** Lists measurements, or describes the one that is named. */
export function exploreFile(
  db: Database | undefined,
  { limits, measurement }: { readonly limits: ExploreLimits; readonly measurement?: string },
): Exploration {
  if (!db) return { measurements: [], truncated: false };
  const names = db
    .query<{ name: string }, [string | null, number]>(
      "SELECT DISTINCT measurement AS name FROM series WHERE ?1 IS NULL OR measurement = ?1 ORDER BY 1 LIMIT ?2",
    )
    .all(measurement ?? null, limits.measurements + 1)
    .map(({ name }) => name);
  const described = names.slice(0, limits.measurements).map((name) => describe(db, name, limits));
  return {
    measurements: described.map((one) => one.measurement),
    truncated: names.length > limits.measurements || described.some((one) => one.truncated),
  };
}

const ofMeasurement = "IN (SELECT id FROM series WHERE measurement = ?1)";

function describe(
  db: Database,
  name: string,
  { names, values }: ExploreLimits,
): { measurement: ExploredMeasurement; truncated: boolean } {
  const listNames = (sql: string) =>
    db.query<{ name: string }, [string, number]>(`${sql} ORDER BY 1 LIMIT ?2`).all(name, names + 1);
  const fields = listNames(`SELECT DISTINCT name FROM fields WHERE series_id ${ofMeasurement}`);
  const tags = listNames(`SELECT DISTINCT tag AS name FROM tags WHERE series_id ${ofMeasurement}`);
  const listValues = db.query<{ value: string }, [string, number, string]>(
    `SELECT DISTINCT value FROM tags WHERE tag = ?3 AND series_id ${ofMeasurement} ORDER BY 1 LIMIT ?2`,
  );
  let truncated = fields.length > names || tags.length > names;
  const described = tags.slice(0, names).map((tag) => {
    const found = listValues.all(name, values + 1, tag.name).map(({ value }) => value);
    truncated ||= found.length > values;
    return { name: tag.name, values: found.slice(0, values) };
  });
  return {
    measurement: {
      name: name === "" ? null : name,
      fields: fields.slice(0, names).map((field) => ({ name: field.name })),
      tags: described,
      ...readEnds(db, name),
    },
    truncated,
  };
}

/** Instants of the first and the last point: of the first and the last block of each field. */
function readEnds(db: Database, measurement?: string): { firstAt: number | null; lastAt: number | null } {
  const scope = measurement === undefined ? "" : `WHERE f.series_id ${ofMeasurement}`;
  const sql = `SELECT
      min((SELECT min(start_at) FROM blocks WHERE field_id = f.id)) AS firstAt,
      max((SELECT end_at FROM blocks WHERE field_id = f.id ORDER BY start_at DESC LIMIT 1)) AS lastAt
    FROM fields f ${scope}`;
  const parameters = measurement === undefined ? [] : [measurement];
  return db.query<{ firstAt: number | null; lastAt: number | null }, string[]>(sql).get(...parameters)!;
}
