// Options of reading a CSV file, one set for commands and dashboard, and how messages name them.
import { invalid, type TorusError } from "../../errors.ts";
import { checkTimezone } from "../../time/timezone.ts";

/** What happens to a second point of a series at one time. */
export const onDuplicates = ["error", "last", "first"] as const;
type OnDuplicate = (typeof onDuplicates)[number];

/** Decimal separators. */
export const decimals = [".", ","] as const;
/** Separators of thousands; empty: none. */
export const thousandsMarks = ["", ".", ",", "'", " "] as const;

/** Names of the options in messages. */
const flagNames = {
  time: "--time-column",
  format: "--time-format",
  timezone: "--timezone",
  columns: "--columns",
  tags: "--tag-columns",
  header: "--header",
  delimiter: "--delimiter",
  decimal: "--decimal",
  thousands: "--thousands",
  missing: "--missing",
  skip: "--skip-lines",
  duplicate: "--on-duplicate",
};
export type FlagNames = typeof flagNames;

export interface CsvOptions {
  /** Current time, ms; numbers far from it are no times. */
  readonly nowAt: number;
  /** A column, or several that are joined: `Date+Time`. Absent: chosen by content. */
  readonly timeColumn?: string | undefined;
  readonly timeFormat?: string | undefined;
  /** IANA name of the zone of times without an offset; absent: UTC. */
  readonly timezone?: string | undefined;
  /** Columns that become fields; absent: all numeric ones other than time and tags. */
  readonly columns?: readonly string[] | undefined;
  /** Columns that become tags; absent: columns of text that tell apart rows of one time. */
  readonly tagColumns?: readonly string[] | undefined;
  /** Names of the columns of a file without a header. */
  readonly header?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  /** `.` or `,`. */
  readonly decimal?: string | undefined;
  /** `.`, `,`, `'` or a blank; empty: none. */
  readonly thousands?: string | undefined;
  /** Words for a missing value, beside the usual ones; a line whose time is one of them is left out. */
  readonly missing?: readonly string[] | undefined;
  /** Lines before the header. */
  readonly skipLines?: number | undefined;
  /** `keep`: both, for averages. */
  readonly onDuplicate?: OnDuplicate | "keep" | undefined;
  /** Names of the options, where they have others. */
  readonly flags?: Partial<FlagNames> | undefined;
}

/** @throws TorusError `invalid` naming the option */
export function checkOptions({ timezone, decimal, thousands, skipLines, ...options }: CsvOptions): FlagNames {
  const flags = { ...flagNames, ...options.flags };
  if (timezone !== undefined) checkTimezone(timezone, flags.timezone);
  if (decimal !== undefined && !decimals.some((mark) => mark === decimal))
    throw invalid(flags.decimal, "must be . or ,");
  if (thousands !== undefined && !thousandsMarks.some((mark) => mark === thousands))
    throw invalid(flags.thousands, "must be . or , or ' or a blank, or empty for none");
  if (thousands && thousands === (decimal ?? (thousands === "." ? "," : ".")))
    throw invalid(flags.thousands, `must differ from ${flags.decimal}`);
  if (skipLines !== undefined && !(Number.isSafeInteger(skipLines) && skipLines >= 0))
    throw invalid(flags.skip, "must be a whole number, at least 0");
  return flags;
}

const MAX_SHOWN = 40;

/** A cell in a message. */
export function quote(cell: string): string {
  const line = cell.replace(/\s+/g, " ");
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}...` : line}"`;
}

/** An error of one line. */
export function malformed({ line }: { readonly line: number }, rule: string): TorusError {
  return invalid(`line ${line}`, rule);
}
