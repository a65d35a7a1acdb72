// Line protocol parser: `measurement,tag=value field=1,other="text" <time>`, one point per line. Pure.

import { isUtf8, shown } from "../../core/formats/marked-text.ts";
import type { Point } from "../../core/series/query.ts";
import { type LineOptions, LineReader } from "./reader.ts";

export type { LineOptions } from "./reader.ts";
export { MAX_INSTANT, type Precision, precisions } from "./value.ts";

interface LineError {
  /** The line as sent, truncated. */
  readonly line: string;
  readonly reason: string;
}

/** Refused lines. */
export interface Refusals {
  /** The first malformed lines. */
  readonly errors: readonly LineError[];
  /** Number of malformed lines. */
  readonly refused: number;
}

export interface ParsedLines extends Refusals {
  /** Points by measurement, in the order of their lines. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

/** Maximum number of errors reported. */
const MAX_ERRORS = 10;
const MAX_SHOWN = 200;

/** Size of a part; the line that exceeds it is its last. */
export interface PartSize {
  /** Values of fields. */
  readonly values: number;
  readonly characters: number;
}

/** Parses a whole body; malformed lines do not affect the others. */
export function parseLines(text: string, options: LineOptions): ParsedLines {
  const size = { values: Infinity, characters: Infinity };
  return parsePart(new LineReader(text, options), { text, isClean: isUtf8(text) }, size);
}

/**
 * Parses a body lazily in parts of bounded size; blank lines and comments count.
 * @param texts pieces of the body, of whole lines; taken out one by one, so that memory becomes free
 * @param sizeNext called before each part
 */
export function* parseParts(
  texts: string[],
  options: LineOptions,
  sizeNext: () => PartSize,
): Generator<ParsedLines> {
  for (let rest = ""; texts.length > 0; ) {
    let text = rest + texts.shift();
    // A quote that stays open is read again from its start: twice as much each time, so that the work is linear.
    while (texts.length > 0 && text.length < 2 * rest.length) text += texts.shift();
    const reader = new LineReader(text, options, texts.length > 0);
    const body = { text, isClean: isUtf8(text) };
    while (reader.position < text.length) yield parsePart(reader, body, sizeNext());
    rest = reader.isCut ? text.slice(reader.start) : "";
  }
}

interface Body {
  readonly text: string;
  /** Whether all lines are UTF-8. */
  readonly isClean: boolean;
}

function parsePart(reader: LineReader, { text, isClean }: Body, size: PartSize): ParsedLines {
  const points = new Map<string, Point[]>();
  const errors: LineError[] = [];
  const end = Math.min(reader.position + size.characters, text.length);
  let [refused, values] = [0, 0];
  while (values < size.values && reader.findLine(end)) {
    const { start } = reader;
    const read = reader.readPoint();
    if (reader.isCut) break;
    values++;
    if (typeof read === "string") reader.skipLine(start);
    const isBroken = !isClean && !isUtf8(text.slice(start, reader.position));
    if (typeof read !== "string" && !isBroken) {
      values += read.width - 1;
      const list = points.get(read.measurement);
      if (list) list.push(read.point);
      else points.set(read.measurement, [read.point]);
      continue;
    }
    refused++;
    if (errors.length >= MAX_ERRORS) continue;
    const line = shown(text.slice(start, reader.position).trimEnd().slice(0, MAX_SHOWN));
    errors.push({ line, reason: typeof read === "string" && !isBroken ? read : "must be UTF-8" });
  }
  return { points, errors, refused };
}

/** Merges the errors of both, in the order of their lines. */
export function joinRefusals(earlier: Refusals, later: Refusals): Refusals {
  const errors = [...earlier.errors, ...later.errors].slice(0, MAX_ERRORS);
  return { errors, refused: earlier.refused + later.refused };
}
