// Probing and exploring InfluxDB: version, number of series, measurements with their fields and tags.
import { TorusError } from "../../core/errors.ts";
import type {
  Exploration,
  ExploredField,
  ExploredMeasurement,
  ExploreLimits,
  ExploreOptions,
  ProbeResult,
} from "../kind.ts";
import { chooseFields, chooseValues, cut, toTagExploration } from "../shared/choose.ts";
import { readResults } from "./answer.ts";
import { quoteName, quotePattern } from "./quote.ts";
import { nameSource, type Source } from "./statement.ts";
import type { Store } from "./store.ts";

/** Rows of all series of one statement, each with the name of its series. */
type Rows = readonly (readonly unknown[])[];

/** Reads the version, the number of series and the newest point of the measurement. */
export async function probeServer(store: Store, source: Source, signal: AbortSignal): Promise<ProbeResult> {
  const [newest] = await ask(store, [selectEnd(source, "desc")], signal);
  const build = await askIfAllowed(store, "show diagnostics for 'build'", signal);
  const series = await askIfAllowed(store, "show series cardinality", signal);
  const version = build?.[0]?.at(-1);
  const count = series?.[0]?.at(-1);
  return {
    ...(typeof version === "string" && { version: `InfluxDB ${version}` }),
    ...(typeof count === "number" && { series: count }),
    newestAt: readInstant(newest),
  };
}

/** Not every server supports the statement, and not every user may run it. */
async function askIfAllowed(store: Store, statement: string, signal: AbortSignal): Promise<Rows | undefined> {
  try {
    return (await ask(store, [statement], signal))[0];
  } catch (error) {
    if (error instanceof TorusError && /^bucket_(rejected|auth)$/.test(error.code)) return undefined;
    throw error;
  }
}

/** Types of the fields by name, more than one where shards differ; undefined where the user may not list them. */
export async function readFieldTypes(
  store: Store,
  measurement: string,
  signal: AbortSignal,
): Promise<Map<string, Set<string>> | undefined> {
  const rows = await askIfAllowed(store, `show field keys from ${quoteName(measurement)}`, signal);
  if (!rows) return undefined;
  const byName = Map.groupBy(rows, ([name]) => String(name));
  return new Map([...byName].map(([name, found]) => [name, new Set(found.map(([, type]) => String(type)))]));
}

interface ServerOptions extends ExploreOptions {
  readonly retentionPolicy: string | undefined;
}

/** Lists measurements, a page of fields, or the values of a tag. */
export async function exploreServer(
  store: Store,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  if (options.tag !== undefined) return exploreTag(store, { ...options, tag: options.tag }, signal);
  const isPage = options.skip !== undefined || options.search !== undefined || options.field !== undefined;
  const listed = isPage
    ? await listFields(store, options, signal)
    : await listMeasurements(store, options, signal);
  let { truncated } = listed;
  const measurements: ExploredMeasurement[] = [];
  for (const [name, fields] of listed.measurements) {
    const source = { measurement: name, retentionPolicy: options.retentionPolicy };
    const described = await describe(store, { source, limits: options.limits, fields }, signal);
    truncated ||= described.truncated;
    measurements.push(described.measurement);
  }
  return { measurements, truncated };
}

interface Listed {
  /** By name; their fields where they have been chosen. */
  readonly measurements: ReadonlyMap<string, readonly ExploredField[] | undefined>;
  readonly truncated: boolean;
}

async function listMeasurements(
  store: Store,
  { limits, measurement }: ServerOptions,
  signal: AbortSignal,
): Promise<Listed> {
  const listing =
    measurement === undefined
      ? `show measurements limit ${limits.measurements + 1}`
      : `show measurements with measurement = ${quoteName(measurement)}`;
  const [found = []] = await ask(store, [listing], signal);
  const { chosen, truncated } = cut(
    found.map(([name]) => String(name)),
    limits.measurements,
  );
  return { measurements: new Map(chosen.map((name) => [name, undefined])), truncated };
}

