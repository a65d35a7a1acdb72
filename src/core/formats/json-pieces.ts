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

/** The text of `JSON.stringify(value)` in chunks of about 256 kB; null for undefined. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = "";
  for (const token of tokensOf(value)) {
    piece += token;
    if (piece.length < CHUNK_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function* tokensOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* tokensOfArray(value);
  else if (isPlain(value)) yield* tokensOfObject(value);
  else yield JSON.stringify(value) ?? "null";
}

function* tokensOfArray(list: readonly unknown[]): Generator<string> {
  yield "[";
  for (let at = 0; at < list.length; ) {
    const to = at + (isLongText(list[at]) ? 1 : ENTRIES_AT_ONCE);
    yield `${at > 0 ? "," : ""}${JSON.stringify(list.slice(at, to)).slice(1, -1)}`;
    at = to;
  }
  yield "]";
}

function* tokensOfObject(object: object): Generator<string> {
  let before = "{";
  for (const [key, inner] of Object.entries(object)) {
    if (inner === undefined || typeof inner === "function") continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* tokensOf(inner);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

/** Whether a text in a list is a chunk by itself. */
export function isLongText(value: unknown): boolean {
  return typeof value === "string" && value.length > LONG_TEXT;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
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
