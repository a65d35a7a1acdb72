// Dialect of Prometheus's HTTP API: forms as bodies, and errors in Prometheus's own shape.
import { type PrometheusErrorType, PrometheusProblem } from "../../api/protocols/prometheus.ts";
import { type ErrorCode, TorusError } from "../../core/errors.ts";
import { checkContentLength, readText, type SizeLimit } from "./body.ts";
import type { Dialect } from "./dialect.ts";
import { type ProblemContext, problemHeaders, statusOf } from "./errors.ts";

export const prometheusDialect: Dialect = {
  folder: "/prometheus/",
  problem: PrometheusProblem,
  hasQueryCredentials: false,
  checkBody: (request, { bodyBytes }) => {
    checkContentType(request);
    checkContentLength(request, limitOf(bodyBytes));
  },
  parseBody: ({ body }, { bodyBytes }, take) =>
    body === null ? Promise.resolve("") : readText(body, limitOf(bodyBytes), take),
  renderError: renderPrometheusProblem,
};

function limitOf(bytes: number): SizeLimit {
  return { bytes, setting: "server.limits.body_bytes" };
}

function checkContentType({ headers }: Request): void {
  const type = (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" || encoding !== "identity")
    throw new TorusError(
      "unsupported_media_type",
      "send the parameters in the query, or as an uncompressed body with content-type: application/x-www-form-urlencoded",
    );
}

/** Other codes are `internal`, or `bad_data` below 500. */
const types: Partial<Record<ErrorCode, PrometheusErrorType>> = {
  unauthorized: "unauthorized",
  forbidden: "forbidden",
  not_found: "not_found",
  canceled: "canceled",
  deadline: "timeout",
  overloaded: "unavailable",
  bucket_unavailable: "unavailable",
  bucket_damaged: "unavailable",
  bucket_auth: "unavailable",
  bucket_rejected: "unavailable",
  interrupted: "unavailable",
};

/** 400 for what is malformed, 422 for what cannot be evaluated, 503 for what may be tried again. */
function renderPrometheusProblem(error: TorusError, context: ProblemContext): Response {
  const { code, details } = error;
  const isExecution = details.error_type === "execution";
  const status = isExecution ? 422 : code === "deadline" || code === "canceled" ? 503 : statusOf(code);
  const errorType = isExecution ? "execution" : (types[code] ?? (status < 500 ? "bad_data" : "internal"));
  const text = code === "internal" ? "internal error" : error.message;
  const headers = problemHeaders(error, context, "application/json");
  const body = JSON.stringify({ status: "error", errorType, error: text });
  return new Response(context.method === "HEAD" ? null : body, { status, headers });
}
