// OpenTSDB HTTP client: queries, validated to the last point, and compressed puts.
import { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { parseJson } from "../shared/connection.ts";

/** Sub-query of one metric. */
export interface SubQuery {
  readonly metric: string;
  /** Aggregator over series; `none` keeps them separate. */
  readonly aggregator: string;
  readonly downsample?: string;
  readonly filters: readonly object[];
}

/** One series of an answer: index of its sub-query, tags, and points; NaN for a missing value. */
export interface Series {
  readonly index: number;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly points: readonly (readonly [at: number, value: number])[];
}

export interface DataPoint {
  readonly metric: string;
  readonly timestamp: number;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

export interface Store {
  readonly client: Client;
  /** Series of `[fromAt, toAt)`, in ms; the server may add points around it. An unknown name has no series. */
  query(
    queries: readonly SubQuery[],
    range: { readonly fromAt: number; readonly toAt: number },
    signal: AbortSignal,
  ): Promise<Series[]>;
  put(points: readonly DataPoint[], signal: AbortSignal): Promise<void>;
  /** Names of all metrics. @throws TorusError `bucket_rejected` for more metrics than can be listed */
  listMetrics(signal: AbortSignal): Promise<string[]>;
  /** Tags of the series of a metric, at most `limit` of them. */
  lookUp(metric: string, limit: number, signal: AbortSignal): Promise<Readonly<Record<string, string>>[]>;
  /**
   * Deletes the points of a metric that carry the tag. An unknown name is fine.
   * @throws TorusError `bucket_rejected` where the server allows no deletions
   */
  deletePoints(
    metric: string,
    tag: readonly [name: string, value: string],
    signal: AbortSignal,
  ): Promise<void>;
  readVersion(signal: AbortSignal): Promise<string>;
}

/** Times that fit into 32 bits are read as seconds. */
export const FIRST_MS = 2 ** 32;
/** Latest time of a point: times in seconds end in 2106. */
const LAST_MS = Date.UTC(2100, 0);
const MAX_METRICS = 100_000;

/** Creates the store without connecting. */
export function createStore(options: ClientOptions): Store {
  const client = createClient(options);
  const json = { "Content-Type": "application/json" };
  const get = async (path: string, params: Readonly<Record<string, string>>, signal: AbortSignal) =>
    parseJson(await client.send({ method: "GET", path, params }, signal));

  return {
    client,
    async query(queries, { fromAt, toAt }, signal) {
      if (toAt <= FIRST_MS) return [];
      const start = Math.max(fromAt, FIRST_MS);
      const body = { start, end: toAt - 1, msResolution: true, showQuery: true, queries };
      const request = {
        method: "POST",
        path: "/api/query",
        headers: json,
        body: JSON.stringify(body),
      } as const;
      try {
        return readSeries(client, await client.send(request, signal), queries.length);
      } catch (error) {
        if (isUnknownName(error)) return [];
        throw error;
      }
    },
    async put(points, signal) {
      const body = Bun.gzipSync(JSON.stringify(points));
      const headers = { ...json, "Content-Encoding": "gzip" };
      const params = { details: "true", sync: "true" };
      const answer = parseJson(
        await client.send({ method: "POST", path: "/api/put", params, headers, body }, signal),
      );
      if (!isRecord(answer) || typeof answer.failed !== "number") throw garbled(client);
      if (answer.failed > 0)
        throw client.refuse("bucket_rejected", `did not take ${answer.failed} of ${points.length} points`);
    },
    async listMetrics(signal) {
      const names = await get("/api/suggest", { type: "metrics", max: String(MAX_METRICS) }, signal);
      if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) throw garbled(client);
      if (names.length < MAX_METRICS) return names;
      throw client.refuse("bucket_rejected", `has ${MAX_METRICS} metrics or more, too many to list`);
    },
    async lookUp(metric, limit, signal) {
      const answer = await get("/api/search/lookup", { m: metric, limit: String(limit) }, signal);
      const results = isRecord(answer) ? answer.results : undefined;
      if (!Array.isArray(results) || !results.every((one) => isRecord(one?.tags))) throw garbled(client);
      return results.slice(0, limit).map(({ tags }) => tags);
    },
    async deletePoints(metric, [name, value], signal) {
      // The answer includes the deleted points: one number per series is the shortest.
      const m = `zimsum:0all-count:${metric}{${name}=${value}}`;
      const params = { start: "1", end: String(LAST_MS), m };
      try {
        const answer = await client.send({ method: "DELETE", path: "/api/query", params }, signal);
        if (!Array.isArray(parseJson(answer))) throw garbled(client);
      } catch (error) {
        if (!isUnknownName(error)) throw isRefused(error) ? refuseDeletion(client) : error;
      }
    },
    async readVersion(signal) {
      const answer = await get("/api/version", {}, signal);
      if (!isRecord(answer) || typeof answer.version !== "string") throw garbled(client);
      return answer.version;
    },
  };
}

/** Whether the error means an unknown name. */
function isUnknownName(error: unknown): boolean {
  return (
    error instanceof TorusError &&
    error.details.upstream_status === 400 &&
    /No such name for '(?:metrics|tagk|tagv)'/.test(error.message)
  );
}

/** The server does not say why in its message. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof TorusError &&
    error.details.upstream_status === 400 &&
    /bad request|not enabled/i.test(error.message)
  );
}

function refuseDeletion(client: Client): TorusError {
  return client.refuse(
    "bucket_rejected",
    "does not allow deletions; set tsd.http.query.allow_delete = true in its configuration",
  );
}

function readSeries(client: Client, text: string, count: number): Series[] {
  const answer = parseJson(text);
  if (!Array.isArray(answer)) throw garbled(client);
  return answer.map((series) => {
    const index: unknown = series?.query?.index;
    const dps: unknown = series?.dps;
    const tags: unknown = series?.tags ?? {};
    if (typeof index !== "number" || !(index >= 0 && index < count)) throw garbled(client);
    if (!isRecord(dps) || !isRecord(tags)) throw garbled(client);
    return {
      index,
      tags,
      points: Object.entries(dps).map(
        ([at, value]) => [readTime(client, at), readValue(client, value)] as const,
      ),
    };
  });
}

function readTime(client: Client, text: string): number {
  if (!/^\d+$/.test(text)) throw garbled(client);
  return Number(text);
}

/** Values that are not numbers are sent as text. */
function readValue(client: Client, value: unknown): number {
  if (typeof value === "number") return value;
  if (value === null || /^(?:NaN|[+-]?Infinity)$/.test(String(value))) return Number.NaN;
  throw garbled(client);
}

function garbled(client: Client): TorusError {
  return client.refuse(
    "bucket_unavailable",
    "sent something that is no complete answer of OpenTSDB; check the address",
  );
}
