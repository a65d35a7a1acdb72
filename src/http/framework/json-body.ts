// JSON bodies: read up to a limit, checked for depth, and parsed in parts, so that none holds the event loop for long.
import { invalid, TorusError } from "../../core/errors.ts";
import { createPacer } from "../../resources/pace.ts";
import { type BodyLimits, tooLarge } from "./guard.ts";

/** A list is parsed in parts of about so many characters. */
const PART_CHARACTERS = 128 * 1024;
/** Entries of a list: more than any route takes. */
const MAX_ENTRIES = 1_000_000;

type Pace = () => Promise<void> | undefined;

/**
 * Reads a JSON body.
 * @param take counts bytes that are held, before they are kept
 * @returns null where there is none: an undefined would make the framework read it a second time
 * @throws TorusError `invalid`, `too_large`, what `take` throws
 */
export async function parseBody(
  request: Request,
  limits: Pick<BodyLimits, "bodyBytes" | "bodyDepth">,
  take: (bytes: number) => void,
): Promise<unknown> {
  const text = decode(await readBytes(request, limits.bodyBytes, take));
  if (text.trim() === "") return null;
  const pace = createPacer(new AbortController().signal);
  const parts = await scan(text, limits.bodyDepth, pace);
  return parts ? parseParts(text, parts, pace) : parseJson(text);
}

/** Counts what arrives, so that a body without a content length cannot grow without end. */
async function readBytes(
  { body }: Request,
  limit: number,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      take(chunk.byteLength);
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

/**
 * Depth of brackets outside of strings, before the parser or anything recursive sees them.
 * @returns places of commas at which a long list may be cut; undefined for what is short, or is no list
 */
async function scan(text: string, limit: number, pace: Pace): Promise<readonly number[] | undefined> {
  const isList = text.length > PART_CHARACTERS && /^\s*\[/.test(text.slice(0, 1024));
  const cuts: number[] = [];
  let [depth, entries, lastCut] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    if (i % PART_CHARACTERS === PART_CHARACTERS - 1) await pace();
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

/** Each part is a list of its own; what is no JSON as a whole has a part that is none. */
async function parseParts(text: string, cuts: readonly number[], pace: Pace): Promise<unknown[]> {
  const entries: unknown[] = [];
  let from = 0;
  for (const to of [...cuts, text.length]) {
    const part = `${from === 0 ? "" : "["}${text.slice(from, to)}${to === text.length ? "" : "]"}`;
    const parsed = parseJson(part);
    if (!Array.isArray(parsed) || (parsed.length === 0 && cuts.length > 0)) throw notJson();
    for (const entry of parsed) entries.push(entry);
    from = to + 1;
    await pace();
  }
  return entries;
}

function parseJson(text: string): unknown {
  // The key can also be written with escapes; a reviver is slow, so it runs only where one may be needed.
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
