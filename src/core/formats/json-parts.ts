// JSON text parsed in parts with pauses for others, the same as by `JSON.parse`: long lists and objects, at any depth.

/** Characters of one part, about. */
export const PART_CHARACTERS = 128 * 1024;

/** Parts that an object is long from: to put its entries into another takes longer than to parse them. */
const OBJECT_PARTS = 4;

/** Parses the text of one part. @throws for a text that is no JSON */
type ParsePart = (text: string) => unknown;

interface PartsOptions {
  readonly parsePart: ParsePart;
  /** The error of a text that is no JSON. */
  readonly notJson: () => Error;
  readonly pause: () => Promise<void> | undefined;
  /** Default: `PART_CHARACTERS`. */
  readonly characters?: number;
}

/** A list or object that is open. */
interface Frame {
  isList: boolean;
  /** Position of its bracket. */
  start: number;
  /** Where the text begins that is not parsed yet. */
  from: number;
  /** Last comma behind `from`; -1 where there is none. */
  comma: number;
  /** Its entries so far; undefined where it is parsed with what it lies in. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Key of the long entry that is open, in an object. */
  key: string;
  /** Whether a long entry has just ended, so that a comma or the end must follow. */
  isAfterLong: boolean;
}

const whitespace = /^[ \t\n\r]*$/;
const keyText = /^[ \t\n\r]*(".*")[ \t\n\r]*:[ \t\n\r]*$/s;

/** @throws what `parsePart` throws for a part, the error of `notJson` */
export async function parseInParts(text: string, options: PartsOptions): Promise<unknown> {
  const { characters = PART_CHARACTERS, pause } = options;
  const parts = new Parts(text, options, characters);
  let pauseAt = characters;
  for (let i = 0; i < text.length; i++) {
    if (i >= pauseAt) {
      pauseAt = i + characters;
      await pause();
    }
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfText(text, i);
    else if (char === 0x5b || char === 0x7b) parts.open(i, char === 0x5b);
    else if (char === 0x2c) parts.separate(i);
    else if (char === 0x5d || char === 0x7d) parts.close(i, char === 0x5d);
  }
  return parts.end();
}

/** Position of the quote that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

class Parts {
  /** By depth; those beyond `#depth` are used again. */
  readonly #frames: Frame[] = [];
  #depth = 0;
  #root: { readonly value: unknown; readonly end: number } | undefined;

  constructor(
    private readonly text: string,
    private readonly options: PartsOptions,
    private readonly characters: number,
  ) {}

  open(at: number, isList: boolean): void {
    if (this.#root) throw this.options.notJson();
    const fresh = {
      isList,
      start: at,
      from: at + 1,
      comma: -1,
      value: undefined,
      key: "",
      isAfterLong: false,
    };
    const frame = this.#frames[this.#depth];
    if (frame) Object.assign(frame, fresh);
    else this.#frames.push(fresh);
    this.#depth++;
  }

  separate(at: number): void {
    const frame = this.#frames[this.#depth - 1];
    if (this.#depth === 0 || !frame) throw this.options.notJson();
    if (frame.isAfterLong) this.#expectNothing(frame.from, at);
    else if (at - frame.from >= (frame.isList ? 1 : OBJECT_PARTS) * this.characters)
      this.#take(this.#split(this.#depth - 1), at);
    else {
      frame.comma = at;
      return;
    }
    frame.from = at + 1;
    frame.comma = -1;
    frame.isAfterLong = false;
  }

  close(at: number, isList: boolean): void {
    if (this.#depth === 0) throw this.options.notJson();
    const frame = this.#frames[--this.#depth]!;
    if (frame.value === undefined) return;
    if (frame.isList !== isList) throw this.options.notJson();
    if (frame.isAfterLong) this.#expectNothing(frame.from, at);
    else this.#take(frame, at);
    const outer = this.#frames[this.#depth - 1];
    if (this.#depth === 0 || !outer) this.#root = { value: frame.value, end: at + 1 };
    else this.#add(outer, frame.value, at + 1);
  }

  /** The whole value. */
  end(): unknown {
    if (!this.#root) {
      if (this.#frames[0]?.value !== undefined) throw this.options.notJson();
      return this.options.parsePart(this.text);
    }
    this.#expectNothing(0, this.#frames[0]!.start);
    this.#expectNothing(this.#root.end, this.text.length);
    return this.#root.value;
  }

  /** Begins to parse a frame by itself, and those that it lies in. */
  #split(depth: number): Frame {
    const frame = this.#frames[depth]!;
    if (frame.value !== undefined) return frame;
    if (depth > 0) this.#leave(this.#split(depth - 1), frame.start);
    frame.value = frame.isList ? [] : {};
    return frame;
  }

  /** Takes what stands before a long entry, and its key. */
  #leave(frame: Frame, start: number): void {
    if (frame.isAfterLong) throw this.options.notJson();
    if (frame.comma >= 0) {
      this.#take(frame, frame.comma);
      frame.from = frame.comma + 1;
    }
    if (frame.isList) this.#expectNothing(frame.from, start);
    else frame.key = this.#keyBetween(frame.from, start);
  }

  #keyBetween(from: number, to: number): string {
    const [, key] = keyText.exec(this.text.slice(from, to)) ?? [];
    if (key === undefined) throw this.options.notJson();
    const [name] = Object.keys(this.options.parsePart(`{${key}:0}`) as object);
    return name!;
  }

  #add(frame: Frame, value: unknown, end: number): void {
    if (Array.isArray(frame.value)) frame.value.push(value);
    else setEntry(frame.value!, frame.key, value);
    frame.from = end;
    frame.comma = -1;
    frame.isAfterLong = true;
  }

  /** Parses the entries up to a position. */
  #take(frame: Frame, to: number): void {
    const entries = this.text.slice(frame.from, to);
    if (whitespace.test(entries)) throw this.options.notJson();
    const parsed = this.options.parsePart(frame.isList ? `[${entries}]` : `{${entries}}`);
    if (Array.isArray(frame.value)) for (const entry of parsed as unknown[]) frame.value.push(entry);
    else if (!Object.hasOwn(parsed as object, "__proto__")) Object.assign(frame.value!, parsed);
    else for (const [key, entry] of Object.entries(parsed as object)) setEntry(frame.value!, key, entry);
  }

  #expectNothing(from: number, to: number): void {
    if (!whitespace.test(this.text.slice(from, to))) throw this.options.notJson();
  }
}

/** As `JSON.parse` does, for which __proto__ is a key like others. */
function setEntry(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
