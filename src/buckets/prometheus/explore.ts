// What a Prometheus says of itself: version, number of series, metrics and labels.
import { TorusError } from "../../core/errors.ts";
import type { Exploration, ExploreLimits, Finding } from "../kind.ts";
import type { Store } from "./store.ts";

/** Connects, and asks for the version and the size of what is in memory. */
export async function probeServer(store: Store, signal: AbortSignal): Promise<Finding> {
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

/** What VictoriaMetrics says in `status/tsdb` is of this day only; it counts all series elsewhere. */
async function countSeries(store: Store, signal: AbortSignal): Promise<number | undefined> {
  const counts = await store.get("series/count", {}, signal).catch(ignoreUnknown);
  return Array.isArray(counts) ? readCount(counts[0]) : undefined;
}

/** Metrics are fields, labels are tags; there are no measurements. */
export async function exploreServer(
  store: Store,
  { names, values }: ExploreLimits,
  signal: AbortSignal,
): Promise<Exploration> {
  const metrics = await listNames(store, "label/__name__/values", { limit: names + 1 }, signal);
  const labels = await listNames(store, "labels", { limit: names + 2 }, signal);
  const tagNames = labels.filter((name) => name !== "__name__");
  let truncated = metrics.length > names || tagNames.length > names;
  const tags: { name: string; values: string[] }[] = [];
  for (const name of tagNames.slice(0, names)) {
    const path = `label/${encodeURIComponent(name)}/values`;
    const found = await listNames(store, path, { limit: values + 1 }, signal);
    truncated ||= found.length > values;
    tags.push({ name, values: found.slice(0, values) });
  }
  const fields = metrics.slice(0, names).map((name) => ({ name, type: "number" }));
  return { measurements: [{ name: null, fields, tags }], truncated };
}

async function listNames(
  store: Store,
  path: string,
  { limit }: { readonly limit: number },
  signal: AbortSignal,
): Promise<string[]> {
  const found = await store.get(path, { limit: String(limit) }, signal);
  if (Array.isArray(found) && found.every((name) => typeof name === "string")) return found;
  throw store.client.refuse(
    "bucket_unavailable",
    "sent something that is no list of names; check the address",
  );
}

/** Not every server has this page. */
function ignoreUnknown(error: unknown): undefined {
  if (error instanceof TorusError && error.code === "bucket_rejected") return undefined;
  throw error;
}

type Answer = Readonly<Record<string, unknown>>;

function asRecord(value: unknown): Answer {
  return typeof value === "object" && value !== null ? (value as Answer) : {};
}

/** An empty server names the least and the greatest number there is as its times. */
function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
