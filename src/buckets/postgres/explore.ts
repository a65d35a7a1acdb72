// What a PostgreSQL says of itself: version, columns, first and last row.
import type { Exploration, ExploreLimits, Finding } from "../kind.ts";
import type { Row, Session } from "./database.ts";
import type { PostgresSettings } from "./settings.ts";
import { Parameters, quoteName, type Source } from "./source.ts";

/** Values of tags are looked for in this many rows. */
const SAMPLED_ROWS = 100_000;

/** Version, and the time of the newest row. */
export async function probeSource(session: Session, source: Source): Promise<Finding> {
  const [[version] = []] = await session.run("SELECT current_setting('server_version')");
  const { lastAt } = await readEnds(session, source, "");
  return { version: `PostgreSQL ${version}`, newestAt: lastAt };
}

/** Numbers and booleans are fields, texts are tags; every measurement has the same ones. */
export async function exploreSource(
  { session, source, own }: { session: Session; source: Source; own: PostgresSettings },
  { limits, measurement }: { readonly limits: ExploreLimits; readonly measurement?: string },
): Promise<Exploration> {
  const known = [...source.columns].filter(
    ([name]) => name !== own.time_column && name !== own.measurement_column,
  );
  const fields = known.filter(([, { kind }]) => kind === "number" || kind === "boolean");
  const texts = known.filter(([, { kind }]) => kind === "text");
  let truncated = fields.length > limits.names || texts.length > limits.names;
  const tags: { name: string; values: string[] }[] = [];
  for (const [name] of texts.slice(0, limits.names)) {
    const found = await listValues({ session, source }, name, limits.values + 1);
    truncated ||= found.length > limits.values;
    tags.push({ name, values: found.slice(0, limits.values) });
  }
  const names = await listMeasurements({ session, source, own }, { limits, measurement });
  truncated ||= names.length > limits.measurements;
  const measurements = [];
  for (const name of names.slice(0, limits.measurements)) {
    const parameters = new Parameters();
    const where = name === null ? "" : source.whereFeature({ measurement: name, tags: [] }, parameters)!;
    measurements.push({
      name,
      fields: fields.slice(0, limits.names).map(([column, { type }]) => ({ name: column, type: type! })),
      tags,
      ...(await readEnds(session, source, where, parameters)),
    });
  }
  return { measurements, truncated };
}

async function listMeasurements(
  { session, source, own }: { session: Session; source: Source; own: PostgresSettings },
  { limits, measurement }: { limits: ExploreLimits; measurement: string | undefined },
): Promise<(string | null)[]> {
  const column = own.measurement_column;
  if (column === undefined || !source.columns.has(column)) return measurement === undefined ? [null] : [];
  if (measurement !== undefined) return hasMeasurement({ session, source }, measurement);
  const found = await listValues({ session, source }, column, limits.measurements + 1);
  return found.length > 0 ? found : [null];
}

/** The one that is named, where there is a row of it: it need not be among the first. */
async function hasMeasurement(
  { session, source }: { session: Session; source: Source },
  measurement: string,
): Promise<string[]> {
  const parameters = new Parameters();
  const where = source.whereFeature({ measurement, tags: [] }, parameters)!;
  const rows = await session.run(
    `SELECT 1 FROM ${source.from} WHERE true${where} LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0 ? [measurement] : [];
}

async function listValues(
  { session, source }: { session: Session; source: Source },
  column: string,
  limit: number,
): Promise<string[]> {
  const name = quoteName(column);
  const rows = await session.run(
    `SELECT DISTINCT ${name}::text FROM (SELECT ${name} FROM ${source.from} LIMIT ${SAMPLED_ROWS}) AS sample
     WHERE ${name} IS NOT NULL ORDER BY 1 LIMIT ${limit}`,
  );
  return rows.map(([value]) => String(value));
}

async function readEnds(
  session: Session,
  source: Source,
  where: string,
  parameters = new Parameters(),
): Promise<{ firstAt: number | null; lastAt: number | null }> {
  const ends = ["min", "max"].map(
    (end) =>
      `floor(${source.timeMs.replace(source.timeColumn, () => `${end}(${source.timeColumn})`)})::float8`,
  );
  const rows = await session.run(
    `SELECT ${ends.join(", ")} FROM ${source.from} WHERE true${where}`,
    parameters.values,
  );
  const [first, last] = (rows[0] ?? []) as Row;
  const toInstant = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null);
  return { firstAt: toInstant(first), lastAt: toInstant(last) };
}
