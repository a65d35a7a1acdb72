// OpenTSDB HTTP client: queries, validated to the last point, and compressed puts.
import { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import type { Range } from "../../core/series/grid.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
import { storeMessageOf } from "../../net/refusal.ts";
import { garblerOf, parseJson } from "../shared/connection.ts";

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

/** Times that fit into 32 bits are read as seconds. */
export const FIRST_MS = 2 ** 32;
/** Latest time of a point: times in seconds end in 2106. */
const LAST_MS = Date.UTC(2100, 0);
const MAX_METRICS = 100_000;

const json = { "Content-Type": "application/json" };
const garbled = garblerOf("OpenTSDB");

/** A server, reached with each call. */
export class Store {
  readonly client: Client;

  constructor(options: ClientOptions) {
    this.client = new Client(options);
  }

  /** Series of `[fromAt, toAt)`, in ms; the server may add points around it. An unknown name has no series. */
  async query(queries: readonly SubQuery[], { fromAt, toAt }: Range, signal: AbortSignal): Promise<Series[]> {
    if (toAt <= FIRST_MS) return [];
    const start = Math.max(fromAt, FIRST_MS);
    const query = { start, end: toAt - 1, msResolution: true, showQuery: true, queries };
    const request = { path: "/api/query", headers: json, body: JSON.stringify(query) };
    try {
      const answer = await this.client.send({ method: "POST", ...request }, signal);
      return readSeries(this.client, answer, queries.length);
    } catch (error) {
      if (isUnknownName(error)) return [];
      throw error;
    }
  }

  async put(points: readonly DataPoint[], signal: AbortSignal): Promise<void> {
    const body = Bun.gzipSync(JSON.stringify(points));
    const headers = { ...json, "Content-Encoding": "gzip" };
    const params = { details: "true", sync: "true" };
    const request = { method: "POST", path: "/api/put", params, headers, body } as const;
    const answer = parseJson(await this.client.send(request, signal));
    if (!isRecord(answer) || typeof answer.failed !== "number") throw garbled(this.client);
    if (answer.failed > 0)
      throw this.client.refuse("bucket_rejected", `did not take ${answer.failed} of ${points.length} points`);
  }

  /** Names of all metrics. @throws TorusError `bucket_rejected` for more metrics than can be listed */
  async listMetrics(signal: AbortSignal): Promise<string[]> {
    const names = await this.#get("/api/suggest", { type: "metrics", max: String(MAX_METRICS) }, signal);
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) throw garbled(this.client);
    if (names.length < MAX_METRICS) return names;
    throw this.client.refuse("bucket_rejected", `has ${MAX_METRICS} metrics or more, too many to list`);
  }

  /** Tags of the series of a metric, at most `limit` of them. */
  async lookUp(metric: string, limit: number, signal: AbortSignal): Promise<DataPoint["tags"][]> {
    const answer = await this.#get("/api/search/lookup", { m: metric, limit: String(limit) }, signal);
    const results = isRecord(answer) ? answer.results : undefined;
    if (!Array.isArray(results) || !results.every((one) => isRecord(one?.tags))) throw garbled(this.client);
    return results.slice(0, limit).map(({ tags }) => tags);
  }

  /**
   * Deletes the points of a metric that carry the tag. An unknown name is fine.
   * @throws TorusError `bucket_rejected` where the server allows no deletions
   */
  async deletePoints(
    metric: string,
    [name, value]: readonly [name: string, value: string],
    signal: AbortSignal,
  ): Promise<void> {
    // The answer includes the deleted points: one number per series is the shortest.
    const m = `zimsum:0all-count:${metric}{${name}=${value}}`;
    const params = { start: "1", end: String(LAST_MS), m };
    try {
      const answer = await this.client.send({ method: "DELETE", path: "/api/query", params }, signal);
      if (!Array.isArray(parseJson(answer))) throw garbled(this.client, answer);
    } catch (error) {
      if (!isUnknownName(error)) throw isRefused(error) ? refuseDeletion(this.client) : error;
    }
  }

  async readVersion(signal: AbortSignal): Promise<string> {
    const answer = await this.#get("/api/version", {}, signal);
    if (!isRecord(answer) || typeof answer.version !== "string") throw garbled(this.client);
    return answer.version;
  }

  async #get(path: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const text = await this.client.send({ method: "GET", path, params }, signal);
    const answer = parseJson(text);
    if (typeof answer !== "object" || storeMessageOf(answer) !== undefined) throw garbled(this.client, text);
    return answer;
  }
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
  if (!Array.isArray(answer)) throw garbled(client, text);
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
