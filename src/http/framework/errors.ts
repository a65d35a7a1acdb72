// Error codes to HTTP statuses, and errors to problem details (RFC 9457), as `application/json` unless asked otherwise.
import { STATUS_CODES } from "node:http";
import { ParseError, ValidationError } from "elysia";
import { type ErrorCode, type ErrorDetails, TorusError } from "../../core/errors.ts";
import { accepts } from "../columns/accept.ts";
import { stringify } from "./answer.ts";

/** Old clients retry on 502, 503 and 504: client errors must not map to these. */
const statuses = {
  invalid: 400,
  not_trained: 400,
  not_supported: 400,
  too_little_data: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  no_data: 404,
  method_not_allowed: 405,
  already_exists: 409,
  bucket_in_use: 409,
  calendar_in_use: 409,
  last_admin: 409,
  training_active: 409,
  job_stopped: 409,
  canceled: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  too_many_requests: 429,
  internal: 500,
  worker_crashed: 500,
  weights_corrupt: 500,
  bucket_rejected: 502,
  bucket_auth: 502,
  interrupted: 503,
  bucket_unavailable: 503,
  bucket_damaged: 503,
  storage_unavailable: 503,
  overloaded: 503,
  deadline: 504,
  storage_full: 507,
} as const satisfies Record<ErrorCode, number>;

/** Media type of problem details. */
export const PROBLEM_TYPE = "application/problem+json";
const RETRY_AFTER_S = 5;
const retryLater: readonly ErrorCode[] = [
  "overloaded",
  "too_many_requests",
  "interrupted",
  "storage_unavailable",
];

export interface ProblemContext {
  readonly requestId: string;
  /** Without the query. */
  readonly path: string;
  readonly pretty: boolean;
  readonly method: string;
  /** Of the request. */
  readonly headers: Headers;
  /** Whether part of the body has not been read. */
  readonly unread: boolean;
  /** `WWW-Authenticate` of a 401. */
  readonly challenge: string;
}

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return statuses[code];
}

/** The answer to an error. `internal` is a bug: its text goes to the log only, the client gets the request id. */
export function renderProblem(error: TorusError, context: ProblemContext): Response {
  const { requestId, pretty, method } = context;
  const status = statusOf(error.code);
  const bug = error.code === "internal";
  const detail = bug ? "internal error; the log has the details under this request id" : error.message;
  const { allow: _, ...details }: ErrorDetails = bug ? { request_id: requestId } : error.details;
  const problem = {
    ...details,
    type: "about:blank",
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail,
    error: detail,
    code: error.code,
  };
  // Clients of Loud ML read an answer by its type, and know no other than these.
  const type = accepts(context.headers.get("accept"), PROBLEM_TYPE) ? PROBLEM_TYPE : "application/json";
  const headers = problemHeaders(error, context, type);
  return new Response(method === "HEAD" ? null : stringify(problem, pretty), { status, headers });
}

/** Headers of the answer to an error. */
export function problemHeaders(
  { code, details }: TorusError,
  { unread, challenge }: Pick<ProblemContext, "unread" | "challenge">,
  contentType: string,
): Headers {
  const headers = new Headers({ "content-type": contentType });
  if (statusOf(code) === 401) headers.set("www-authenticate", challenge);
  if (code !== "internal" && typeof details.allow === "string") headers.set("allow", details.allow);
  // The rest of the body would keep the connection busy, and a stopping server waiting.
  if (unread || code === "too_large") headers.set("connection", "close");
  if (retryLater.includes(code)) headers.set("retry-after", String(details.retry_after ?? RETRY_AFTER_S));
  return headers;
}

/**
 * Maps an error of the framework to one of ours; undefined where it is a bug.
 * The framework's messages are not used: some contain input of the client.
 */
export function toTorusError(error: unknown): TorusError | undefined {
  if (error instanceof TorusError) return error;
  if (error instanceof ParseError) {
    const { cause } = error;
    return cause instanceof TorusError
      ? cause
      : new TorusError("invalid", "body: must be JSON", { path: "body" });
  }
  return error instanceof ValidationError ? toInvalid(error) : undefined;
}

function toInvalid({ type, valueError }: ValidationError): TorusError | undefined {
  // An answer that does not match its schema is a bug.
  if (type === "response") return undefined;
  const path = valueError?.path.slice(1).replaceAll("/", ".") || type;
  return new TorusError("invalid", `${path}: is not as documented`, { path });
}
