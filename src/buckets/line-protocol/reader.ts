// Forward scanner of line protocol, one point at a time.
import { MAX_FIELDS } from "../../core/series/names.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";
import { findFieldName, findHead, findText, type Head } from "./head.ts";
import { type Precision, parseScalar, readDecimal, readInstant } from "./value.ts";

export interface LineOptions {
  readonly precision: Precision;
  /** Time of lines without one, ms since the epoch. */
  readonly nowAt: number;
}

const MAX_TEXT = 65_536;
/** The limit of InfluxDB for a series key. */
const MAX_HEAD = 65_535;
/** Of a line; characters. */
const MAX_LINE = 4 * 1024 * 1024;
/** Of the name of a field with its escapes, and of a number; no longer one is any good. */
const MAX_SCALAR = 2048;

const [TAB, LF, CR, SPACE, QUOTE, HASH, COMMA, EQUALS, BACKSLASH] = [9, 10, 13, 32, 34, 35, 44, 61, 92];

/** Methods that return a text report a mistake. */
export class LineReader {
  position = 0;
  start = 0;
  /** Whether the last line goes on behind the text: a quote is open at its end. */
  isCut = false;
  #mistake = "";
  /** Fields of the line so far. */
  #width = 0;

  constructor(
    private readonly text: string,
    private readonly options: LineOptions,
    /** Whether more lines follow behind the text. */
    private readonly hasMore = false,
  ) {}

  /** Moves to the next line before `end` that is neither empty nor a comment; false at the end. */
  findLine(end: number): boolean {
    for (; this.position < end; this.position++) {
      const char = this.text.charCodeAt(this.position);
      if (char === SPACE || char === TAB || char === LF || char === CR || char === 0) continue;
      this.start = this.position;
      if (char !== HASH) return true;
      this.skipLine(this.position);
    }
    return false;
  }

  /** Moves behind the line that holds `from`; to the line feed, so that a quote left open takes one line only. */
  skipLine(from: number): void {
    const end = this.text.indexOf("\n", from);
    this.position = end < 0 ? this.text.length : end;
  }

  /** @returns a point and the number of its fields, or an error message */
  readPoint(): { readonly measurement: string; readonly point: Point; readonly width: number } | string {
    const head = this.#readHead();
    if (typeof head === "string") return head;
    this.#skipSpaces();
    const fields = this.#readFields();
    if (typeof fields === "string") return fields;
    this.#skipSpaces();
    const at = this.#readTime();
    if (at === undefined) return this.#mistake;
    const point = { at, fields, tags: head.tags };
    return { measurement: head.measurement, point, width: this.#width };
  }

  #readHead(): Head | string {
    const end = this.#findEnd(this.position, SPACE);
    if (end - this.position > MAX_HEAD) return "measurement and tags too long";
    const raw = this.text.slice(this.position, end);
    this.position = end;
    return findHead(raw);
  }

  /** Index of the next unescaped `stop`, or of the end of the line. */
  #findEnd(from: number, stop: number): number {
    const { text } = this;
    const last = Math.min(text.length, from + MAX_HEAD + 1);
    for (let i = from; i < last; i++) {
      const char = text.charCodeAt(i);
      if (char === LF) return i;
      if (char === stop && text.charCodeAt(i - 1) !== BACKSLASH) return i;
    }
    return last;
  }

  #skipSpaces(): void {
    while (this.text.charCodeAt(this.position) === SPACE) this.position++;
  }

  #readFields(): Record<string, FieldValue> | string {
    const fields: Record<string, FieldValue> = {};
    if (this.#atEnd()) return "missing fields";
    for (this.#width = 1; ; this.#width++) {
      if (this.#width > MAX_FIELDS) return `too many fields; a line has at most ${MAX_FIELDS}`;
      if (this.position - this.start > MAX_LINE) return "line too long";
      const name = this.#readFieldName();
      if (name === undefined) return this.#mistake;
      const value = this.text.charCodeAt(this.position) === QUOTE ? this.#readText() : this.#readScalar();
      if (value === undefined) return this.#mistake;
      fields[name] = value;
      if (this.text.charCodeAt(this.position) === COMMA) this.position++;
      else if (this.#atEnd() || this.text.charCodeAt(this.position) === SPACE) return fields;
      else return "invalid field format";
    }
  }

  #atEnd(): boolean {
    const char = this.text.charCodeAt(this.position);
    if (char === CR)
      return this.position + 1 >= this.text.length || this.text.charCodeAt(this.position + 1) === LF;
    return this.position >= this.text.length || char === LF;
  }

  /** Leaves the position after the equals sign. */
  #readFieldName(): string | undefined {
    const { text, position } = this;
    const last = Math.min(text.length, position + MAX_SCALAR);
    for (let i = position; i < last; i++) {
      const char = text.charCodeAt(i);
      if (char === LF) break;
      if (text.charCodeAt(i - 1) === BACKSLASH) continue;
      if (char === SPACE || char === COMMA) break;
      if (char !== EQUALS) continue;
      this.position = i + 1;
      const { name, mistake } = findFieldName(text.slice(position, i));
      return mistake === undefined ? name : this.#fail(mistake);
    }
    return this.#fail("invalid field format");
  }

  #readText(): string | undefined {
    const { text } = this;
    const from = this.position + 1;
    let escaped = false;
    for (let i = from; i < text.length; i++) {
      const char = text.charCodeAt(i);
      if (i - from > MAX_TEXT) return this.#fail("text too long");
      if (char === BACKSLASH && isTextEscape(text.charCodeAt(i + 1))) {
        escaped = true;
        i++;
      } else if (char === QUOTE) {
        this.position = i + 1;
        const raw = text.slice(from, i);
        return findText(escaped ? raw.replace(/\\(["\\])/g, "$1") : raw);
      }
    }
    this.isCut = this.hasMore;
    if (this.isCut) this.position = text.length;
    return this.#fail("unbalanced quotes");
  }

  #readScalar(): FieldValue | undefined {
    const { text, position } = this;
    let end = position;
    const last = Math.min(text.length, position + MAX_SCALAR);
    for (; end < last; end++) {
      const char = text.charCodeAt(end);
      if (char === COMMA || char === SPACE || char === LF || char === CR) break;
    }
    this.position = end;
    const value = readDecimal(text, position, end) ?? parseScalar(text.slice(position, end));
    if (typeof value === "string") return this.#fail(value);
    return value;
  }

  /** ms since the epoch, rounded down. */
  #readTime(): number | undefined {
    const { text, position } = this;
    const { precision, nowAt } = this.options;
    if (this.#atEnd()) return nowAt;
    let end = position;
    while (end < text.length && end - position < MAX_SCALAR && !isBlank(text.charCodeAt(end))) end++;
    this.position = end;
    const at = readInstant(text, { from: position, to: end }, precision);
    if (at === "malformed") return this.#fail("bad timestamp");
    this.#skipSpaces();
    if (!this.#atEnd()) return this.#fail("point is invalid");
    return at === "outside" ? this.#fail("time outside range") : at;
  }

  #fail(reason: string): undefined {
    this.#mistake = reason;
    return undefined;
  }
}

function isBlank(char: number): boolean {
  return char === SPACE || char === LF || char === CR;
}

function isTextEscape(char: number): boolean {
  return char === QUOTE || char === BACKSLASH;
}
