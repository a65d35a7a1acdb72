// Outbound HTTP client: checked addresses, no redirects, deadline, size cap, typed errors without secrets.
import { TorusError, throwIfAborted } from "../core/errors.ts";
import { DeadlineError, withDeadline } from "../runtime/deadline.ts";
import { type Address, type Credentials, isLiteral } from "./address.ts";
import {
  codeOf,
  connectionError,
  type RefusalCode,
  type StoreError,
  statusError,
  type Upstream,
  upstreamError,
} from "./refusal.ts";
import { type ResolveOptions, resolveHost } from "./resolve.ts";
import { readTlsOptions, type TlsSettings } from "./tls.ts";

export interface ClientOptions extends ResolveOptions {
  /** Name of the software, for example "InfluxDB". */
  readonly software: string;
  readonly address: Address;
  /** Port if the address has neither port nor scheme. */
  readonly defaultPort: number;
  readonly tls?: TlsSettings;
  /** Sent with every request; overrides credentials in the address. */
  readonly authorization?: Credentials | { readonly scheme: string; readonly token: string } | undefined;
  /** Timeout of one exchange, from the DNS lookup to the last byte; default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of an answer after decompression; default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Further secrets to remove from messages. */
  readonly secrets?: readonly string[] | undefined;
  /** Parses the body of an error that is not JSON. */
  readonly readError?: ((body: string) => StoreError | undefined) | undefined;
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  /** Relative to the path of the address; starts with a slash. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer>;
}

/** Identify the state of a resource (RFC 9110, 8.8); null: unknown. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A body with its validators. */
export interface Fetched extends Validators {
  readonly body: string;
}

/** Longest validator that is kept and sent back. */
const MAX_VALIDATOR = 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** Maximum size of the body of an error. */
const MAX_ERROR_BYTES = 64 * 1024;
/** Errors before anything was sent, so that the next address of the name may be tried. */
const connectErrors = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);

/** A client of one data source; it connects with each request. */
export class Client {
  /** The `Host` header of requests. */
  readonly host: string;
  readonly #target: Target;

  constructor(private readonly options: ClientOptions) {
    this.#target = findTarget(options);
    this.host = this.#target.headers.Host;
  }