/** InfluxQL cannot filter by names of fields, so they are filtered here. */
async function listFields(store: Store, options: ServerOptions, signal: AbortSignal): Promise<Listed> {
  const { measurement } = options;
  const from = measurement === undefined ? "" : ` from ${quoteName(measurement)}`;
  const [result] = readResults(store.client, await store.query(`show field keys${from}`, signal));
  const entries = readSeriesRows(result).flatMap(([name, rows]) =>
    rows.map(([field, type]) => ({ measurement: name, name: String(field), type: String(type) })),
  );
  const { chosen, truncated } = chooseFields(entries, options);
  const groups = Map.groupBy(chosen, (entry) => entry.measurement);
  return {
    measurements: new Map(
      [...groups].map(([name, fields]) => [name, fields.map((one) => ({ name: one.name, type: one.type }))]),
    ),
    truncated,
  };
}

/** With a measurement the server pages; without one the values of all measurements are merged here. */
async function exploreTag(
  store: Store,
  options: ServerOptions & { readonly tag: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const { tag, measurement, search, limits, skip = 0 } = options;
  const from = measurement === undefined ? "" : ` from ${quoteName(measurement)}`;
  const where = search ? ` where ${quoteName(tag)} =~ ${quotePattern(search)}` : "";
  const page = measurement === undefined ? "" : ` limit ${limits.values + 1} offset ${skip}`;
  const statement = `show tag values${from} with key = ${quoteName(tag)}${where}${page}`;
  const [rows = []] = await ask(store, [statement], signal);
  const values = rows.map(([, value]) => String(value));
  const choice = measurement === undefined ? chooseValues(values, options) : cut(values, limits.values);
  return toTagExploration(options, choice);
}

interface Described {
  readonly source: Source;
  readonly limits: ExploreLimits;
  /** Absent: the first ones. */
  readonly fields: readonly ExploredField[] | undefined;
}

async function describe(
  store: Store,
  { source, limits, fields: known }: Described,
  signal: AbortSignal,
): Promise<{ measurement: ExploredMeasurement; truncated: boolean }> {
  const { measurement: name } = source;
  const from = quoteName(name);
  const upTo = `limit ${limits.names + 1}`;
  const [keys = [], first, last, found = []] = await ask(
    store,
    [
      ...[`show tag keys from ${from} ${upTo}`, selectEnd(source, "asc"), selectEnd(source, "desc")],
      ...(known ? [] : [`show field keys from ${from} ${upTo}`]),
    ],
    signal,
  );
  const ofServer = () => found.map(([key, type]) => ({ name: String(key), type: String(type) }));
  const fields = cut<ExploredField>(known ?? ofServer(), limits.names);
  const tagNames = keys.slice(0, limits.names).map(([key]) => String(key));
  const listings = tagNames.map(
    (key) => `show tag values from ${from} with key = ${quoteName(key)} limit ${limits.values + 1}`,
  );
  const values = listings.length > 0 ? await ask(store, listings, signal) : [];
  const measurement = {
    name,
    fields: fields.chosen,
    tags: tagNames.map((key, i) => ({
      name: key,
      values: values[i]!.slice(0, limits.values).map(([, value]) => String(value)),
    })),
    firstAt: readInstant(first),
    lastAt: readInstant(last),
  };
  const truncated =
    fields.truncated || keys.length > limits.names || values.some((rows) => rows.length > limits.values);
  return { measurement, truncated };
}

function selectEnd(source: Source, order: "asc" | "desc"): string {
  return `select * from ${nameSource(source)} order by time ${order} limit 1`;
}

/** Times are in microseconds. */
function readInstant(rows: Rows | undefined): number | null {
  const micros = rows?.[0]?.[0];
  return typeof micros === "number" ? Math.floor(micros / 1000) : null;
}

/** The rows of each statement. @throws as `readResults` */
async function ask(store: Store, statements: readonly string[], signal: AbortSignal): Promise<Rows[]> {
  const results = readResults(store.client, await store.queryAll(statements, signal));
  if (results.length !== statements.length)
    throw store.client.refuse(
      "bucket_unavailable",
      `answered ${results.length} of ${statements.length} statements`,
    );
  return results.map((result) => readSeriesRows(result).flatMap(([, rows]) => rows));
}

/** Rows of each series by its name. */
function readSeriesRows(
  result: ReturnType<typeof readResults>[number] | undefined,
): [name: string, rows: Rows][] {
  const series = Array.isArray(result?.series) ? result.series : [];
  return series.map(({ name, values }) => [String(name), Array.isArray(values) ? values : []]);
}
