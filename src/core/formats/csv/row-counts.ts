// Counts of the rows of a CSV file by what became of them.

export interface RowCounts {
  /** Points that are stored: without those that another one of the same time replaces. */
  points: number;
  /** Rows without a value. */
  empty: number;
  /** Rows whose time is a missing word. */
  untimed: number;
  /** Rows of totals and averages. */
  totals: number;
  /** Rows that begin with #. */
  comments: number;
  /** Rows of text below the last point. */
  footnotes: number;
  /** Points whose time another one of the series has, too. */
  duplicates: number;
  /** Whether some times have an offset, and others are of the zone that was given. */
  isMixed: boolean;
  /** Whether some times have no offset. */
  isLocal: boolean;
  /** Missing words in cells, beside the empty ones. */
  readonly missing: Map<string, number>;
  /** Names of fields that a column gives, in a long table. */
  readonly quantities: Set<string>;
  /** Seconds since the epoch. */
  first: number | undefined;
  last: number | undefined;
}

/** Those of a file of which nothing was read yet. */
export function noRows(): RowCounts {
  const counts = { points: 0, empty: 0, untimed: 0, totals: 0, comments: 0, footnotes: 0, duplicates: 0 };
  const none = { first: undefined, last: undefined };
  return { ...counts, ...none, isMixed: false, isLocal: false, missing: new Map(), quantities: new Set() };
}
