// TorusError, the only error class shown to users, and the closed list of its codes.

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
  "calendar_in_use",
  "last_admin",
  "not_trained",
  "not_supported",
  "no_data",
  "too_little_data",
  "training_active",
  "job_stopped",
  "precondition_failed",
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
  "bucket_damaged",
  "overloaded",
  "deadline",
  "storage_full",
  "storage_unavailable",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One invalid field. */
export interface FieldError {
  /** For example `features.0.metric`. */
  readonly path: string;
  /** The rule and the remedy, without the path. */
  readonly message: string;
}

/** Facts beside the message: `path` names the invalid field, other keys are merged into the answer. */
export interface ErrorDetails {
  readonly path?: string;
  /** Every invalid field that a schema check found, the one of `path` first. */
  readonly errors?: readonly FieldError[];
  readonly [key: string]: string | number | boolean | readonly object[] | undefined;
}

/**
 * An error a user can act on. The message names the problem, the rule and the remedy, and never contains a submitted
 * secret. Any other thrown value is a bug and becomes `internal`.
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

/** An `invalid` error (400) that names the field (`features.0.metric`), the rule and the remedy. */
export function invalid(path: string, message: string): TorusError {
  return new TorusError("invalid", path ? `${path}: ${message}` : message, path ? { path } : {});
}

/** The invalid fields of an error; without a list, the one its message names. */
export function fieldErrorsOf({
  message,
  details: { path = "", errors },
}: TorusError): readonly FieldError[] {
  const plain = path && message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
  return errors ?? [{ path, message: plain }];
}

/** Prefixes the paths of errors with their place in a larger document. */
export function placeErrors(errors: readonly FieldError[], place: string): FieldError[] {
  return errors.map(({ path, message }) => ({ path: path ? `${place}.${path}` : place, message }));
}

/** One line per invalid field, the message of the error first. */
export function linesOf({ message, details: { errors = [] } }: TorusError): string[] {
  return [message, ...errors.slice(1).map((error) => `${error.path}: ${error.message}`)];
}

/** Reduces any thrown value to a code and a message that may be shown; the text of a bug stays in the log. */
export function describeError(error: unknown): { code: ErrorCode; message: string } {
  if (error instanceof TorusError) return { code: error.code, message: error.message };
  return { code: "internal", message: "internal error; the log has the details" };
}

/** @throws TorusError the signal's reason if it is a TorusError, else `deadline` or `canceled` */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const { reason } = signal;
  if (reason instanceof TorusError) throw reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    throw new TorusError("deadline", "this took too long; ask for a shorter range or a longer interval");
  throw new TorusError("canceled", "the request was canceled");
}
