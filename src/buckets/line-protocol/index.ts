// InfluxDB line protocol to points: `measurement,tag=value field=1,other="text" <time>`, a point per line. Pure.
import type { Point } from "../kind.ts";
import { type LineOptions, LineReader } from "./reader.ts";

export type { LineOptions } from "./reader.ts";
export { type Precision, precisions } from "./value.ts";

export interface LineError {
  /** The line as it was sent, cut to a sane length. */
  readonly line: string;
  readonly reason: string;
}

export interface ParsedLines {
  /** Points by measurement, in the order of their lines. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
  /** The first lines that are no points. */
  readonly errors: readonly LineError[];
  /** Number of lines that are no points. */
  readonly refused: number;
}

/** Errors that are told. */
const MAX_ERRORS = 10;
const MAX_SHOWN = 200;

/** Parses a whole body: what is a point is a point, whatever the other lines are. */
export function parseLines(text: string, options: LineOptions): ParsedLines {
  const points = new Map<string, Point[]>();
  const errors: LineError[] = [];
  const reader = new LineReader(text, options);
  let refused = 0;
  while (reader.findLine()) {
    const { start } = reader;
    const read = reader.readPoint();
    if (typeof read !== "string") {
      const list = points.get(read.measurement);
      if (list) list.push(read.point);
      else points.set(read.measurement, [read.point]);
      continue;
    }
    reader.skipLine(start);
    refused++;
    if (errors.length < MAX_ERRORS)
      errors.push({ line: text.slice(start, reader.position).trimEnd().slice(0, MAX_SHOWN), reason: read });
  }
  return { points, errors, refused };
}
