// Probing and exploring Prometheus: version, number of series, metrics with their labels.
import { TorusError } from "../../core/errors.ts";
import type { Exploration, ExploredMeasurement, ExploreOptions, ProbeResult } from "../kind.ts";
import { chooseFields, chooseValues, toTagExploration } from "../shared/choose.ts";
import { matchAny, matchMetrics, nameMetric, stripMeasurement } from "./selector.ts";
import type { Store } from "./store.ts";

const MAX_CONCURRENT_REQUESTS = 8;
/** Characters kept of the type of a metric. */
const MAX_KIND = 32;

/** Reads the version, and the number of series in the head block. */
export async function probeServer(store: Store, signal: AbortSignal): Promise<ProbeResult> {
  const build = asRecord(await store.get("status/buildinfo", {}, signal));
  const head = asRecord(await store.get("status/tsdb", { limit: "1" }, signal).catch(ignoreUnknown));
  const stats = asRecord(head.headStats);
  const series = head.headStats ? readCount(stats.numSeries) : await countSeries(store, signal);
  const newest = readCount(stats.maxTime);
  return {
    ...(typeof build.version === "string" && { version: `Prometheus ${build.version}` }),
    ...(series !== undefined && { series }),
    ...(newest !== undefined && { newestAt: newest }),
  };
}

/** `status/tsdb` of VictoriaMetrics covers the current day only; another endpoint counts all series. */
async function countSeries(store: Store, signal: AbortSignal): Promise<number | undefined> {
  const counts = await store.get("series/count", {}, signal).catch(ignoreUnknown);
  return Array.isArray(counts) ? readCount(counts[0]) : undefined;
}

/**
 * Lists metrics as fields, labels as tags. There are no measurements: a given one is a prefix of the names of metrics,
 * as in a read. Lists are read whole, because not every version truncates them in order.
 */
export async function exploreServer(
  store: Store,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  if (options.tag !== undefined) return exploreTag(store, { ...options, tag: options.tag }, signal);
  const match = matchMetrics(options);
  const names = await listNames(store, "label/__name__/values", match, signal);
  const measurement = options.measurement ?? null;
  const entries = names.sort().map((name) => ({ measurement, name: stripMeasurement(name, measurement) }));
  const { chosen, truncated } = chooseFields(entries, options);
  if (chosen.length === 0 && options.measurement !== undefined) return { measurements: [], truncated };
  const kinds = await readKinds(store, signal);
  const fields = await mapSome(chosen, async ({ name }) => {
    const own = matchMetrics({ field: name, ...(measurement !== null && { measurement }) });
    const tags = (await listNames(store, "labels", own, signal)).filter((tag) => tag !== "__name__");
    const kind = kinds(nameMetric(name, measurement ?? undefined));
    return { name, type: "number", ...(kind !== undefined && { kind }), tags };
  });
  const listed = await listTags(store, { options, match, fields }, signal);
  return {
    measurements: [{ name: measurement, fields, tags: listed.tags }],
    truncated: truncated || listed.truncated,
  };
}

/** Parts of a distribution, whose metadata are those of the whole. */
const partSuffix = /_(bucket|count|sum)$/;

/** What targets say of their metrics: `counter`, `gauge`, ... by name; not every server has this endpoint. */
async function readKinds(store: Store, signal: AbortSignal): Promise<(metric: string) => string | undefined> {
  const found = asRecord(await store.get("metadata", { limit_per_metric: "1" }, signal).catch(ignoreUnknown));
  const kindOf = (name: string) => {
    const [first] = Array.isArray(found[name]) ? found[name] : [];
    const { type } = asRecord(first);
    return typeof type === "string" && type !== "unknown" ? type.slice(0, MAX_KIND) : undefined;
  };
  return (metric) => kindOf(metric) ?? kindOf(metric.replace(partSuffix, ""));
}

interface TagListing {
  readonly options: ExploreOptions;
  readonly match: string | undefined;
  readonly fields: ExploredMeasurement["fields"];
}

/** The labels of the fields that are listed, with their first values. */
async function listTags(
  store: Store,
  { options, match, fields }: TagListing,
  signal: AbortSignal,
): Promise<{ readonly tags: ExploredMeasurement["tags"]; readonly truncated: boolean }> {
  const { names, values } = options.limits;
  const found = [...new Set(fields.flatMap(({ tags = [] }) => tags))].sort();
  let truncated = found.length > names;
  const tags = await mapSome(found.slice(0, names), async (name) => {
    const all = await listNames(store, `label/${encodeURIComponent(name)}/values`, match, signal);
    truncated ||= all.length > values;
    return { name, values: all.sort().slice(0, values) };
  });
  return { tags, truncated };
}

async function exploreTag(
  store: Store,
  options: ExploreOptions & { readonly tag: string },
  signal: AbortSignal,
): Promise<Exploration> {
  const { tag, search } = options;
  const match = matchMetrics({ ...options, search: undefined }, search && [[tag, search]]);
  const found = await listNames(
    store,
    `label/${encodeURIComponent(tag)}/values`,
    match ?? matchAny(tag),
    signal,
  );
  return toTagExploration(options, chooseValues(found, options));
}

/** Maps items concurrently, a few at a time, in order. */
async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += MAX_CONCURRENT_REQUESTS)
    results.push(...(await Promise.all(items.slice(from, from + MAX_CONCURRENT_REQUESTS).map(work))));
  return results;
}

async function listNames(
  store: Store,
  path: string,
  match: string | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const found = await store.get(path, match === undefined ? {} : { "match[]": match }, signal);
  if (Array.isArray(found) && found.every((name) => typeof name === "string")) return found;
  throw store.client.refuse(
    "bucket_unavailable",
    "sent something that is no list of names; check the address",
  );
}

/** Not every server has this endpoint. */
function ignoreUnknown(error: unknown): undefined {
  if (error instanceof TorusError && error.code === "bucket_rejected") return undefined;
  throw error;
}

type Answer = Readonly<Record<string, unknown>>;

function asRecord(value: unknown): Answer {
  return typeof value === "object" && value !== null ? (value as Answer) : {};
}

/** An empty server reports the extreme integers as its times. */
function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
