// Errors of PostgreSQL as the store shows them; the message of a failed query holds its parameters, so only causes leave.
import { DrizzleQueryError } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";

/** Of transactions that ran beside one another: one of them is begun anew (PostgreSQL manual, appendix A). */
const conflicts = new Set(["40001", "40P01"]);
const lockTimeout = "55P03";
/** What a database does that can be used again later, by SQLSTATE. */
const outages: Readonly<Record<string, string>> = {
  "57P01": "is shutting down, or an administrator ended the session",
  "57P02": "restarts after a crash",
  "57P03": "is starting or shutting down",
  "57014": "canceled a statement that took too long: check its load",
  "25006": "takes no writes",
  "25P03": "ended a transaction that was idle for too long",
  "53300": "has no connection left: raise max_connections there, or lower storage.pool",
  [lockTimeout]: "waited too long for a lock",
};
/** A unique key of the catalog, and a schema. */
const duplicates = new Set(["23505", "42P06"]);
const diskFull = "53100";

/** SQLSTATE of an error; undefined where the server did not answer. */
function stateOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, errno } = cause as { code?: unknown; errno?: unknown };
    if (String(code).startsWith("ERR_POSTGRES_") && /^[0-9A-Z]{5}$/.test(String(errno))) return String(errno);
  }
  return undefined;
}

/** Whether the transaction is to be begun anew. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(stateOf(error) ?? "");
}

/** Whether another session has made the same at the same moment. */
export function isDuplicate(error: unknown): boolean {
  return duplicates.has(stateOf(error) ?? "");
}

/** Whether a lock was held by another session until `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return stateOf(error) === lockTimeout;
}

/** Whether the connection cannot be used any more. */
export function isBroken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (
      typeof code === "string" &&
      /^(ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/.test(code)
    )
      return true;
  }
  const state = stateOf(error);
  return state !== undefined && (state.startsWith("08") || state in outages);
}

/** The error of a verb: TorusErrors as they are, outages with their way out, others without statement and parameters. */
export function translate(error: unknown): unknown {
  if (error instanceof TorusError) return error;
  const state = stateOf(error);
  if (state === diskFull)
    return new TorusError(
      "storage_full",
      "the disk of the database is full: nothing was changed; make room, then try again",
    );
  if (isBroken(error)) return unavailable(`the database ${describeOutage(error)}`);
  return causeOf(error);
}

/** What the database of an error that `isBroken` does, as in `is starting or shutting down (SQLSTATE 57P03)`. */
export function describeOutage(error: unknown): string {
  const state = stateOf(error);
  return state ? `${outages[state] ?? "refuses work"} (SQLSTATE ${state})` : "does not answer";
}

/** The error of a database that cannot be used now. */
export function unavailable(reason: string): TorusError {
  return new TorusError("storage_unavailable", `${reason}: nothing was changed; try again`);
}

/** The driver's message, without statement and parameters. */
export function causeText(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** drizzle wraps the driver's error in one whose message is the statement with its parameters. */
function causeOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
}
