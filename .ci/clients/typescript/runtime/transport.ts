// Requests of the client: addresses, credentials, retries, answers by content type, and the stream of events.
import { TorusError, toError } from "./errors.ts";
import { parseEvents } from "./event-stream.ts";
import { version } from "./facts.ts";
import { isPassing, MAX_WAIT_MS, sleep, waitMs } from "./retries.ts";

export interface TorusOptions {
  /** Address of the server, as in `http://localhost:8077`; without user and password. */
  readonly url: string;
  /** Sent in the header `Authorization` alone. */
  readonly token?: string | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Further attempts of a request that may be repeated; default: 3. */
  readonly retries?: number | undefined;
}

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Further headers, as `Content-Encoding` of a compressed body. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One name, or several at once. */
export type Names = string | readonly string[];

/** What is known of an operation before it is called. */
export interface OperationFacts {
  readonly method: string;
  readonly path: string;
  /** Headers by the name of their option. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the query by the name of their option. */
  readonly query?: Readonly<Record<string, string>>;
  /** Content type of the body. */
  readonly type?: string;
  readonly repeatable: boolean;
}

export interface Sent {
  readonly path?: Readonly<Record<string, Names>>;
  readonly body?: unknown;
  readonly options?: CallOptions & { readonly accept?: string | undefined };
}

type Body = NonNullable<RequestInit["body"]>;

const RETRIES = 3;
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/;

export class Transport {
  readonly url: string;
  readonly #token: string | undefined;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #retries: number;

  /** @throws TypeError for an address or a token that cannot be sent */
  constructor({ url, token, fetch: given, retries = RETRIES }: TorusOptions) {
    // A header with another character is refused with an error that holds it.
    if (token !== undefined && !/^[!-~]+$/.test(token))
      throw new TypeError("token must be of visible ASCII characters");
    const { protocol, username, password } = new URL(url);
    if (!/^https?:$/.test(protocol) || username || password)
      throw new TypeError("url must be http:// or https://, without user and password: give a token");
    this.url = url.endsWith("/") ? url.slice(0, -1) : url;
    this.#token = token;
    this.#fetch = given ?? ((address, init) => fetch(address, init));
    this.#retries = retries;
  }

  /** Sends a request and reads its answer: JSON, a text, bytes, or undefined where it has no content. */
  protected async call<T>(facts: OperationFacts, sent: Sent): Promise<T> {
    return (await this.#retry(facts, sent, readAnswer)) as T;
  }

  /**
   * Follows a stream of events. It comes back after a lost connection with the id of the last event; attempts without
   * an event are counted, and bounded as retries.
   */
  protected async *follow<T extends { readonly id: string; readonly event: string }>(
    facts: OperationFacts,
    { options }: { readonly options: CallOptions & { readonly last_event_id?: string | undefined } },
  ): AsyncGenerator<T, void, undefined> {
    let lastId = options.last_event_id;
    for (let attempt = 0; ; ) {
      const asked = { ...options, accept: "text/event-stream", last_event_id: lastId };
      const stream = await this.#retry(facts, { options: asked }, async (response) => response.body);
      if (!stream) return;
      try {
        for await (const { id, event, data } of parseEvents(stream)) {
          attempt = 0;
          lastId = id;
          if (event !== "end") yield { id, event, data: JSON.parse(data) as unknown } as unknown as T;
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof SyntaxError) throw error;
      }
      if (attempt >= this.#retries) throw new TorusError("connection", "the stream of events ended", 0);
      await sleep(waitMs(attempt++), options.signal);
    }
  }

  /** @throws TorusError, or the reason of the signal */
  async #retry<T>(facts: OperationFacts, sent: Sent, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal } = sent.options ?? {};
    const attempts = facts.repeatable ? this.#retries : 0;
    for (let attempt = 0; ; attempt++) {
      let retryAfter: string | null = null;
      try {
        const response = await this.#send(facts, sent);
        if (response.ok) return await read(response);
        retryAfter = response.headers.get("retry-after");
        throw toError(response.status, await response.text());
      } catch (error) {
        signal?.throwIfAborted();
        const failure = error instanceof TorusError ? error : this.#lost(error);
        const ms = waitMs(attempt, retryAfter);
        if (attempt >= attempts || !isPassing(failure.status) || ms > MAX_WAIT_MS) throw failure;
        await sleep(ms, signal);
      }
    }
  }

  #lost(error: unknown): TorusError {
    // Node has the reason in the cause.
    const { cause = error } = error as Error;
    const why = cause instanceof Error ? cause.message : String(cause);
    return new TorusError("connection", `no answer from ${this.url}: ${why}`, 0);
  }

  #send(facts: OperationFacts, { path = {}, body, options = {} }: Sent): Promise<Response> {
    const values = options as Readonly<Record<string, unknown>>;
    const query = new URLSearchParams(pick(values, facts.query));
    const address = facts.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeNames(path[name] ?? ""));
    const { accept = "application/json, */*;q=0.5", signal } = options;
    const headers = {
      accept,
      ...(body !== undefined && facts.type !== undefined && { "content-type": facts.type }),
      // Browsers send their own.
      ...(!("document" in globalThis) && { "user-agent": `torus-client-js/${version}` }),
      ...options.headers,
      ...Object.fromEntries(pick(values, facts.headers)),
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
    };
    return this.#fetch(`${this.url}${address}${query.size > 0 ? `?${query}` : ""}`, {
      method: facts.method,
      headers,
      // The token is for this server alone.
      redirect: "error",
      ...(body !== undefined && { body: encodeBody(body, facts.type) }),
      ...(signal && { signal }),
    });
  }
}

/** The options that are sent, by the names they are sent under. */
function pick(
  values: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): [string, string][] {
  return Object.entries(names).flatMap(([key, name]): [string, string][] => {
    const value = values[key];
    return value === undefined || value === null ? [] : [[name, String(value)]];
  });
}

function encodeNames(names: Names): string {
  const list = typeof names === "string" ? [names] : names;
  return list.map((name) => encodeURIComponent(name)).join(";");
}

function encodeBody(body: unknown, type = ""): Body {
  return JSON_TYPE.test(type) ? JSON.stringify(body) : (body as Body);
}

async function readAnswer(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (!JSON_TYPE.test(type) && !type.startsWith("text/")) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return bytes.length === 0 ? undefined : bytes;
  }
  const text = await response.text();
  if (text === "") return undefined;
  return JSON_TYPE.test(type) ? JSON.parse(text) : text;
}
