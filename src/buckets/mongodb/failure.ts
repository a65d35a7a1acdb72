// What the driver throws, as an error a user can act on; its own texts only where the server wrote them.
import { TorusError } from "../../core/errors.ts";
import { refuse, type Upstream } from "../../net/refusal.ts";

/** Codes of the server: no such user or password, no right to do it. */
const authCodes: ReadonlySet<unknown> = new Set([13, 18, 8000]);

/** Told apart by name: the driver is loaded late, so its classes are not at hand here. */
export function explainFailure(upstream: Upstream, error: unknown): TorusError {
  if (error instanceof TorusError) return error;
  const {
    name = "",
    code,
    message = "",
  } = (error ?? {}) as { name?: string; code?: unknown; message?: string };
  if (authCodes.has(code)) return refuse(upstream, "bucket_auth", `refused the credentials: ${message}`);
  if (name === "MongoServerError" || name.endsWith("WriteError"))
    return refuse(upstream, "bucket_rejected", message);
  if (/^BSON|^MongoInvalidArgument/.test(name)) return refuse(upstream, "bucket_rejected", message);
  return refuse(
    upstream,
    "bucket_unavailable",
    "cannot be reached, or does not speak MongoDB; check addr and use_ssl",
  );
}
