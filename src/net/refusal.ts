// Errors of upstream software: typed, short, actionable, without secrets.
import { type ErrorCode, TorusError } from "../core/errors.ts";
import { hideSecrets } from "./hide.ts";

/** The upstream of a request, for messages. */
export interface Upstream {
  /** Name of the software and its `host:port`. */
  readonly label: string;
  /** Secrets to remove from messages. */
  readonly secrets: readonly string[];
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection; is it running, and is the port right?",
  ECONNRESET: "closed the connection before its answer was complete",
  EPROTO: "does not speak TLS on this port; check the port, and use_ssl or https in the address",
  Malformed_HTTP_Response: "does not speak HTTP on this port; check the address and the port",
  ZlibError: "sent a compressed answer that cannot be read",
};

/** An error `<label>: <reason>`, secrets removed. */
export function upstreamError(upstream: Upstream, code: ErrorCode, reason: string): TorusError {
  return new TorusError(code, `${upstream.label}: ${hideSecrets(reason, upstream.secrets)}`);
}

/** The error of a failed exchange; omits the original text, which contains the whole URL. */
export function connectionError(upstream: Upstream, error: unknown): TorusError {
  const code = codeOf(error);
  const reason = /CERT|SIGNATURE|SSL|TLS/.test(code)
    ? explainTls(code)
    : (reasons[code] ?? `cannot be reached${code && ` (${code})`}`);
  return upstreamError(upstream, "bucket_unavailable", reason);
}

const tlsWays: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the certificate has expired: renew it, or check the clock of this server",
  CERT_NOT_YET_VALID: "the certificate is not valid yet: check the clocks of both servers",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is one of another name: set a host that it names",
};

/** The reason of a failed TLS handshake, with the way out. @param code of the driver, as in `CERT_HAS_EXPIRED` */
export function explainTls(code: string): string {
  return `TLS failed (${code}); ${tlsWays[code] ?? "check ca_certs, the host name"}, or switch verify_ssl off`;
}

/** The `code` of a system error, or `""`. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "";
}

/** Codes of what a data source refuses. */
export type RefusalCode = "bucket_rejected" | "bucket_unavailable" | "bucket_auth";

/** Error parsed from a body, for software whose status is not specific enough. */
export interface StoreError {
  readonly code: RefusalCode;
  readonly said: string;
}

/** Statuses below 500 that a retry may resolve. */
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * The error of an answer that is not 2xx, with the upstream's message if its body is JSON. `readError` parses other
 * bodies; its code overrides that of the status. `details.upstream_status` is the status.
 */
export function statusError(
  upstream: Upstream,
  { status, body }: { readonly status: number; readonly body: string },
  readError?: (body: string) => StoreError | undefined,
): TorusError {
  const own = readError?.(body);
  const said = own?.said ?? readStoreMessage(body);
  const message = `${upstream.label}: ${hideSecrets(explain(status, said), upstream.secrets)}`;
  return new TorusError(own?.code ?? codeFor(status), message, { upstream_status: status });
}

/** Reports the status only: clients that choose URLs must not read answers of internal servers. */
export function statusOnly(error: unknown, software: string): unknown {
  if (!(error instanceof TorusError) || error.details.upstream_status === undefined) return error;
  const status = Number(error.details.upstream_status);
  const way =
    status >= 300 && status < 400 ? ", a redirect, which is not followed: set the address it leads to" : "";
  return new TorusError(error.code, `${software} answered ${status}${way}`, error.details);
}

function explain(status: number, said: string | undefined): string {
  const suffix = said ? `: ${said}` : "";
  if (status === 401 || status === 403) return `refused the credentials (${status})${suffix}`;
  if (status >= 300 && status < 400)
    return `answered with a redirect (${status}), which is not followed; set the address it leads to`;
  const way = status === 404 && !said ? "; check the address" : "";
  return `answered ${status}${suffix}${way}`;
}

function codeFor(status: number): ErrorCode {
  if (status === 401 || status === 403) return "bucket_auth";
  return status >= 500 || transient.has(status) ? "bucket_unavailable" : "bucket_rejected";
}

/** As `storeMessageOf`, of a body; other bodies are not repeated. */
export function readStoreMessage(body: string): string | undefined {
  try {
    return storeMessageOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** `error`, `error.reason`, `error.message` or `message` of an answer; undefined where none is a text. */
export function storeMessageOf(answer: unknown): string | undefined {
  const { error, message } = Object(answer);
  return [error, error?.reason, error?.message, message].find(
    (text) => typeof text === "string" && text !== "",
  );
}
