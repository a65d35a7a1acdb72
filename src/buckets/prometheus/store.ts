// Prometheus HTTP client: instant and range queries, label lists, remote write.
import { TorusError } from "../../core/errors.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
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

/** A server, reached with each call. */
export class Store {
  readonly client: Client;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: ClientOptions, tenant: string | undefined) {
    this.client = new Client(options);
    this.#headers = tenant ? { "X-Scope-OrgID": tenant } : {};
  }

  async queryRange(
    query: string,
    { firstAt, lastAt, stepMs }: Steps,
    signal: AbortSignal,
  ): Promise<Series[]> {
    const params = { query, start: seconds(firstAt), end: seconds(lastAt), step: seconds(stepMs) };
    return readSeries(this.client, await this.#ask("query_range", params, signal));
  }

  async query(query: string, at: number, signal: AbortSignal): Promise<Series[]> {
    return readSeries(this.client, await this.#ask("query", { query, time: seconds(at) }, signal));
  }

  /** `data` of a GET below `/api/v1`. */
  async get(path: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const request = { path: `/api/v1/${path}`, params, headers: this.#headers };
    return readData(this.client, await this.client.send({ method: "GET", ...request }, signal));
  }

  /** Sends a compressed remote-write request. @throws TorusError `bucket_rejected` where it is refused */
  async write(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    const headers = {
      ...this.#headers,
      "Content-Type": "application/x-protobuf",
      "Content-Encoding": "snappy",
      "X-Prometheus-Remote-Write-Version": "0.1.0",
    };
    try {
      await this.client.send({ method: "POST", path: "/api/v1/write", headers, body }, signal);
    } catch (error) {
      throw explainWrite(this.client, error);
    }
  }

  /** As POST: a query may exceed the length of a URL. `nocache`: else VictoriaMetrics aligns the range. */
  #ask(path: string, params: Record<string, string>, signal: AbortSignal): Promise<string> {
    const body = new URLSearchParams({ ...params, nocache: "1" });
    const request = { path: `/api/v1/${path}`, headers: this.#headers, body };
    return this.client.send({ method: "POST", ...request }, signal);
  }
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
