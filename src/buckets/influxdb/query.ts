// Feature queries in InfluxQL: one read-only SELECT, its range filled in, one row per interval.
import { invalid } from "../../core/errors.ts";
import type { Client } from "../../net/fetch.ts";
import { checkTerms, type QueryLanguage, type QueryRow } from "../shared/query.ts";
import { readResults } from "./answer.ts";
import { toNanoseconds } from "./statement.ts";
import type { Store } from "./store.ts";

/** The keyword, also where digits touch it. */
const into = /(?<![a-z_])into(?![a-z0-9_])/i;

/**
 * Checks that a query is a single statement that only reads. A semicolon and INTO are refused anywhere, also within
 * texts, names and regular expressions, which only the server can parse.
 * @throws TorusError `invalid`
 */
export function checkQuery(query: string, path: string): void {
  checkTerms(query, path);
  if (!/^\s*select\s/i.test(query)) throw invalid(path, "must be a SELECT of InfluxQL");
  if (trimEnd(query).includes(";")) throw invalid(path, "must be one statement, without a semicolon in it");
  if (into.test(query)) throw invalid(path, "must only read: INTO is not allowed");
}

function trimEnd(query: string): string {
  return query.replace(/[;\s]+$/, "");
}

/** Feature queries in InfluxQL: instants in ns, the interval as a duration. */
export function createLanguage(store: Store, signal: AbortSignal): QueryLanguage {
  return {
    toTerms: ({ fromAt, toAt }, intervalMs) => ({
      from: String(toNanoseconds(fromAt)),
      to: String(toNanoseconds(toAt)),
      interval: `${intervalMs}ms`,
    }),
    async run({ name, text }) {
      return readAnswer(store.client, name, await store.query(trimEnd(text), signal));
    },
    refuse: (reason) => store.client.refuse("bucket_rejected", reason),
  };
}

/** The rows of one statement of one series and one column. */
function readAnswer(client: Client, name: string, answer: string): QueryRow[] {
  const results = readResults(client, answer);
  const [{ series = [] } = {}] = results;
  const refuse = (reason: string) => client.refuse("bucket_rejected", `the query of ${name} ${reason}`);
  if (results.length !== 1 || !Array.isArray(series))
    throw client.refuse("bucket_unavailable", `answered ${results.length} of 1 statements`);
  if (series.length > 1)
    throw refuse(`answers ${series.length} series; make them one, without a tag or a second measurement`);
  if (series[0]?.partial)
    throw client.refuse("bucket_rejected", "sent only a part of the answer; group by time({interval})");
  const rows: unknown = series[0]?.values ?? [];
  if (!Array.isArray(rows)) throw refuse("answers no rows");
  return rows.map((row) => {
    const [micros, value] = Array.isArray(row) ? row : [];
    if (!Number.isSafeInteger(micros)) throw refuse("answers rows without a time");
    if (row.length !== 2) throw refuse(`answers ${row.length - 1} values in a row; select one`);
    if (value !== null && typeof value !== "number") throw refuse("answers a value that is no number");
    return [Math.floor(micros / 1000), value];
  });
}
