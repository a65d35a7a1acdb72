// Errors of PromQL, of the two types that Prometheus's API names.

/** `bad_data`: the query is malformed or unsupported; `execution`: the series it selects do not allow it. */
type PromqlErrorType = "bad_data" | "execution";

/** The only error that parsing throws, and evaluation unless a source fails. */
export class PromqlError extends Error {
  override readonly name = "PromqlError";

  constructor(
    readonly type: PromqlErrorType,
    message: string,
  ) {
    super(message);
  }
}

/** @param at offset in the query, in characters */
export function badData(message: string, at?: number): PromqlError {
  return new PromqlError(
    "bad_data",
    at === undefined ? message : `parse error at char ${at + 1}: ${message}`,
  );
}

export function executionError(message: string): PromqlError {
  return new PromqlError("execution", message);
}
