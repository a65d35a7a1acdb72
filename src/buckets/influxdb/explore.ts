// What an InfluxDB says of itself: version, number of series, measurements with their fields and tags.
import { TorusError } from "../../core/errors.ts";
import type { Exploration, ExploredMeasurement, ExploreLimits, Finding } from "../kind.ts";
import { readResults } from "./answer.ts";
import { quoteName } from "./quote.ts";
import { nameSource, type Source } from "./statement.ts";
import type { Store } from "./store.ts";

/** Rows of all series of one statement, each with the name of its series. */
type Rows = readonly (readonly unknown[])[];

/** Connects, and asks for the version, the number of series and the newest point of the measurement. */
export async function probeServer(store: Store, source: Source, signal: AbortSignal): Promise<Finding> {
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

/** Not every server knows the statement, and not every user may ask. */
async function askIfAllowed(store: Store, statement: string, signal: AbortSignal): Promise<Rows | undefined> {
  try {
    return (await ask(store, [statement], signal))[0];
  } catch (error) {
    if (error instanceof TorusError && /^bucket_(rejected|auth)$/.test(error.code)) return undefined;
    throw error;
  }
}

/** Types of the fields by name, more than one where shards differ; undefined where the user may not ask. */
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

export interface ExploreOptions {
  readonly limits: ExploreLimits;
  /** Absent: all of them. */
  readonly measurement?: string;
  readonly retentionPolicy: string | undefined;
}

/** Lists measurements, or describes the one that is named. */
export async function exploreServer(
  store: Store,
  { limits, measurement, retentionPolicy }: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const listing =
    measurement === undefined
      ? `show measurements limit ${limits.measurements + 1}`
      : `show measurements with measurement = ${quoteName(measurement)}`;
  const [found = []] = await ask(store, [listing], signal);
  const names = found.map(([name]) => String(name));
  let truncated = names.length > limits.measurements;
  const measurements: ExploredMeasurement[] = [];
  for (const name of names.slice(0, limits.measurements)) {
    const described = await describe(
      store,
      { source: { measurement: name, retentionPolicy }, limits },
      signal,
    );
    truncated ||= described.truncated;
    measurements.push(described.measurement);
  }
  return { measurements, truncated };
}

async function describe(
  store: Store,
  { source, limits }: { readonly source: Source; readonly limits: ExploreLimits },
  signal: AbortSignal,
): Promise<{ measurement: ExploredMeasurement; truncated: boolean }> {
  const { measurement: name } = source;
  const from = quoteName(name);
  const upTo = `limit ${limits.names + 1}`;
  const [fields = [], keys = [], first, last] = await ask(
    store,
    [
      ...[`show field keys from ${from} ${upTo}`, `show tag keys from ${from} ${upTo}`],
      ...[selectEnd(source, "asc"), selectEnd(source, "desc")],
    ],
    signal,
  );
  const tagNames = keys.slice(0, limits.names).map(([key]) => String(key));
  const listings = tagNames.map(
    (key) => `show tag values from ${from} with key = ${quoteName(key)} limit ${limits.values + 1}`,
  );
  const values = listings.length > 0 ? await ask(store, listings, signal) : [];
  const measurement = {
    name,
    fields: fields.slice(0, limits.names).map(([key, type]) => ({ name: String(key), type: String(type) })),
    tags: tagNames.map((key, i) => ({
      name: key,
      values: values[i]!.slice(0, limits.values).map(([, value]) => String(value)),
    })),
    firstAt: readInstant(first),
    lastAt: readInstant(last),
  };
  const isOver = (rows: Rows, limit: number) => rows.length > limit;
  const truncated =
    isOver(fields, limits.names) ||
    isOver(keys, limits.names) ||
    values.some((rows) => isOver(rows, limits.values));
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
  return results.map(({ series }) =>
    (Array.isArray(series) ? series : []).flatMap(({ values }) => (Array.isArray(values) ? values : [])),
  );
}
