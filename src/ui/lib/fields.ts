// Fields of a bucket as a list: kinds, search by words, the metric and the tags that are proposed; pure.
import type { BucketContentView } from "../../api/bucket.ts";

type ExploredMeasurement = BucketContentView["measurements"][number];

export interface FieldRow {
  /** Null where the bucket has no measurements. */
  readonly measurement: string | null;
  readonly name: string;
  /** What the source says: `counter`, `gauge`, ... */
  readonly kind: string | undefined;
  readonly unit: string | undefined;
}

/** Names of counters, and of the parts of a distribution, by the convention of Prometheus. */
const counterName = /_(total|count|sum|bucket)$/;
/** Kinds whose fields may be counters. */
const countingKinds: ReadonlySet<string | undefined> = new Set([undefined, "histogram", "summary"]);
/** Tags whose values are the things that are watched. */
const hostTag =
  /^(host|hostname|instance|pod|node|server|machine|device|sensor|node_name|host_name|pod_name)$/i;

export function rowsOf(measurements: readonly ExploredMeasurement[]): readonly FieldRow[] {
  return measurements.flatMap(({ name: measurement, fields }) =>
    fields.map(({ name, kind, unit }) => ({ measurement, name, kind, unit })),
  );
}

/** Whether a field only rises, but for restarts: its points say little, their rate does. */
export function isCounter({ name, kind }: Pick<FieldRow, "name" | "kind">): boolean {
  return kind === "counter" || (countingKinds.has(kind) && counterName.test(name));
}

/** Values that rise and never fall, or fall back to the start now and then. */
export function isRising(values: readonly (number | null)[]): boolean {
  const known = values.filter((value) => value !== null);
  const resets = known.filter((value, i) => i > 0 && value < known[i - 1]!);
  const rises = known.filter((value, i) => i > 0 && value > known[i - 1]!).length;
  const isReset = resets.every((value) => value <= Math.max(...known) / 10);
  return rises > 10 && isReset && resets.length * 10 < rises && known.every((value) => value >= 0);
}

/**
 * Rows whose measurement and name contain each word, in any order: those with whole words first, then those with words
 * that begin so.
 */
export function searchFields(rows: readonly FieldRow[], text: string): readonly FieldRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(`${row.measurement ?? ""} ${row.name}`.toLowerCase(), words);
    return rank === undefined ? [] : [{ row, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}

/** 0: all are whole words, 2 per word within one; undefined: one is missing. */
function rankOf(name: string, words: readonly string[]): number | undefined {
  if (!words.every((word) => name.includes(word))) return undefined;
  const parts = name.split(/[^\p{L}\p{N}]+/u);
  const ranks = words.map((word) => {
    if (parts.some((part) => part === word || part.replace(/\d+$/, "") === word)) return 0;
    return parts.some((part) => part.startsWith(word)) ? 1 : 2;
  });
  return ranks.reduce((sum: number, rank) => sum + rank, 0);
}

/** The tags among those with several values that name the things watched. */
export function proposeGroup(tags: ExploredMeasurement["tags"]): readonly string[] {
  const [first] = tags.filter(({ name, values }) => hostTag.test(name) && values.length > 1);
  return first ? [first.name] : [];
}
