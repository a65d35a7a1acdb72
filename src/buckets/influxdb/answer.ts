// Answers of InfluxDB's /query, validated to the last row before any of it counts as data.
import type { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { groupKeyOfTags, NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { Client } from "../../net/fetch.ts";
import { garblerOf } from "../shared/connection.ts";

const garbled = garblerOf("InfluxDB");

/** Rows of one series: the time in microseconds and the value, null where there is none. */
export type Rows = readonly (readonly [micros: number, value: number | null])[];

/** Rows of the series of one statement. */
export interface GroupRows {
  /** As `groupKeyOfTags`. */
  readonly group: string;
  readonly rows: Rows;
}

/**
 * Reads the answer to `count` statements of one column each, and of one series or of one for each group.
 * @throws TorusError `bucket_rejected` for an error of a statement and for a partial answer, `bucket_auth` where
 * rights are missing, `bucket_unavailable` for a malformed or truncated answer
 */
export function readRows(
  client: Client,
  text: string,
  { count, groupBy }: { readonly count: number; readonly groupBy: readonly string[] },
): GroupRows[][] {
  const results = readResults(client, text);
  if (results.length !== count)
    throw client.refuse("bucket_unavailable", `answered ${results.length} of ${count} statements`);
  return results.map((result) => {
    const series = result.series ?? [];
    if (!Array.isArray(series) || (series.length > 1 && groupBy.length === 0)) throw garbled(client);
    return series.map(({ tags, values: rows = [], partial: isPartial }) => {
      if (isPartial) throw partial(client);
      if (!isRows(rows)) throw garbled(client);
      return { group: findGroup(client, tags, groupBy), rows };
    });
  });
}

/** A tag that no point has is missing, or has no value. */
function findGroup(client: Client, tags: unknown, groupBy: readonly string[]): string {
  if (groupBy.length === 0) return NO_GROUP;
  if (!isRecord(tags)) throw garbled(client);
  return groupKeyOfTags(groupBy, tags);
}

/** Raw points of several series. */
export interface TaggedRows {
  /** Names of the tags; their values follow the value of each row. */
  readonly tags: readonly string[];
  readonly rows: readonly TaggedRow[];
}

export type TaggedRow = readonly [micros: number, value: number | null, ...tags: (string | null)[]];

/** Reads the answer to one statement that selects a field and, optionally, tags. @throws as `readRows` */
export function readTaggedRows(client: Client, text: string): TaggedRows {
  const results = readResults(client, text);
  const [{ series = [] } = {}] = results;
  if (results.length !== 1)
    throw client.refuse("bucket_unavailable", `answered ${results.length} of 1 statements`);
  if (!Array.isArray(series) || series.length > 1) throw garbled(client);
  if (series.length === 0) return { tags: [], rows: [] };
  const { columns, values, partial: isPartial } = series[0]!;
  if (isPartial) throw partial(client);
  if (!Array.isArray(columns) || columns.length < 2 || !areTagged(values, columns.length))
    throw garbled(client);
  return { tags: columns.slice(2).map(String), rows: values };
}

/** The results of an answer, in order, all complete. @throws as `readRows` */
export function readResults(client: Client, text: string): Result[] {
  const answer = parse(text);
  if (typeof answer?.error === "string") throw refuseStatement(client, answer.error);
  if (!Array.isArray(answer?.results)) throw garbled(client, text);
  for (const [index, result] of answer.results.entries()) {
    if (typeof result !== "object" || result === null) throw garbled(client);
    if (result.error !== undefined) throw refuseStatement(client, String(result.error));
    if (result.partial) throw partial(client);
    if (result.statement_id !== undefined && result.statement_id !== index) throw garbled(client);
  }
  return answer.results;
}

interface Result {
  readonly statement_id?: number;
  readonly error?: unknown;
  readonly partial?: boolean;
  readonly series?: readonly {
    readonly name?: unknown;
    readonly tags?: unknown;
    readonly columns?: unknown;
    readonly values?: unknown;
    readonly partial?: boolean;
  }[];
}

function parse(text: string): { error?: unknown; results?: Result[] } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRows(rows: unknown): rows is Rows {
  return areTagged(rows, 2);
}

/** @param width number of columns: time, value and tags */
function areTagged(rows: unknown, width: number): rows is readonly TaggedRow[] {
  if (!Array.isArray(rows)) return false;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== width || !Number.isSafeInteger(row[0])) return false;
    if (typeof row[1] !== "number" && row[1] !== null) return false;
    for (let i = 2; i < width; i++) if (typeof row[i] !== "string" && row[i] !== null) return false;
  }
  return true;
}

function refuseStatement(client: Client, message: string): TorusError {
  const code = /not authorized|authorization failed|authenticat/i.test(message)
    ? "bucket_auth"
    : "bucket_rejected";
  return client.refuse(code, message);
}

function partial(client: Client): TorusError {
  return client.refuse(
    "bucket_rejected",
    "sent only a part of the answer; raise its max-row-limit or ask for less",
  );
}
