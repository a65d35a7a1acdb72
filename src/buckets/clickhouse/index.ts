// Kind `clickhouse`: one table of a ClickHouse, over its HTTP interface.
import { invalid, throwIfAborted } from "../../core/errors.ts";
import type { Point, ReadQuery } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { readQueries } from "../shared/query.ts";
import { clearTable } from "./clear.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { checkSelection, createLanguage } from "./query.ts";
import { openSource } from "./read.ts";
import { type ClickhouseSettings, destination, secrets, settings, toClientOptions } from "./settings.ts";
import { quoteName } from "./statement.ts";
import { Store } from "./store.ts";

const ROWS_PER_INSERT = 50_000;

export const clickhouse: BucketKind<typeof settings> = {
  kind: "clickhouse",
  description:
    "ClickHouse: one table, whose columns are the fields and tags; measurements are ignored. All rows are one " +
    "series for `rate` and `derivative`, unless `series_by` names the columns that distinguish them. The query of a " +
    "feature is a SELECT that answers the columns `time` and `value`, a row per interval, from `{from}` to `{to}` " +
    "(exclusive) in intervals of `{interval}`, as in `SELECT toStartOfInterval(at, {interval}) AS time, " +
    "avg(v) AS value FROM t WHERE at >= {from} AND at < {to} GROUP BY time`; it is sent with `readonly=1`",
  settings,
  secrets,
  destination,
  queryLanguage: "SQL",
  checkQuery: checkSelection,
  open: (_name, own) => openClickhouse(own),
};

function openClickhouse(own: ClickhouseSettings): Bucket {
  const store = new Store(toClientOptions(own));
  const table = {
    database: own.database ?? "default",
    table: own.table,
    time: own.time_column ?? "time",
    seriesBy: own.series_by ?? [],
  };
  const source = { store, table };
  const reader = createReader((query, signal) => openSource(source, query, signal));
  return {
    read: (query, signal) => {
      const readOthers = (others: ReadQuery) => reader.read(others, signal);
      return readQueries(query, { language: createLanguage(source, signal), readOthers }, signal);
    },
    readGrouped: reader.readGrouped,
    async write(points, _options, signal) {
      throwIfAborted(signal);
      // All rows first: an invalid name is found before anything is sent.
      const rows = points.flatMap((point) => toRow(point, table.time) ?? []);
      for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
        await store.insert(table, rows.slice(from, from + ROWS_PER_INSERT), signal);
    },
    clear: (signal) => clearTable(source, signal),
    probe: (signal) => probeServer(source, signal),
    explore: (options, signal) => exploreServer(source, options, signal),
    close() {},
  };
}

/** Undefined where all fields are null. Columns that are not named keep their default. */
function toRow({ at, fields, tags }: Point, time: string): object | undefined {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== null && (typeof value !== "number" || Number.isFinite(value)),
  );
  if (given.length === 0) return undefined;
  const columns = [
    [time, new Date(Math.floor(at)).toISOString()],
    ...Object.entries(tags),
    ...given,
  ] as const;
  const names = columns.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw invalid(
      "",
      `${JSON.stringify(twice.slice(0, 64))} names two of field, tag and time; a row holds it once`,
    );
  for (const name of names) quoteName(name);
  return Object.fromEntries(columns);
}
