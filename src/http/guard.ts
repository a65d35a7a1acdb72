// What every request passes before a route sees it: path, content type, size and depth.
import { invalid, TorusError } from "../core/errors.ts";
import { parseBoolean } from "../core/value.ts";
import { checkLineLength, isLinePath } from "./line-body.ts";
import type { RequestInfo } from "./request-info.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of line protocol, unpacked. */
  readonly writeBytes: number;
  readonly bodyDepth: number;
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

function tooLarge(limit: number): TorusError {
  return new TorusError("too_large", `the body is larger than ${limit} bytes (server.limits.body_bytes)`, {
    limit,
  });
}

/**
 * Reads a JSON body.
 * @returns null where there is none: an undefined would make the framework read it a second time
 * @throws TorusError `invalid`, `too_large`
 */
export async function parseBody(request: Request, limits: BodyLimits): Promise<unknown> {
  const bytes = await readBytes(request, limits.bodyBytes);
  const text = decode(bytes);
  if (text.trim() === "") return null;
  checkDepth(text, limits.bodyDepth);
  return parseJson(text);
}

/** Counts what arrives, so that a body without a content length cannot grow without end. */
async function readBytes({ body }: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("body", "must be UTF-8");
  }
}

/** Depth of brackets outside of strings, before the parser or anything recursive sees them. */
function checkDepth(text: string, limit: number): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > limit) throw invalid("body", `must not be nested deeper than ${limit} levels`);
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
}

function parseJson(text: string): unknown {
  // The key can also be written with escapes; a reviver is slow, so it runs only where one may be needed.
  const suspicious = text.includes("__proto__") || text.includes("\\u");
  try {
    return suspicious ? JSON.parse(text, refuseProto) : JSON.parse(text);
  } catch (error) {
    if (error instanceof TorusError) throw error;
    throw invalid("body", "must be valid JSON");
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === "__proto__") throw invalid("body", "must not hold a key named __proto__");
  return value;
}
