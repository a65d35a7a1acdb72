// What every request passes before a route sees it: path, content type, size and depth.
import { invalid, TorusError } from "../../core/errors.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { checkLineLength, isLinePath } from "./line-body.ts";
import type { RequestInfo } from "./request-context.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of line protocol, unpacked. */
  readonly writeBytes: number;
  readonly bodyDepth: number;
  /** Of all bodies under way. */
  readonly bodiesInFlightBytes: number;
}

const methodsWithBody = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Refuses what no route could make sense of; reads the parameters all routes share.
 * @throws TorusError `invalid`, `unsupported_media_type`, `too_large`
 */
export function checkRequest(request: Request, info: RequestInfo, limits: BodyLimits): void {
  checkPath(info.path);
  info.pretty = readPretty(request.url);
  if (!methodsWithBody.includes(info.method)) return;
  const length = readLength(request);
  if (length === 0 || request.body === null) return;
  if (isLinePath(info.path)) {
    checkLineLength(request, limits.writeBytes);
    return;
  }
  checkContentType(request);
  if (length !== undefined && length > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
}

/** Over TLS the framework takes a host of one or two letters for a part of the path. @throws TorusError `invalid` */
export function checkHost(url: string): void {
  if (url.indexOf("/", "https://".length) < "https://abc".length)
    throw invalid("host", "must have three letters at least, or a port behind it");
}

function checkPath(path: string): void {
  if (/%(2f|5c|00)/i.test(path) || path.includes("\\"))
    throw invalid("path", "must not hold an encoded slash, a backslash or NUL");
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw invalid("path", "must be UTF-8 in percent-encoding");
  }
}

function readPretty(url: string): boolean {
  const query = url.indexOf("?");
  if (query < 0 || !url.includes("pretty", query)) return false;
  return parseBoolean(new URLSearchParams(url.slice(query + 1)).get("pretty") ?? false, "pretty");
}

function readLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length === null ? undefined : Number(length);
}

function checkContentType({ headers }: Request): void {
  const type = (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/json" && !/^application\/[\w.!#$&^-]+\+json$/.test(type))
    throw new TorusError(
      "unsupported_media_type",
      "send the body as JSON, with content-type: application/json",
    );
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding !== "identity")
    throw new TorusError("unsupported_media_type", "send the body uncompressed, without content-encoding");
}

/** The error for a body beyond `server.limits.body_bytes`. */
export function tooLarge(limit: number): TorusError {
  return new TorusError("too_large", `the body is larger than ${limit} bytes (server.limits.body_bytes)`, {
    limit,
  });
}
