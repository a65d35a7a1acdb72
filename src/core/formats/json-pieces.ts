// Chunked JSON serialisation: large values are never held as one string.

/** Array entries serialised at once. */
const ENTRIES_AT_ONCE = 2048;
/** Characters from which on a text of a list is serialised alone. */
const LONG_TEXT = 4096;
/** Characters of a chunk; the last one may be shorter, one with a long entry longer. */
const CHUNK_LENGTH = 256 * 1024;

/** Part of a value whose JSON is read in chunks while it is sent. */
export class JsonText {
  /** @param open starts to read it; may be called several times */
  constructor(readonly open: () => AsyncIterable<string>) {}
}

/** An array of objects too large for one string; some of their values are `JsonText`. */
export class JsonStream {
  constructor(
    readonly entries: readonly object[],
    /** Approximate length of its JSON. */
    readonly bytes: number,
  ) {}
}

/** A long array of objects that are made while it is sent, some at a time. */
export class JsonPages {
  constructor(readonly pages: AsyncIterable<readonly object[]>) {}
}

interface PiecesOptions {
  /** Whether the keys of all objects are in the order of `sortKeys`; default: as they are. */
  readonly isSorted?: boolean;
}

/** The text of `JSON.stringify(value)` in chunks of about 256 kB; null for undefined. */
export function* jsonPieces(value: unknown, { isSorted = false }: PiecesOptions = {}): Generator<string> {
  let piece = "";
  for (const token of tokensOf(value, isSorted)) {
    piece += token;
    if (piece.length < CHUNK_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* tokensOf(value: unknown, isSorted: boolean): Generator<string> {
  if (Array.isArray(value)) yield* tokensOfArray(value, isSorted);
  else if (isPlain(value)) yield* tokensOfObject(value, isSorted);
  else yield JSON.stringify(value) ?? "null";
}

function* tokensOfArray(list: readonly unknown[], isSorted: boolean): Generator<string> {
  yield "[";
  for (let at = 0; at < list.length; ) {
    if (at > 0) yield ",";
    const to = endOfRun(list, at, isSorted);
    if (to > at) yield JSON.stringify(list.slice(at, to)).slice(1, -1);
    else yield* tokensOf(list[at], isSorted);
    at = Math.max(to, at + 1);
  }
  yield "]";
}

/** Where the entries end that are serialised at once: none before one whose keys are to be in order. */
function endOfRun(list: readonly unknown[], at: number, isSorted: boolean): number {
  const most = at + (isLongText(list[at]) ? 1 : ENTRIES_AT_ONCE);
  if (!isSorted) return most;
  let to = at;
  while (to < Math.min(most, list.length) && !isObject(list[to])) to++;
  return to;
}

function* tokensOfObject(object: object, isSorted: boolean): Generator<string> {
  const entries = isSorted ? sortedEntries(object) : Object.entries(object);
  let before = "{";
  for (const [key, inner] of entries) {
    if (inner === undefined || typeof inner === "function") continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* tokensOf(inner, isSorted);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

/** Whether a text in a list is a chunk by itself. */
export function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.length > LONG_TEXT;
}

/** In the order of the keys that `sortKeys` gives: numbers come first. */
function sortedEntries(object: object): [string, unknown][] {
  const sorted = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.entries(Object.fromEntries(sorted));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPlain(value: unknown): value is object {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** The JSON of a stream, in chunks as they are read. */
export async function* streamPieces({ entries }: JsonStream): AsyncGenerator<string> {
  let piece = "[";
  for (const [index, entry] of entries.entries()) {
    if (index > 0) piece += ",";
    for (const token of streamedTokens(entry)) {
      if (typeof token === "string") piece += token;
      else
        for await (const text of token.open()) {
          piece += text;
          if (piece.length < CHUNK_LENGTH) continue;
          yield piece;
          piece = "";
        }
    }
    if (piece.length < CHUNK_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
}

/** The JSON of the pages as one array, in a chunk per page. */
export async function* pagePieces({ pages }: JsonPages): AsyncGenerator<string> {
  let before = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + JSON.stringify(page).slice(1, -1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* streamedTokens(entry: object): Generator<string | JsonText> {
  if (!Object.values(entry).some((value) => value instanceof JsonText)) {
    yield JSON.stringify(entry);
    return;
  }
  let before = "{";
  for (const [key, value] of Object.entries(entry)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield value instanceof JsonText ? value : JSON.stringify(value);
    before = ",";
  }
  yield "}";
}
