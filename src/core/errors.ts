// The one error class of the service and the closed list of its codes.

/** Stable, snake_case codes clients may rely on. `http/framework/errors.ts` gives each one its status. */
export const errorCodes = [
  "invalid",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "misdirected",
  "already_exists",
  "bucket_in_use",
  "last_admin",
  "not_trained",
  "not_supported",
  "no_data",
  "too_little_data",
  "training_active",
  "job_stopped",
  "canceled",
  "interrupted",
  "worker_crashed",
  "weights_corrupt",
  "too_large",
  "unsupported_media_type",
  "too_many_requests",
  "internal",
  "bucket_rejected",
  "bucket_auth",
  "bucket_unavailable",
  "overloaded",
  "deadline",
  "storage_full",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One field that breaks a rule. */
export interface FieldError {
  /** As in `features.0.metric`. */
  readonly path: string;
  /** The rule and the way out, without the path. */
  readonly message: string;
}

/** Facts beside the message: `path` names the offending field, the rest is merged into the answer. */
export interface ErrorDetails {
  readonly path?: string;
  /** Of an `invalid` found by a schema: every field that breaks a rule, the one of `path` first. */
  readonly errors?: readonly FieldError[];
  readonly [key: string]: string | number | boolean | readonly object[] | undefined;
}

/**
 * An error a user can act on. The message says what is wrong, the rule and the way out,
 * and never holds a submitted secret. Anything else that is thrown is a bug and becomes `internal`.
 */
export class TorusError extends Error {
  override readonly name = "TorusError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** A 400 that names the field (`features.0.metric`), the rule and the way out. */
export function invalid(path: string, message: string): TorusError {
  return new TorusError("invalid", path ? `${path}: ${message}` : message, path ? { path } : {});
}

/** The fields that an `invalid` names; one where it names no more. */
export function fieldErrorsOf({
  message,
  details: { path = "", errors },
}: TorusError): readonly FieldError[] {
  const plain = path && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  return errors ?? [{ path, message: plain }];
}

/** The same errors within a larger document. */
export function placeErrors(errors: readonly FieldError[], place: string): FieldError[] {
  return errors.map(({ path, message }) => ({ path: path ? `${place}.${path}` : place, message }));
}

/** One line per field, the message of the error first. */
export function linesOf({ message, details: { errors = [] } }: TorusError): string[] {
  return [message, ...errors.slice(1).map((error) => `${error.path}: ${error.message}`)];
}

/** Reduces anything thrown to a code and a message that may be shown; bugs keep their text to themselves. */
export function describeError(error: unknown): { code: ErrorCode; message: string } {
  if (error instanceof TorusError) return { code: error.code, message: error.message };
  return { code: "internal", message: "internal error; the log has the details" };
}
