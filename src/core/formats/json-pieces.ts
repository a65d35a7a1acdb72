// JSON text in pieces: large values are written, kept and sent without ever being one string.

/** Entries of an array that are written in one go. */
const SLICE = 2048;
/** Characters of a piece; the last one may be shorter, and one with a long entry longer. */
const PIECE = 256 * 1024;

/** A part of a value whose JSON is read piece by piece while it is sent. */
export class JsonText {
  /** @param open begins to read it; it may be called several times */
  constructor(readonly open: () => AsyncIterable<string>) {}
}

/** An array of objects too large to be held as one text; some values in them are `JsonText`. */
export class JsonStream {
  constructor(
    readonly entries: readonly object[],
    /** About how long its JSON is. */
    readonly bytes: number,
  ) {}
}

/** The text of `JSON.stringify(value)` in pieces of some 256 kB; null for undefined. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = "";
  for (const token of tokensOf(value)) {
    piece += token;
    if (piece.length < PIECE) continue;
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
  for (let at = 0; at < list.length; at += SLICE)
    yield `${at > 0 ? "," : ""}${JSON.stringify(list.slice(at, at + SLICE)).slice(1, -1)}`;
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

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The JSON of a stream, in pieces as they are read. */
export async function* streamPieces({ entries }: JsonStream): AsyncGenerator<string> {
  let piece = "[";
  for (const [index, entry] of entries.entries()) {
    if (index > 0) piece += ",";
    for (const token of streamedTokens(entry)) {
      if (typeof token === "string") piece += token;
      else
        for await (const text of token.open()) {
          piece += text;
          if (piece.length < PIECE) continue;
          yield piece;
          piece = "";
        }
    }
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
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