  /**
   * Sends a request. @returns the complete body of a 2xx as text
   * @throws TorusError `bucket_unavailable` (refused, unknown name, TLS, timeout, 5xx, cut off or oversized answer),
   * `bucket_auth` (401, 403), `bucket_rejected` (other 4xx, redirect; `details.upstream_status`), `forbidden`
   * (link-local or metadata address), or the reason of `signal` when it aborts
   */
  async send(request: Request, signal: AbortSignal): Promise<string> {
    return (await this.#run(request, signal))!.body;
  }

  /**
   * Sends a conditional GET (RFC 9110, 13.1). @returns the answer, undefined if it is the same as before (304)
   * @param path relative to the path of the address; starts with a slash
   * @throws TorusError as `send`
   */
  getIfChanged(
    path: string,
    { etag, lastModified }: Validators,
    signal: AbortSignal,
  ): Promise<Fetched | undefined> {
    const headers = {
      ...(etag !== null && { "If-None-Match": etag }),
      ...(lastModified !== null && { "If-Modified-Since": lastModified }),
    };
    return this.#run({ method: "GET", path, headers }, signal);
  }

  /** An error labelled with this data source, secrets removed from the reason. */
  refuse(code: RefusalCode, reason: string): TorusError {
    return upstreamError(this.#target.upstream, code, reason);
  }

  async #run(request: Request, signal: AbortSignal): Promise<Fetched | undefined> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    throwIfAborted(signal);
    try {
      return await withDeadline(timeoutMs, (limited) => this.#exchange(request, limited), { signal });
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof DeadlineError)
        throw this.refuse("bucket_unavailable", `no complete answer within ${timeoutMs / 1000} s`);
      throw error instanceof TorusError ? error : connectionError(this.#target.upstream, error);
    }
  }

  async #exchange(request: Request, signal: AbortSignal): Promise<Fetched | undefined> {
    const target = this.#target;
    const { upstream } = target;
    const { maxBytes = DEFAULT_MAX_BYTES, readError } = this.options;
    const tls = target.scheme === "https" ? await readTlsOptions(this.options.tls ?? {}) : undefined;
    const hosts = await resolveHost(target.host, upstream, this.options);
    const response = await connect(hosts, (host) =>
      fetch(toUrl({ ...target, host }, request), {
        ...toInit(request, target),
        signal,
        // The URL has the checked IP address; the certificate must match the name.
        ...(tls && { tls: isLiteral(target.host) ? tls : { ...tls, serverName: target.host } }),
      }),
    );
    if (response.ok)
      return {
        body: await readAnswer(response, maxBytes, upstream),
        etag: validatorOf(response, "etag"),
        lastModified: validatorOf(response, "last-modified"),
      };
    if (response.status === 304 && isConditional(request)) return undefined;
    const said = await readCapped(response, Math.min(maxBytes, MAX_ERROR_BYTES));
    throw statusError(upstream, { status: response.status, body: said ?? "" }, readError);
  }
}

function isConditional({ headers = {} }: Request): boolean {
  return "If-None-Match" in headers || "If-Modified-Since" in headers;
}

/** A validator of printable ASCII; null where the answer has none that can be sent back. */
function validatorOf(response: Response, name: string): string | null {
  const value = response.headers.get(name);
  return value !== null && value.length <= MAX_VALIDATOR && /^[\x20-\x7e]+$/.test(value) ? value : null;
}

interface Target {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: { readonly Host: string; readonly Authorization?: string };
  readonly upstream: Upstream;
}

function findTarget({ software, address, defaultPort, tls, ...options }: ClientOptions): Target {
  const scheme = tls?.use_ssl ? "https" : (address.scheme ?? "http");
  const port = address.port ?? (address.scheme ? { http: 80, https: 443 }[scheme] : defaultPort);
  const { header, secrets } = authorize(options.authorization ?? address.credentials);
  return {
    scheme,
    port,
    host: address.host,
    path: address.path,
    headers: { Host: formatHost(scheme, address.host, port), ...(header && { Authorization: header }) },
    upstream: {
      label: `${software} at ${address.host}:${port}`,
      secrets: [...secrets, ...(options.secrets ?? [])],
    },
  };
}

/** Without a default port: signatures of requests cover the header as it is sent. */
function formatHost(scheme: Target["scheme"], host: string, port: number): string {
  return port === { http: 80, https: 443 }[scheme] ? host : `${host}:${port}`;
}

/** The header, and every form of the credentials that an answer could repeat. */
function authorize(by: ClientOptions["authorization"]): { header?: string; secrets: string[] } {
  if (!by) return { secrets: [] };
  if ("token" in by) return { header: `${by.scheme} ${by.token}`, secrets: [by.token] };
  const { user, password } = by;
  const packed = Buffer.from(`${user}:${password}`, "utf8").toString("base64");
  const encoded = [user, password].map(encodeURIComponent);
  return { header: `Basic ${packed}`, secrets: [...new Set([user, password, packed, ...encoded])] };
}

function toUrl({ scheme, host, port, path }: Target, request: Request): string {
  const params = new URLSearchParams(request.params).toString();
  return `${scheme}://${host}:${port}${path}${request.path}${params && `?${params}`}`;
}

function toInit({ method, headers, body }: Request, target: Target): RequestInit {
  return {
    method,
    // Uncompressed: compression takes a data source longer than the transfer.
    headers: { "Accept-Encoding": "identity", ...headers, ...target.headers },
    redirect: "manual",
    ...(body !== undefined && { body }),
  };
}

/** Tries the addresses of a name in order until one connects. */
async function connect(
  hosts: readonly string[],
  open: (host: string) => Promise<Response>,
): Promise<Response> {
  for (const host of hosts.slice(0, -1)) {
    try {
      return await open(host);
    } catch (error) {
      if (!connectErrors.has(codeOf(error))) throw error;
    }
  }
  return open(hosts.at(-1)!);
}

async function readAnswer(response: Response, maxBytes: number, upstream: Upstream): Promise<string> {
  const text = await readCapped(response, maxBytes);
  if (text !== undefined) return text;
  throw upstreamError(upstream, "bucket_unavailable", `sent more than ${maxBytes} bytes in one answer`);
}

/** The body as text; undefined, without reading the rest, if it exceeds the cap. */
async function readCapped(response: Response, maxBytes: number): Promise<string | undefined> {
  if (!response.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
