// Feature queries in ClickHouse SQL: a SELECT of `time` and `value`, sent with read-only settings.
import { invalid } from "../../core/errors.ts";
import { checkTerms, type QueryLanguage, type QueryRow } from "../shared/query.ts";
import type { Table } from "./statement.ts";
import type { Store } from "./store.ts";

/** @throws TorusError `invalid` for a query that lacks a term, or that sets what it is sent with */
export function checkSelection(query: string, path: string): void {
  checkTerms(query, path);
  refuseSettings(query, path);
}

/**
 * `SETTINGS readonly = 0` in a subquery undoes the `readonly=1` the query is sent with.
 * @throws TorusError `invalid` for the word anywhere
 */
function refuseSettings(query: string, path: string): void {
  if (/(?<![a-z_])settings(?![a-z0-9_])/i.test(query)) throw invalid(path, "must not contain SETTINGS");
}

/** Feature queries in ClickHouse SQL: instants as `DateTime64`, the length of an interval as an `INTERVAL`. */
export function createLanguage(
  { store, table }: { readonly store: Store; readonly table: Table },
  signal: AbortSignal,
): QueryLanguage {
  // Forbids writes and remote reads; an unqualified table is one of the bucket's database.
  const more = { readonly: "1", database: table.database };
  const instant = (at: number) => `fromUnixTimestamp64Milli(toInt64(${at}))`;
  return {
    toTerms: ({ fromAt, toAt }, intervalMs) => ({
      from: instant(fromAt),
      to: instant(toAt),
      interval: nameInterval(intervalMs),
    }),
    async run({ name, text, limit }) {
      refuseSettings(text, "query");
      // The line break ends a trailing comment; one extra row reveals too many rows.
      const statement = {
        text:
          "SELECT toUnixTimestamp64Milli(toDateTime64(time, 3)) AS torus_at, toFloat64(value) AS torus_value " +
          `FROM (${text.replace(/[;\s]+$/, "")}\n) LIMIT ${limit + 1}`,
        parameters: {},
        more,
      };
      const rows = await store.query(statement, 2, signal);
      return rows.map(([at, value]): QueryRow => {
        if (at === null || !Number.isFinite(Number(at)))
          throw store.client.refuse("bucket_rejected", `the query of ${name} answers a row without a time`);
        return [Number(at), value === null ? null : Number(value)];
      });
    },
    refuse: (reason) => store.client.refuse("bucket_rejected", reason),
  };
}

/** In whole seconds where possible: older versions support no shorter units. */
function nameInterval(intervalMs: number): string {
  return intervalMs % 1000 === 0
    ? `INTERVAL ${intervalMs / 1000} SECOND`
    : `INTERVAL ${intervalMs} MILLISECOND`;
}
