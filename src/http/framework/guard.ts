// Guard of every request before routing: path, `pretty`, headers of the body.
import { invalid } from "../../core/errors.ts";
import { parseBoolean } from "../../core/input/value.ts";
import type { BodyLimits } from "./body.ts";
import type { RequestInfo } from "./request-context.ts";

const methodsWithBody = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Checks path and body headers, and reads the parameter of all routes.
 * @throws TorusError `invalid`, `unsupported_media_type`, `too_large`
 */
export function checkRequest(request: Request, info: RequestInfo, limits: BodyLimits): void {
  checkPath(info.path);
  info.pretty = readPretty(request.url);
  if (!methodsWithBody.includes(info.method)) return;
  const isEmpty = Number(request.headers.get("content-length") ?? Number.NaN) === 0;
  if (request.body !== null && !isEmpty) info.dialect.checkBody(request, limits);
}

/** Tags of a series are text, in which any character may be: names are not. */
const beforeSeries = /^\/models\/[^/]+\/series\/(?=[^/]+\/?$)/;

function checkPath(path: string): void {
  const names = beforeSeries.exec(path)?.[0] ?? path;
  if (/%(2f|5c)/i.test(names) || path.includes("\\") || path.includes("%00"))
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
