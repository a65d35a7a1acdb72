// Probing and exploring PostgreSQL: version, columns, first and last row.
import type { Exploration, ExploreOptions, ProbeResult } from "../kind.ts";
import { chooseFields, cut, toTagExploration } from "../shared/choose.ts";
import { exploreTags, type ValuePage } from "../shared/table.ts";
import type { Row, Session } from "./session.ts";
import type { PostgresSettings } from "./settings.ts";
import { Parameters, quoteName, type Source } from "./source.ts";

/** Number of rows sampled for values of tags. */
const SAMPLED_ROWS = 100_000;
/** Number of names that a page is cut from. */
const MAX_MEASUREMENTS = 10_000;

/** Version, and the time of the newest row. */
export async function probeSource(session: Session, source: Source): Promise<ProbeResult> {
  const [[version] = []] = await session.run("SELECT current_setting('server_version')");
  const { lastAt } = await readEnds({ session, source }, null);
  return { version: `PostgreSQL ${version}`, newestAt: lastAt };
}

interface Explored {
  readonly session: Session;
  readonly source: Source;
  readonly own: PostgresSettings;
}

/** Lists numbers and booleans as fields, texts as tags; all measurements have the same ones. */
export async function exploreSource(explored: Explored, options: ExploreOptions): Promise<Exploration> {
  if (options.tag !== undefined) return exploreTag(explored, { ...options, tag: options.tag });
  const { source, own } = explored;
  const { limits } = options;
  const known = [...source.columns].filter(
    ([name]) => name !== own.time_column && name !== own.measurement_column,
  );
  const fields = known.filter(([, { kind }]) => kind === "number" || kind === "boolean");
  const listed = await listMeasurements(explored, options);
  const choice = chooseFields(
    listed.flatMap((measurement) => fields.map(([name, { type }]) => ({ measurement, name, type: type! }))),
    options,
  );
  const texts = known.filter(([, { kind }]) => kind === "text").map(([name]) => name);
  const tags = await exploreTags(texts, limits, (name, page) => listValues(explored, name, page));
  const measurements = [];
  const names = fields.length === 0 ? listed : new Set(choice.chosen.map(({ measurement }) => measurement));
  for (const name of names) {
    const ofName = choice.chosen.filter(({ measurement }) => measurement === name);
    measurements.push({
      name,
      fields: ofName.map((field) => ({ name: field.name, type: field.type })),
      tags: tags.chosen,
      ...(await readEnds(explored, name)),
    });
  }
  const isCut = choice.truncated || tags.truncated || listed.length > limits.measurements;
  return { measurements, truncated: isCut };
}

/** Null where there are none. */
async function listMeasurements(explored: Explored, options: ExploreOptions): Promise<(string | null)[]> {
  const { source, own } = explored;
  const { measurement, limits, skip } = options;
  const column = own.measurement_column;
  if (column === undefined || !source.columns.has(column)) return measurement === undefined ? [null] : [];
  if (measurement !== undefined) return hasMeasurement(explored, measurement);
  const found =
    skip === undefined
      ? await listValues(explored, column, { limit: limits.measurements + 1 })
      : await listValues(explored, column, { limit: MAX_MEASUREMENTS, isWhole: true });
  return found.length > 0 ? found : [null];
}

/** The named measurement if it has a row; it need not be in the sample. */
async function hasMeasurement({ session, source }: Explored, measurement: string): Promise<string[]> {
  const parameters = new Parameters();
  const where = source.whereFeature({ measurement, tags: [] }, parameters)!;
  const rows = await session.run(
    `SELECT 1 FROM ${source.from} WHERE true${where} LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0 ? [measurement] : [];
}

async function exploreTag(
  explored: Explored,
  options: ExploreOptions & { readonly tag: string },
): Promise<Exploration> {
  const { tag, measurement, search, limits, skip = 0 } = options;
  const page = { limit: limits.values + 1, skip, isWhole: true, search, measurement };
  const found = explored.source.columns.has(tag) ? await listValues(explored, tag, page) : [];
  return toTagExploration(options, cut(found, limits.values));
}

async function listValues(
  { session, source }: Pick<Explored, "session" | "source">,
  column: string,
  {
    limit,
    skip = 0,
    search,
    measurement,
    isWhole = false,
  }: ValuePage & { readonly measurement?: string | undefined },
): Promise<string[]> {
  const name = quoteName(column);
  const parameters = new Parameters();
  const where = measurement === undefined ? "" : source.whereFeature({ measurement, tags: [] }, parameters)!;
  const like = search ? ` AND ${name}::text ILIKE ${parameters.add(search.like, "text")}` : "";
  const sample = isWhole ? "" : ` LIMIT ${SAMPLED_ROWS}`;
  const rows = await session.run(
    `SELECT DISTINCT ${name}::text FROM (SELECT ${name} FROM ${source.from} WHERE true${where}${sample}) AS sample
     WHERE ${name} IS NOT NULL${like} ORDER BY 1 LIMIT ${limit} OFFSET ${skip}`,
    parameters.values,
  );
  return rows.map(([value]) => String(value));
}

async function readEnds(
  { session, source }: Pick<Explored, "session" | "source">,
  measurement: string | null,
): Promise<{ firstAt: number | null; lastAt: number | null }> {
  const parameters = new Parameters();
  const where = measurement === null ? "" : source.whereFeature({ measurement, tags: [] }, parameters)!;
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
