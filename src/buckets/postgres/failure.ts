// Errors of PostgreSQL and its driver as TorusErrors.
import { TorusError } from "../../core/errors.ts";
import { explainTls, type Upstream, upstreamError } from "../../net/refusal.ts";

/** Connection errors by code of the driver. */
const reasons: Readonly<Record<string, string>> = {
  ERR_POSTGRES_CONNECTION_REFUSED: "refused the connection; is it running, and is the port right?",
  ERR_POSTGRES_CONNECTION_TIMEOUT: "did not answer in time",
  ERR_POSTGRES_CONNECTION_CLOSED: "closed the connection before its answer was complete",
  ERR_POSTGRES_CONNECTION_FAILED: "closed the connection at once; is it PostgreSQL?",
  ERR_POSTGRES_TLS_NOT_AVAILABLE: "does not speak TLS; check use_ssl and the port",
};

/** Converts an error of the driver; its message is passed on only where the server wrote it. */
export function explainFailure(upstream: Upstream, error: unknown): unknown {
  if (error instanceof TorusError) return error;
  const { code, errno, message } = error as { code?: unknown; errno?: unknown; message?: unknown };
  // A SQLSTATE of five characters comes from the server.
  if (/^[0-9A-Z]{5}$/.test(String(errno)))
    return upstreamError(upstream, codeFor(String(errno)), explainState(String(errno), String(message)));
  const name = typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "";
  if (/AUTH|PASSWORD|SASL/.test(name))
    return upstreamError(upstream, "bucket_auth", `does not take the credentials (${name})`);
  const reason =
    /CERT|SIGNATURE|SSL|TLS_/.test(name) && !(name in reasons)
      ? explainTls(name)
      : (reasons[name] ?? `cannot be used${name && ` (${name})`}; is it PostgreSQL?`);
  return upstreamError(upstream, "bucket_unavailable", reason);
}

/** By class of the SQLSTATE: authorization, temporary conditions, all others need a correction by the user. */
function codeFor(state: string): "bucket_auth" | "bucket_unavailable" | "bucket_rejected" {
  if (state.startsWith("28") || state === "42501") return "bucket_auth";
  return /^(08|40|53|55|57|58|XX)/.test(state) ? "bucket_unavailable" : "bucket_rejected";
}

function explainState(state: string, message: string): string {
  if (state === "57014") return "took longer than timeout; add an index on the time, or raise it";
  return `${message} (${state})`;
}
