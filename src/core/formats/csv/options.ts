// Options of reading a CSV file, one set for commands and dashboard, and how messages name them.
import { isTimezone } from "../../time/timezone.ts";
import { refuse } from "./words/refusal.ts";

/** What happens to a second point of a series at one time. */
export const onDuplicates = ["error", "last", "first"] as const;
type OnDuplicate = (typeof onDuplicates)[number];

/** Decimal separators. */
export const decimals = [".", ","] as const;
/** Separators of thousands; empty: none. */
export const thousandsMarks = ["", ".", ",", "'", " "] as const;

/** Names of the options in messages: labels of the page, or options of commands. */
export type FlagNames = Readonly<
  Record<
    | "time"
    | "format"
    | "timezone"
    | "columns"
    | "tags"
    | "header"
    | "delimiter"
    | "decimal"
    | "thousands"
    | "missing"
    | "skip"
    | "duplicate",
    string
  >
>;

export interface CsvOptions {
  /** Current time, ms; numbers far from it are no times. */
  readonly nowAt: number;
  /** A column, or several that are joined: `Date+Time`. Absent: chosen by content. */
  readonly timeColumn?: string | undefined;
  readonly timeFormat?: string | undefined;
  /** IANA name of the zone of times without an offset; absent: UTC. */
  readonly timezone?: string | undefined;
  /** Whether it is that of the reader, and not one named for the file. */
  readonly isAssumedZone?: boolean;
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
  readonly flags: FlagNames;
}

/** @throws TorusError `invalid` naming the option */
export function checkOptions({ timezone, decimal, thousands, skipLines, flags }: CsvOptions): void {
  if (timezone !== undefined && !isTimezone(timezone)) throw refuse(flags.timezone, "timezone");
  if (decimal !== undefined && !(decimals as readonly string[]).includes(decimal))
    throw refuse(flags.decimal, "decimalMark");
  if (thousands !== undefined && !(thousandsMarks as readonly string[]).includes(thousands))
    throw refuse(flags.thousands, "thousandsMark");
  if (thousands && thousands === (decimal ?? (thousands === "." ? "," : ".")))
    throw refuse(flags.thousands, "sameMark", flags.decimal);
  if (!/^\d{1,15}$/.test(`${skipLines ?? 0}`)) throw refuse(flags.skip, "lines");
}
