// Dialect of OTLP over HTTP: metrics in protocol buffers or JSON, gzip too; errors as `google.rpc.Status` in the same one.
// Specification: https://opentelemetry.io/docs/specs/otlp/#otlphttp
import { OtlpStatus } from "../../api/protocols/otlp.ts";
import { TorusError } from "../../core/errors.ts";
import { writeProtobuf } from "../../core/formats/protobuf-writer.ts";
import type { PartialSuccess } from "../../resources/receivers/otlp/index.ts";
import {
  type BodyLimits,
  checkContentLength,
  readBytes,
  readText,
  readUnpacked,
  type SizeLimit,
  type TakeBytes,
} from "./body.ts";
import type { Dialect } from "./dialect.ts";
import { type ProblemContext, problemHeaders, statusOf } from "./errors.ts";
import { limitsOfPoints, parseText } from "./json-dialect.ts";

const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";

export const otlpDialect: Dialect = {
  problem: OtlpStatus,
  hasQueryCredentials: false,
  encoding: "gzip",
  checkBody,
  parseBody: (request, limits, take) =>
    mediaTypeOf(request.headers) === JSON_TYPE
      ? parseJson(request, limits, take)
      : parseProtobuf(request, limits, take),
  renderError: renderStatus,
};

async function parseProtobuf(
  { body, headers }: Request,
  { writeBytes }: BodyLimits,
  take: TakeBytes,
): Promise<unknown> {
  const limit: SizeLimit = { bytes: writeBytes, setting: "server.limits.write_bytes" };
  const read = (stream: ReadableStream<Uint8Array>) => readBytes(stream, limit, take);
  // A request without a metric is an empty message.
  return body === null ? new Uint8Array(0) : readUnpacked({ body, headers }, read, "metrics");
}

async function parseJson({ body, headers }: Request, limits: BodyLimits, take: TakeBytes): Promise<unknown> {
  const limit: SizeLimit = { bytes: limits.bodyBytes, setting: "server.limits.body_bytes" };
  const read = (stream: ReadableStream<Uint8Array>) => readText(stream, limit, take);
  return body === null
    ? null
    : parseText(await readUnpacked({ body, headers }, read, "metrics"), limitsOfPoints(limits));
}

/** The answer to a request that was stored, in its own encoding. */
export function renderSuccess({ headers }: Request, { rejected, message }: PartialSuccess): Response {
  const type = mediaTypeOf(headers);
  const isWhole = rejected === 0 && message === "";
  if (type === JSON_TYPE) {
    // Numbers of 64 bits are texts in JSON.
    const partial = { rejectedDataPoints: String(rejected), errorMessage: message };
    return answer(type, isWhole ? "{}" : JSON.stringify({ partialSuccess: partial }));
  }
  const partial = writeProtobuf([
    [1, rejected],
    [2, message],
  ]);
  return answer(type, isWhole ? new Uint8Array(0) : writeProtobuf([[1, partial]]));
}

function answer(type: string, body: string | Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { "content-type": type } });
}

function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

function checkBody(request: Request, limits: BodyLimits): void {
  const type = mediaTypeOf(request.headers);
  if (type !== PROTOBUF && type !== JSON_TYPE)
    throw new TorusError(
      "unsupported_media_type",
      `send metrics with content-type: ${PROTOBUF} or ${JSON_TYPE}`,
    );
  const isJson = type === JSON_TYPE;
  const bytes = isJson ? limits.bodyBytes : limits.writeBytes;
  checkContentLength(request, { bytes, setting: `server.limits.${isJson ? "body" : "write"}_bytes` });
}

/** Exporters repeat a request after 429, 502, 503 and 504 alone: failures that pass are one of them. */
function repeatedStatus(status: number): number {
  return status > 500 && status !== 502 && status !== 504 ? 503 : status;
}

/** In the encoding of the request. */
function renderStatus(error: TorusError, context: ProblemContext): Response {
  const type = mediaTypeOf(context.headers) === JSON_TYPE ? JSON_TYPE : PROTOBUF;
  const text = error.code === "internal" ? "internal error" : error.message;
  const body = type === JSON_TYPE ? JSON.stringify({ message: text }) : writeProtobuf([[2, text]]);
  return new Response(context.method === "HEAD" ? null : body, {
    status: repeatedStatus(statusOf(error.code)),
    headers: problemHeaders(error, context, type),
  });
}
