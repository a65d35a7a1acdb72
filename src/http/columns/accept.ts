// Content negotiation (RFC 9110, section 12.5.1): columns are answered to clients that name their media type.

/** Answers in columns. */
export type TableFormat = "csv" | "arrow";

export const tableTypes = {
  csv: "text/csv",
  arrow: "application/vnd.apache.arrow.stream",
} as const satisfies Record<TableFormat, string>;

const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** Ranges that match JSON, the most specific one first. */
const jsonRanges = ["application/json", "application/*", "*/*"] as const;

interface Candidate {
  readonly format: TableFormat | undefined;
  readonly q: number;
  /** Position in the header; of the same weight, the first one wins. */
  readonly at: number;
}

/**
 * The format of columns that a client prefers to JSON. Without an `Accept`, to wildcards alone, and where it names
 * neither of them the answer stays JSON: clients of JSON send all kinds of headers.
 * @returns undefined for JSON
 */
export function preferredTable(accept: string | null): TableFormat | undefined {
  if (accept === null) return undefined;
  const ranges = accept.split(",").map(parseRange);
  const named = ranges.map(({ type, q }, at): Candidate => ({ format: formatOf(type), q, at }));
  const tables = named.filter(({ format, q }) => format && q > 0);
  const candidates = [...tables, jsonCandidate(ranges)];
  return candidates.sort((a, b) => b.q - a.q || a.at - b.at)[0]!.format;
}

/** Whether a client names a media type. */
export function accepts(accept: string | null, type: string): boolean {
  return accept?.split(",").some((text) => parseRange(text).type === type && parseRange(text).q > 0) ?? false;
}

/** JSON, with the weight of the most specific range that matches it. */
function jsonCandidate(ranges: readonly MediaRange[]): Candidate {
  for (const match of jsonRanges) {
    const at = ranges.findIndex(({ type }) => type === match);
    if (at < 0) continue;
    return { format: undefined, q: ranges[at]!.q, at: match === jsonRanges[0] ? at : ranges.length };
  }
  return { format: undefined, q: 0, at: ranges.length };
}

interface MediaRange {
  readonly type: string;
  readonly q: number;
}

/** A malformed weight counts as 0. */
function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return { type, q: weight.test(q) ? Number(q) : 0 };
}

function formatOf(type: string): TableFormat | undefined {
  if (type === tableTypes.csv) return "csv";
  return type === tableTypes.arrow ? "arrow" : undefined;
}
