// One OpenTSDB over HTTP: queries, whose answers are checked to the last point, and compressed puts.
import { TorusError } from "../../core/errors.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { isRecord, parseJson } from "../connection.ts";

/** What is asked of one metric. */
export interface SubQuery {
  readonly metric: string;
  /** How series are combined; `none` leaves them apart. */
  readonly aggregator: string;
  readonly downsample?: string;
  readonly filters: readonly object[];
}

/** One answered series: which of the sub-queries it belongs to, and its points; NaN where there is none. */
export interface Series {
  readonly index: number;
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
  /** Series of `[fromAt, toAt)`, in ms; the server may add points around it. No such name is no series. */
  query(
    queries: readonly SubQuery[],
    range: { readonly fromAt: number; readonly toAt: number },
    signal: AbortSignal,
  ): Promise<Series[]>;
  put(points: readonly DataPoint[], signal: AbortSignal): Promise<void>;
  readVersion(signal: AbortSignal): Promise<string>;
}

/** Prepares requests; connects to nothing. */
export function createStore(options: ClientOptions): Store {
  const client = createClient(options);
  const json = { "Content-Type": "application/json" };

  return {
    client,
    async query(queries, { fromAt, toAt }, signal) {
      const body = { start: fromAt, end: toAt - 1, msResolution: true, showQuery: true, queries };
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
    async readVersion(signal) {
      const answer = parseJson(await client.send({ method: "GET", path: "/api/version" }, signal));
      if (!isRecord(answer) || typeof answer.version !== "string") throw garbled(client);
      return answer.version;
    },
  };
}

/** Nothing was ever written under that name. */
function isUnknownName(error: unknown): boolean {
  return (
    error instanceof TorusError &&
    error.details.upstream_status === 400 &&
    /No such name for '(?:metrics|tagk|tagv)'/.test(error.message)
  );
}

function readSeries(client: Client, text: string, count: number): Series[] {
  const answer = parseJson(text);
  if (!Array.isArray(answer)) throw garbled(client);
  return answer.map((series) => {
    const index: unknown = series?.query?.index;
    const dps: unknown = series?.dps;
    if (typeof index !== "number" || !(index >= 0 && index < count) || !isRecord(dps)) throw garbled(client);
    return {
      index,
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

/** What is no number comes as text. */
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
