// HTTP listener: binds, serves the application, drains, closes connections.
import type { App } from "../http/app.ts";
import { waitAtMost } from "../runtime/deadline.ts";
import { yieldToEventLoop } from "../runtime/steps.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";

/** TLS 1.2 suites with forward secrecy and authenticated encryption; all of TLS 1.3 have both (RFC 9325). */
const TLS12_CIPHERS = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
  .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
  .join(":");

/** Time to send the answers of requests that waited for a job until the queue stopped. */
const LAST_ANSWERS_MS = 500;

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Address of the peer of a connection. */
  addressOf(request: Request): string;
  /** Disables the idle timeout of a request's connection. */
  holdOpen(request: Request): void;
  /** Refuses new connections and waits for open requests, up to `limits.stopMs`. */
  drain(): Promise<void>;
  /** Closes all connections, after a short time for finished answers. */
  cut(): Promise<void>;
}

export type ListenSettings = Pick<ServerSettings, "listen" | "limits"> & {
  readonly security?: Pick<ServerSettings["security"], "tls">;
};

/** Binds and serves, over TLS where there is a certificate. @throws Error where the address cannot be bound */
export function listen(app: Pick<App, "handle">, settings: ListenSettings, log: Log): Listener {
  const { listen: where, security } = settings;
  const server = Bun.serve({
    hostname: where.host,
    port: where.port,
    ...(security?.tls && { tls: { ...security.tls, ciphers: TLS12_CIPHERS } }),
    // Otherwise a second server on the port would silently take part of the requests.
    reusePort: false,
    development: false,
    idleTimeout: Math.ceil(settings.limits.idleMs / 1000),
    // The application limits bodies itself, with its own error.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Saves the promise and the fields of a log line that is not written.
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
    drain: () => waitAtMost(settings.limits.stopMs, refuseNew()),
    cut: async () => {
      await waitAtMost(LAST_ANSWERS_MS, refuseNew());
      // An answer counts as given before the turn that writes it has ended.
      await yieldToEventLoop();
      await server.stop(true);
    },
  };
}

async function serveLogged(app: Pick<App, "handle">, request: Request, log: Log): Promise<Response> {
  const startedAt = performance.now();
  const { method, url } = request;
  const response = await app.handle(request);
  log.debug("request", {
    request_id: response.headers.get("x-request-id"),
    method,
    // Without the query, which may hold secrets.
    path: url.slice(url.indexOf("/", url.indexOf("//") + 2)).split("?")[0],
    status: response.status,
    ms: Math.round(performance.now() - startedAt),
  });
  return response;
}
