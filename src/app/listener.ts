// The server's socket: binds, serves the application, drains, and cuts what is left.
import type { App } from "../http/app.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";

/** Suites of TLS 1.2 with forward secrecy and authenticated encryption; those of TLS 1.3 all have both (RFC 9325). */
const TLS12_CIPHERS = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
  .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
  .join(":");

/** For the answers to requests that waited for a job until the queue stopped. */
const LAST_ANSWERS_MS = 500;

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Where a request comes from, as far as the socket knows. */
  addressOf(request: Request): string;
  /** Lifts the idle timeout of the connection a request came on. */
  holdOpen(request: Request): void;
  /** Refuses new connections and waits for requests under way, for a while. */
  drain(): Promise<void>;
  /** Closes every connection, after a moment for answers that are ready. */
  cut(): Promise<void>;
}

export type ListenSettings = Pick<ServerSettings, "listen" | "limits"> & {
  readonly security?: Pick<ServerSettings["security"], "tls">;
};

/** Binds and serves, over TLS where there is a certificate. @throws Error where the address cannot be bound */
export function listen(app: App, settings: ListenSettings, log: Log): Listener {
  const { listen: where, security } = settings;
  const server = Bun.serve({
    hostname: where.host,
    port: where.port,
    ...(security?.tls && { tls: { ...security.tls, ciphers: TLS12_CIPHERS } }),
    // Two servers on one port would split the requests between them without a word.
    reusePort: false,
    development: false,
    idleTimeout: Math.ceil(settings.limits.idleMs / 1000),
    // The application counts for itself, so that it can answer in its own words.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Without the promise and the fields of a line that nobody reads.
    fetch: (request) => (log.writes("debug") ? serveLogged(app, request, log) : app.handle(request)),
    error: () => new Response(null, { status: 500 }),
  });
  let drained: Promise<void> | undefined;
  const refuseNew = (): Promise<void> => {
    drained ??= server.stop(false);
    return drained;
  };
  return {
    url: server.url.href,
    port: server.port ?? where.port,
    addressOf: (request) => server.requestIP(request)?.address ?? "unknown",
    holdOpen: (request) => server.timeout(request, 0),
    drain: () => withDeadline(refuseNew(), settings.limits.stopMs),
    cut: async () => {
      await withDeadline(refuseNew(), LAST_ANSWERS_MS);
      await server.stop(true);
    },
  };
}

async function serveLogged(app: App, request: Request, log: Log): Promise<Response> {
  const startedAt = performance.now();
  const { method, url } = request;
  const response = await app.handle(request);
  log.debug("request", {
    request_id: response.headers.get("x-request-id"),
    method,
    // Without the query: it may hold what is nobody's business.
    path: url.slice(url.indexOf("/", url.indexOf("//") + 2)).split("?")[0],
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
  });
  return response;
}

async function withDeadline(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
