// Errors of the client: problem details (RFC 9457) of the server, and requests without an answer.
import { errorCodes } from "./facts.ts";

/** `connection`: there was no whole answer; `other`: an answer without a code that this version knows. */
export type ErrorCode = (typeof errorCodes)[number] | "connection" | "other";

/** What a server says of a problem; further keys depend on the code. */
export interface ProblemDetails {
  readonly code?: string;
  readonly detail?: string;
  /** Place in the request, for example `features.0.metric`. */
  readonly path?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly [key: string]: unknown;
}

/** A request that failed. The message is the server's: the problem, the rule and the remedy. */
export class TorusError extends Error {
  override readonly name = "TorusError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Of the answer; 0 without one. */
    readonly status: number,
    readonly problem: ProblemDetails = {},
  ) {
    super(message);
  }

  /** Place of the first invalid field, for example `features.0.metric`. */
  get field(): string | undefined {
    return this.problem.path;
  }
}

/** The error of an answer; one of another protocol has a text alone. */
export function toError(status: number, text: string): TorusError {
  const problem = parseProblem(text);
  const code = errorCodes.find((known) => known === problem.code) ?? "other";
  return new TorusError(code, problem.detail ?? `status ${status}: ${text.slice(0, 500)}`, status, problem);
}

function parseProblem(text: string): ProblemDetails {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as ProblemDetails)
      : {};
  } catch {
    return {};
  }
}
