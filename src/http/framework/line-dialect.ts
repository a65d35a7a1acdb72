// Dialect of InfluxDB's write API: bodies of any content type, gzip too, and errors in InfluxDB's own shape.
import { LineProblem } from "../../api/problem.ts";
import { type ErrorCode, invalid, type TorusError } from "../../core/errors.ts";
import { decodeLines } from "../../core/formats/marked-text.ts";
import { checkContentLength, readLinePieces, readUnpacked, type SizeLimit } from "./body.ts";
import type { Dialect } from "./dialect.ts";
import { type ProblemContext, statusOf } from "./errors.ts";

/** Header by which clients recognise the API. */
export const versionHeader = { "x-influxdb-version": "1.8-torus" };

export const lineDialect: Dialect = {
  problem: LineProblem,
  hasQueryCredentials: true,
  encoding: "gzip",
  checkBody: (request, { writeBytes }) => checkContentLength(request, limitOf(writeBytes)),
  parseBody: ({ body, headers }, { writeBytes }, take) => {
    const read = async (stream: ReadableStream<Uint8Array>) => {
      const texts: string[] = [];
      for await (const piece of readLinePieces(stream, limitOf(writeBytes), take)) {
        const text = decodeLines(piece, texts.length === 0);
        if (text === undefined) throw invalid("body", "must be UTF-8");
        texts.push(text);
      }
      return texts;
    };
    return body === null ? Promise.resolve([]) : readUnpacked({ body, headers }, read, "lines");
  },
  renderError: renderLineProblem,
};

/** The limit holds for the compressed size (by the content length) and for the size that is read. */
function limitOf(bytes: number): SizeLimit {
  return { bytes, setting: "server.limits.write_bytes" };
}

/** Codes of version 2; all others are answered as `internal error`. */
const codes: Partial<Record<ErrorCode, string>> = {
  invalid: "invalid",
  not_supported: "invalid",
  unauthorized: "unauthorized",
  forbidden: "forbidden",
  not_found: "not found",
  method_not_allowed: "method not allowed",
  too_large: "request too large",
  unsupported_media_type: "unsupported media type",
  too_many_requests: "too many requests",
  bucket_unavailable: "unavailable",
  bucket_damaged: "unavailable",
  overloaded: "unavailable",
};

/** `{"error"}` for version 1, `{"code", "message"}` for version 2. The text of a bug is left out. */
function renderLineProblem(error: TorusError, { path, challenge }: ProblemContext): Response {
  const text = error.code === "internal" ? "internal error" : error.message;
  const problem = path.startsWith("/api/v2/")
    ? { code: codes[error.code] ?? "internal error", message: text }
    : { error: text };
  const headers = new Headers({ "content-type": "application/json", ...versionHeader });
  const status = statusOf(error.code);
  if (status === 401) headers.set("www-authenticate", challenge);
  if (error.details.retry_after !== undefined) headers.set("retry-after", String(error.details.retry_after));
  if (typeof error.details.allow === "string") headers.set("allow", error.details.allow);
  if (error.code === "too_large") headers.set("connection", "close");
  return new Response(JSON.stringify(problem), { status, headers });
}
