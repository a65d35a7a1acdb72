// Dialect of our own routes: bodies in JSON, checked for depth and parsed in parts to keep the event loop free, or in YAML.
import { invalid, TorusError } from "../../core/errors.ts";
import { PART_CHARACTERS, parseInParts } from "../../core/formats/json-parts.ts";
import { readYaml } from "../../core/formats/yaml.ts";
import { type Cap, CapError, type Caps } from "../../runtime/work-budget.ts";
import {
  type BodyLimits,
  checkContentLength,
  createBodyYielder,
  readText,
  type SizeLimit,
  type TakeBytes,
} from "./body.ts";
import type { Dialect } from "./dialect.ts";
import { renderProblem } from "./errors.ts";

/** Bytes of a body of points for each value that it may hold: shorter values are none that a client sends. */
const BYTES_PER_VALUE = 8;
/** What a body may hold that is not of points; of those, too, `keys`. */
export const jsonCaps = {
  values: { most: 50_000, verb: "has", noun: "values", advice: "send it in several requests" },
  /** Of one object: a point has fewer, and each new name costs. */
  keys: { most: 20_000, verb: "has an object of", noun: "keys", advice: "make it a list" },
} as const satisfies Caps<string>;
/** Types of YAML: the registered one of RFC 9512, and those in use before it. */
const yamlTypes: ReadonlySet<string> = new Set([
  "application/yaml",
  "application/x-yaml",
  "text/yaml",
  "text/x-yaml",
]);
/** Settings that people keep in files. The parser takes some 15 ms of the event loop for a kB of its worst input. */
const yamlLimit: SizeLimit = { bytes: 16_384, setting: "of YAML: send it as JSON" };
/** Paths that take points, or a trained model. */
const pointsPath = /^\/(?:mcp|(?:.*\/)?_(?:write|detect|predict|import))\/?$/;

interface JsonLimits {
  readonly depth: number;
  /** Entries of lists and objects, and empty ones. */
  readonly values: Cap;
}

/** Limits of a body of points. */
export function limitsOfPoints({
  bodyBytes,
  bodyDepth,
}: Pick<BodyLimits, "bodyBytes" | "bodyDepth">): JsonLimits {
  const most = Math.floor(bodyBytes / BYTES_PER_VALUE);
  const advice = `send it in several requests, or raise server.limits.body_bytes, of which each ${BYTES_PER_VALUE} allow one`;
  return { depth: bodyDepth, values: { most, verb: "has", noun: "values", advice } };
}

type Yield = () => Promise<void> | undefined;

export const jsonDialect: Dialect = {
  hasQueryCredentials: false,
  checkBody: (request, { bodyBytes }) => {
    checkContentType(request);
    checkContentLength(request, limitOf(request, bodyBytes));
  },
  parseBody: (request, limits, take) => {
    const isPoints = pointsPath.test(new URL(request.url).pathname);
    const own = isPoints ? limitsOfPoints(limits) : { depth: limits.bodyDepth, values: jsonCaps.values };
    return parseBody(request, { bytes: limits.bodyBytes, ...own }, take);
  },
  renderError: renderProblem,
};

function limitOf(request: Request, bytes: number): SizeLimit {
  if (yamlTypes.has(typeOf(request)) && bytes > yamlLimit.bytes) return yamlLimit;
  return { bytes, setting: "server.limits.body_bytes" };
}

function typeOf({ headers }: Request): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

function checkContentType(request: Request): void {
  const type = typeOf(request);
  if (type !== "application/json" && !/^application\/[\w.!#$&^-]+\+json$/.test(type) && !yamlTypes.has(type))
    throw new TorusError(
      "unsupported_media_type",
      "send the body as JSON, with content-type: application/json, or as YAML, with application/yaml",
    );
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding !== "identity")
    throw new TorusError("unsupported_media_type", "send the body uncompressed, without content-encoding");
}

/**
 * @returns null where there is no body
 * @throws TorusError `invalid`, `too_large`, `overloaded`
 */
export async function parseBody(
  request: Request,
  { bytes, ...limits }: JsonLimits & { readonly bytes: number },
  take: TakeBytes,
): Promise<unknown> {
  if (request.body === null) return null;
  const text = await readText(request.body, limitOf(request, bytes), take);
  return parseText(yamlTypes.has(typeOf(request)) ? jsonOfYaml(text) : text, limits);
}

/** @returns null for an empty text @throws TorusError `invalid` */
export async function parseText(text: string, limits: JsonLimits): Promise<unknown> {
  if (text.trim() === "") return null;
  const pause = createBodyYielder();
  await checkLimits(text, limits, pause);
  if (text.length <= PART_CHARACTERS) return parseJson(text);
  return parseInParts(text, { parsePart: parseJson, notJson, pause });
}

/** Checks depth and number of values outside of strings before anything is made of them. */
async function checkLimits(
  text: string,
  { depth: limit, values: cap }: JsonLimits,
  pause: Yield,
): Promise<void> {
  let [depth, values] = [0, 0];
  let inString = false;
  // By depth: entries of the object that is open there; of a list far below zero.
  const keys = new Float64Array(limit + 2);
  for (let i = 0; i < text.length; i++) {
    if (i % PART_CHARACTERS === PART_CHARACTERS - 1) await pause();
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++values > cap.most) throw new CapError("values", cap);
      if (++depth > limit) throw invalid("body", `must not be nested deeper than ${limit} levels`);
      keys[depth] = char === 0x7b ? 1 : -Infinity;
    } else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x2c) {
      if (++values > cap.most) throw new CapError("values", cap);
      if (depth > 0 && ++keys[depth]! > jsonCaps.keys.most) throw new CapError("keys", jsonCaps.keys);
    }
  }
}

function parseJson(text: string): unknown {
  // The key can also be written with escapes. A reviver is slow: it runs only where the key may occur.
  const suspicious = text.includes("__proto__") || text.includes("\\u");
  try {
    return suspicious ? JSON.parse(text, refuseProto) : JSON.parse(text);
  } catch (error) {
    if (error instanceof TorusError) throw error;
    throw notJson();
  }
}

function notJson(): TorusError {
  return invalid("body", "must be valid JSON");
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === "__proto__") throw invalid("body", "must not hold a key named __proto__");
  return value;
}

/** Writes YAML, or JSON, as JSON. @throws TorusError `invalid` naming line and column */
function jsonOfYaml(text: string): string {
  const read = readYaml(text);
  if ("value" in read) return JSON.stringify(read.value, refuseInfinite) ?? "";
  const { line, column, reason } = read.mistake;
  throw invalid(
    "body",
    `is not valid YAML: ${line === undefined ? "" : `line ${line}, column ${column}: `}${reason}`,
  );
}

/** JSON would hold null in its place. */
function refuseInfinite(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalid("body", `must hold finite numbers: ${key} is ${value}`);
  return value;
}
