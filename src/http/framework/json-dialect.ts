// Dialect of our own routes: JSON bodies, checked for depth and parsed in parts to keep the event loop free.
import { invalid, TorusError } from "../../core/errors.ts";
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

/** Characters of one part of a list, about. */
const PART_CHARACTERS = 128 * 1024;
/** More entries than any route takes in a list. */
const MAX_ENTRIES = 1_000_000;

type Yield = () => Promise<void> | undefined;

export const jsonDialect: Dialect = {
  hasQueryCredentials: false,
  checkBody: (request, { bodyBytes }) => {
    checkContentType(request);
    checkContentLength(request, limitOf(bodyBytes));
  },
  parseBody,
  renderError: renderProblem,
};

function limitOf(bytes: number): SizeLimit {
  return { bytes, setting: "server.limits.body_bytes" };
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

/**
 * @returns null where there is no body
 * @throws TorusError `invalid`, `too_large`, `overloaded`
 */
export async function parseBody(
  { body }: Request,
  { bodyBytes, bodyDepth }: Pick<BodyLimits, "bodyBytes" | "bodyDepth">,
  take: TakeBytes,
): Promise<unknown> {
  const text = body === null ? "" : await readText(body, limitOf(bodyBytes), take);
  return parseText(text, bodyDepth);
}

/** @returns null for an empty text @throws TorusError `invalid` */
export async function parseText(text: string, bodyDepth: number): Promise<unknown> {
  if (text.trim() === "") return null;
  const yieldToOthers = createBodyYielder();
  const cuts = await findCuts(text, bodyDepth, yieldToOthers);
  return cuts ? parseParts(text, cuts, yieldToOthers) : parseJson(text);
}

/**
 * Checks the depth of brackets outside of strings before anything recursive sees them.
 * @returns positions of commas between which a long list is parsed; undefined for other texts
 */
async function findCuts(
  text: string,
  limit: number,
  yieldToOthers: Yield,
): Promise<readonly number[] | undefined> {
  const isList = text.length > PART_CHARACTERS && /^\s*\[/.test(text.slice(0, 1024));
  const cuts: number[] = [];
  let [depth, entries, lastCut] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    if (i % PART_CHARACTERS === PART_CHARACTERS - 1) await yieldToOthers();
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > limit) throw invalid("body", `must not be nested deeper than ${limit} levels`);
    } else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x2c && depth === 1 && isList) {
      if (++entries >= MAX_ENTRIES) throw invalid("body", `must be a list of at most ${MAX_ENTRIES} entries`);
      if (i - lastCut < PART_CHARACTERS) continue;
      cuts.push(i);
      lastCut = i;
    }
  }
  return isList ? cuts : undefined;
}

/** Parses each part as a list; invalid JSON has at least one part that is not a list. */
async function parseParts(text: string, cuts: readonly number[], yieldToOthers: Yield): Promise<unknown[]> {
  const entries: unknown[] = [];
  let from = 0;
  for (const to of [...cuts, text.length]) {
    const part = `${from === 0 ? "" : "["}${text.slice(from, to)}${to === text.length ? "" : "]"}`;
    const parsed = parseJson(part);
    if (!Array.isArray(parsed) || (parsed.length === 0 && cuts.length > 0)) throw notJson();
    for (const entry of parsed) entries.push(entry);
    from = to + 1;
    await yieldToOthers();
  }
  return entries;
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
