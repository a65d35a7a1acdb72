// What requests with line protocol bring and are answered: bodies of any type, gzip too, and errors in InfluxDB's own form.
import { type ErrorCode, invalid, TorusError as Refusal, type TorusError } from "../../core/errors.ts";
import { createPacer } from "../../resources/pace.ts";
import { statusOf } from "./errors.ts";

/** Paths of InfluxDB's write API, and of what its clients ask for besides. */
const linePath = /^\/(?:write|query|ping|api\/v2\/write)\/?$/;

/** Whether a path is part of InfluxDB's API and not of ours. */
export function isLinePath(path: string): boolean {
  return linePath.test(path);
}

/**
 * Reads the body as text, unpacked where it is gzip.
 * @param limit largest size, packed and unpacked, in bytes
 * @param take counts bytes that are held, before they are kept
 * @throws TorusError `invalid`, `too_large`, `unsupported_media_type`, what `take` throws
 */
export async function readLineBody(
  { body, headers }: Request,
  limit: number,
  take: (bytes: number) => void,
): Promise<string> {
  if (body === null) return "";
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding !== "identity" && encoding !== "gzip")
    throw new Refusal("unsupported_media_type", "send lines as they are, or with content-encoding: gzip");
  const isPacked = encoding === "gzip";
  try {
    const unpacked = isPacked ? body.pipeThrough(new DecompressionStream("gzip")) : body;
    return await readText(unpacked, limit, take);
  } catch (error) {
    if (error instanceof Refusal || !isPacked) throw error;
    throw invalid("body", "is damaged gzip");
  }
}

async function readText(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  take: (bytes: number) => void,
): Promise<string> {
  const pace = createPacer(new AbortController().signal);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    take(chunk.byteLength);
    chunks.push(chunk);
    await pace();
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalid("body", "must be UTF-8");
  }
}

/** @throws TorusError `too_large` where the length that was announced says so */
export function checkLineLength({ headers }: Request, limit: number): void {
  if (Number(headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
}

function tooLarge(limit: number): TorusError {
  return new Refusal("too_large", `the body is larger than ${limit} bytes (server.limits.write_bytes)`, {
    limit,
  });
}

/** Codes of version 2; every other is an internal error to its clients. */
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
  overloaded: "unavailable",
};

/** `{"error"}` for version 1, `{"code", "message"}` for version 2. A bug keeps its text to itself. */
export function renderLineProblem(
  error: TorusError,
  { path, challenge }: { readonly path: string; readonly challenge: string },
): Response {
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

/** Clients look at the version to know the dialect. */
export const versionHeader = { "x-influxdb-version": "1.8-torus" };
