// Prometheus HTTP client: instant and range queries, label lists, remote write.
import { TorusError } from "../../core/errors.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { readData, readSeries, type Series } from "./answer.ts";

export interface Reader {
  readonly store: Store;
  readonly signal: AbortSignal;
}

/** Evaluation times of a range query; ms. */
export interface Steps {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly stepMs: number;
}

export interface Store {
  readonly client: Client;
  queryRange(query: string, steps: Steps, signal: AbortSignal): Promise<Series[]>;
  query(query: string, at: number, signal: AbortSignal): Promise<Series[]>;
  /** `data` of a GET below `/api/v1`. */
  get(path: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>;
  /** Sends a compressed remote-write request. @throws TorusError `bucket_rejected` where it is refused */
  write(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void>;
}

/** Creates the store without connecting. */
export function createStore(options: ClientOptions, tenant: string | undefined): Store {
  const client = createClient(options);
  const headers: Record<string, string> = tenant ? { "X-Scope-OrgID": tenant } : {};

  /** As POST: a query may exceed the length of a URL. `nocache`: else VictoriaMetrics aligns the range. */
  function ask(path: string, params: Record<string, string>, signal: AbortSignal): Promise<string> {
    const body = new URLSearchParams({ ...params, nocache: "1" });
    return client.send({ method: "POST", path: `/api/v1/${path}`, headers, body }, signal);
  }

  return {
    client,
    async queryRange(query, { firstAt, lastAt, stepMs }, signal) {
      const params = { query, start: seconds(firstAt), end: seconds(lastAt), step: seconds(stepMs) };
      return readSeries(client, await ask("query_range", params, signal));
    },
    async query(query, at, signal) {
      return readSeries(client, await ask("query", { query, time: seconds(at) }, signal));
    },
    async get(path, params, signal) {
      const request = { method: "GET", path: `/api/v1/${path}`, params, headers } as const;
      return readData(client, await client.send(request, signal));
    },
    async write(body, signal) {
      const more = {
        "Content-Type": "application/x-protobuf",
        "Content-Encoding": "snappy",
        "X-Prometheus-Remote-Write-Version": "0.1.0",
      };
      const request = {
        method: "POST",
        path: "/api/v1/write",
        headers: { ...headers, ...more },
        body,
      } as const;
      try {
        await client.send(request, signal);
      } catch (error) {
        throw explainWrite(client, error);
      }
    },
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

/** The answer is plain text, which is not passed on; the status distinguishes the two usual reasons. */
function explainWrite(client: Client, error: unknown): unknown {
  const status = error instanceof TorusError ? error.details.upstream_status : undefined;
  if (status === 404 || status === 405)
    return client.refuse(
      "bucket_rejected",
      "does not accept remote write; start it with --web.enable-remote-write-receiver, or write elsewhere",
    );
  if (status === 400)
    return client.refuse(
      "bucket_rejected",
      "did not take the points: they are too old, older than what it has (out_of_order_time_window), or it has other " +
        "values for the same instants",
    );
  return error;
}
