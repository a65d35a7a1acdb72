// Errors of the MongoDB driver as TorusErrors; its message is passed on only where the server wrote it.
import { TorusError } from "../../core/errors.ts";
import { type Upstream, upstreamError } from "../../net/refusal.ts";

/** Server codes: authentication failed, unauthorized. */
const authCodes: ReadonlySet<unknown> = new Set([13, 18, 8000]);

/** Distinguished by name, since the driver and its classes are loaded lazily. */
export function explainFailure(upstream: Upstream, error: unknown): TorusError {
  if (error instanceof TorusError) return error;
  const {
    name = "",
    code,
    message = "",
  } = (error ?? {}) as { name?: string; code?: unknown; message?: string };
  if (authCodes.has(code))
    return upstreamError(upstream, "bucket_auth", `refused the credentials: ${message}`);
  if (name === "MongoServerError" || name.endsWith("WriteError"))
    return upstreamError(upstream, "bucket_rejected", message);
  if (/^BSON|^MongoInvalidArgument/.test(name)) return upstreamError(upstream, "bucket_rejected", message);
  return upstreamError(
    upstream,
    "bucket_unavailable",
    "cannot be reached, or does not speak MongoDB; check addr and use_ssl",
  );
}
