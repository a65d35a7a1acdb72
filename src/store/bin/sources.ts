// Tables whose rows go to the bin, and the form that a row has there.
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  type binRows,
  buckets,
  calendars,
  deviations,
  fitSets,
  globalHooks,
  hooks,
  labels,
  live,
  models,
  scheduledJobs,
  scores,
  templates,
  versions,
} from "../db/schema.ts";

/** A row of any of the tables, by the names of its columns in the code. */
export type Row = Readonly<Record<string, unknown>>;

interface Source {
  readonly table: SQLiteTable;
  /** Column whose secrets are sealed. */
  readonly sealed?: string;
  /** Column of bytes. */
  readonly data?: string;
}

const sources = {
  buckets: { table: buckets, sealed: "settings" },
  calendars: { table: calendars, sealed: "settings" },
  deviations: { table: deviations },
  fitSets: { table: fitSets },
  globalHooks: { table: globalHooks, sealed: "config" },
  hooks: { table: hooks, sealed: "config" },
  labels: { table: labels },
  live: { table: live },
  models: { table: models },
  scheduledJobs: { table: scheduledJobs, sealed: "definition" },
  scores: { table: scores, data: "data" },
  templates: { table: templates },
  versions: { table: versions, data: "weights" },
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

/** The source of rows of the bin. */
export function sourceOf(name: SourceName): Source {
  return sources[name];
}

const byTable = new Map<string, string>(
  Object.entries(sources).map(([name, { table }]) => [getTableName(table), name]),
);

type StoredRow = Pick<typeof binRows.$inferSelect, "source" | "content" | "sealed" | "data">;

/** A row as the bin holds it. */
export function packRow(name: SourceName, row: Row): StoredRow {
  const { table, sealed, data }: Source = sources[name];
  const content = Object.fromEntries(Object.entries(row).filter(([key]) => key !== sealed && key !== data));
  return {
    source: getTableName(table),
    content,
    sealed: sealed === undefined ? {} : (row[sealed] as Row),
    data: data === undefined ? null : (row[data] as Buffer),
  };
}

/** The row again. @returns undefined for one of a table that this version does not know */
export function unpackRow(stored: StoredRow): { readonly name: SourceName; readonly row: Row } | undefined {
  const name = byTable.get(stored.source) as SourceName | undefined;
  if (!name) return undefined;
  const { sealed, data }: Source = sources[name];
  const row = {
    ...stored.content,
    ...(sealed !== undefined && { [sealed]: stored.sealed }),
    ...(data !== undefined && { [data]: stored.data }),
  };
  return { name, row };
}

/** Bytes of a row. */
export function sizeOfRow({ content, sealed, data }: StoredRow): number {
  return JSON.stringify(content).length + JSON.stringify(sealed).length + (data?.byteLength ?? 0);
}
