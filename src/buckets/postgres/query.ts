// Feature queries in SQL: a SELECT of `time` and `value`, run in a read-only transaction.
import { invalid } from "../../core/errors.ts";
import { type Upstream, upstreamError } from "../../net/refusal.ts";
import type { QueryLanguage } from "../shared/query.ts";
import type { Session } from "./session.ts";
import type { PostgresSettings } from "./settings.ts";
import { kindOf, nameQuery, selectTimeMs } from "./source.ts";

interface LanguageOptions {
  readonly session: Session;
  readonly upstream: Upstream;
  readonly own: PostgresSettings;
}

/** Feature queries in SQL: instants as `timestamptz`, the length of an interval as an `interval`. */
export function createLanguage({ session, upstream, own }: LanguageOptions): QueryLanguage {
  const instant = (at: number) => `timestamptz '${new Date(at).toISOString()}'`;
  const reject = (reason: string) => upstreamError(upstream, "bucket_rejected", reason);
  return {
    toTerms: ({ fromAt, toAt }, intervalMs) => ({
      from: instant(fromAt),
      to: instant(toAt),
      interval: `interval '${intervalMs} milliseconds'`,
    }),
    async run({ name, text, limit }) {
      const from = nameQuery(text);
      const time = requireColumns(name, await session.describe(from));
      const timeMs = selectTimeMs("source.time", time, own);
      // One row beyond the number of intervals reveals too many rows.
      const rows = await session.run(
        `SELECT ${timeMs}::float8, source.value::float8 FROM ${from} LIMIT $1::int8`,
        [String(limit + 1)],
      );
      return rows.map(([at, value]) => {
        if (typeof at !== "number") throw reject(`the query of ${name} answers a row without a time`);
        return [at, typeof value === "number" ? value : null];
      });
    },
    refuse: reject,
  };
}

/** The kind of the time column. @throws TorusError `invalid` where the query has other columns */
function requireColumns(
  name: string,
  columns: readonly { readonly name: string; readonly type: number }[],
): "timestamp" | "number" {
  const kinds = new Map(columns.map((column) => [column.name, kindOf(column.type)]));
  const time = kinds.get("time");
  if (columns.length === 2 && (time === "timestamp" || time === "number") && kinds.get("value") === "number")
    return time;
  throw invalid("query", `the query of ${name} must answer two columns: time, and value, which is a number`);
}
