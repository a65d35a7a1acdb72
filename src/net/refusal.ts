// What went wrong with the software at the other end, as an error a user can act on: typed, short, without secrets.
import { type ErrorCode, TorusError } from "../core/errors.ts";
import { hideSecrets } from "./hide.ts";

/** Where a request went: the name of the software and its `host:port`, for messages. */
export interface Upstream {
  readonly label: string;
  /** Texts that no message may hold. */
  readonly secrets: readonly string[];
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection; is it running, and is the port right?",
  ECONNRESET: "closed the connection before its answer was complete",
  EPROTO: "does not speak TLS on this port; check use_ssl and the port",
  ZlibError: "sent a compressed answer that cannot be read",
};

/** An error in the name of a data source: `<label>: <reason>`, secrets taken out. */
export function refuse(upstream: Upstream, code: ErrorCode, reason: string): TorusError {
  return new TorusError(code, `${upstream.label}: ${hideSecrets(reason, upstream.secrets)}`);
}

/** The error for an exchange that broke down; the original text is left out, it holds the whole URL. */
export function refuseBroken(upstream: Upstream, error: unknown): TorusError {
  const code = codeOf(error);
  const reason = /CERT|SIGNATURE|SSL|TLS/.test(code)
    ? `TLS failed (${code}); check ca_certs, the host name, or switch verify_ssl off`
    : (reasons[code] ?? `cannot be reached${code && ` (${code})`}`);
  return refuse(upstream, "bucket_unavailable", reason);
}

/** The `code` of a system error, `""` where there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "";
}

/** What the body of an error says, for software whose status tells too little. */
export interface StoreError {
  readonly code: ErrorCode;
  readonly said: string;
}

/** Statuses below 500 that may be gone the next time. */
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * The error for an answer that is not 2xx, with the store's own message where it sent one in JSON.
 * `readError` reads bodies in a format of the store's own, and its code wins over that of the status.
 * Its `details.upstream_status` is the status.
 */
export function refuseStatus(
  upstream: Upstream,
  { status, body }: { readonly status: number; readonly body: string },
  readError?: (body: string) => StoreError | undefined,
): TorusError {
  const own = readError?.(body);
  const said = own?.said ?? readStoreMessage(body);
  const message = `${upstream.label}: ${hideSecrets(explain(status, said), upstream.secrets)}`;
  return new TorusError(own?.code ?? codeFor(status), message, { upstream_status: status });
}

function explain(status: number, said: string | undefined): string {
  const suffix = said ? `: ${said}` : "";
  if (status === 401 || status === 403) return `refused the credentials (${status})${suffix}`;
  if (status >= 300 && status < 400)
    return `answered with a redirect (${status}), which is not followed; set the address it leads to`;
  return `answered ${status}${suffix}`;
}

function codeFor(status: number): ErrorCode {
  if (status === 401 || status === 403) return "bucket_auth";
  return status >= 500 || transient.has(status) ? "bucket_unavailable" : "bucket_rejected";
}

/** `error`, `error.reason`, `error.message` or `message` of a JSON object. Any other body is not the store's word and is not repeated. */
function readStoreMessage(body: string): string | undefined {
  try {
    const { error, message } = JSON.parse(body);
    return [error, error?.reason, error?.message, message].find(
      (text) => typeof text === "string" && text !== "",
    );
  } catch {
    return undefined;
  }
}
