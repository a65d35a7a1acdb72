// Elasticsearch and OpenSearch client: searches, field types, bulk writes, deletions; answers are validated.
import { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import type { Client } from "../../net/fetch.ts";
import { percentEncode } from "../../net/percent-encoding.ts";
import { parseJson } from "../shared/connection.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Store {
  readonly client: Client;
  /** The answer of a complete search. @throws TorusError `bucket_rejected` for a partial one */
  search(body: Json, signal: AbortSignal): Promise<Json>;
  /** Types of the fields in all indices, by name of the field; missing fields are absent. */
  readTypes(fields: readonly string[], signal: AbortSignal): Promise<Map<string, string[]>>;
  /** Sends lines of a bulk request. @throws TorusError `bucket_rejected` where any of them is refused */
  bulk(lines: readonly Json[], signal: AbortSignal): Promise<void>;
  /** Creates an index that is missing. */
  createIndex(index: string, body: Json, signal: AbortSignal): Promise<void>;
  /** Makes writes visible to searches. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Deletes documents, at most `limit` of them. @throws TorusError `bucket_rejected` where any of them is refused */
  deleteByQuery(query: Json, limit: number, signal: AbortSignal): Promise<Deletion>;
  get(path: string, signal: AbortSignal): Promise<Json>;
}

export interface Deletion {
  /** Documents found. */
  readonly total: number;
  readonly deleted: number;
  /** Documents changed concurrently, which stay. */
  readonly conflicts: number;
}

/** Bytes of a list of fields in an address: a line of 4096 bytes is the longest that Elasticsearch reads. */
const FIELDS_LENGTH = 2000;

export interface StoreOptions {
  readonly client: Client;
  readonly index: string;
  readonly routing: string | undefined;
}

/** Creates the store without connecting. */
export function createStore({ client, index, routing }: StoreOptions): Store {
  const lenient = { ignore_unavailable: "true", allow_no_indices: "true" };
  const target = `/${percentEncode(index)}`;
  const json = { "Content-Type": "application/json" };

  async function ask(request: Parameters<Client["send"]>[0], signal: AbortSignal): Promise<Json> {
    const answer = parseJson(await client.send(request, signal));
    if (!isRecord(answer)) throw garbled(client);
    return answer;
  }

  return {
    client,
    async search(body, signal) {
      const path = `${target}/_search${encodeQuery({ ...lenient, ...(routing && { routing }) })}`;
      const answer = await ask({ method: "POST", path, headers: json, body: JSON.stringify(body) }, signal);
      checkComplete(client, answer);
      return answer;
    },
    async readTypes(fields, signal) {
      const found = new Map<string, string[]>();
      for (const list of joinInParts(fields)) {
        const path = `${target}/_field_caps${encodeQuery({ fields: list, ...lenient })}`;
        const answer = await ask({ method: "GET", path }, signal);
        for (const [name, types] of readTypes(client, answer)) found.set(name, types);
      }
      return found;
    },
    async refresh(signal) {
      const path = `${target}/_refresh${encodeQuery(lenient)}`;
      if (!isRecord((await ask({ method: "POST", path }, signal))._shards)) throw garbled(client);
    },
    async deleteByQuery(query, limit, signal) {
      // Version conflicts are counted; as errors they would end the request halfway.
      const more = {
        conflicts: "proceed",
        refresh: "true",
        max_docs: String(limit),
        ...(routing && { routing }),
      };
      const path = `${target}/_delete_by_query${encodeQuery({ ...lenient, ...more })}`;
      const body = JSON.stringify({ query });
      return checkDeletion(client, await ask({ method: "POST", path, headers: json, body }, signal));
    },
    async bulk(lines, signal) {
      const body = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
      const path = `/_bulk${encodeQuery(routing ? { routing } : {})}`;
      const headers = { "Content-Type": "application/x-ndjson" };
      checkBulk(client, await ask({ method: "POST", path, headers, body }, signal));
    },
    async createIndex(name, body, signal) {
      const path = `/${percentEncode(name)}`;
      try {
        await client.send({ method: "HEAD", path }, signal);
      } catch (error) {
        if (!(error instanceof TorusError) || error.details.upstream_status !== 404) throw error;
        const request = { method: "PUT", path, headers: json, body: JSON.stringify(body) } as const;
        await client.send(request, signal).catch((refused) => {
          // A concurrent writer has created it.
          if (!/already exists/.test(String(refused?.message))) throw refused;
        });
      }
    },
    get: (path, signal) => ask({ method: "GET", path }, signal),
  };
}

/** `?a=1&b=2` in the canonical encoding of signatures; `""` for none. */
function encodeQuery(params: Readonly<Record<string, string>>): string {
  const text = Object.entries(params).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`,
  );
  return text.length > 0 ? `?${text.join("&")}` : "";
}

/** Names joined by commas, split into lists that fit into a URL. */
function joinInParts(names: readonly string[]): string[] {
  const lists: string[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const added = percentEncode(`,${name}`).length;
    length += added;
    if (length <= FIELDS_LENGTH) lists.push(`${lists.pop()},${name}`);
    else {
      lists.push(name);
      length = added;
    }
  }
  return lists;
}

function readTypes(client: Client, { fields }: Json): (readonly [name: string, types: string[]])[] {
  if (!isRecord(fields)) throw garbled(client);
  const entries = Object.entries(fields).map(([name, types]) => {
    if (!isRecord(types)) throw garbled(client);
    return [name, Object.keys(types).filter((type) => type !== "unmapped")] as const;
  });
  return entries.filter(([, types]) => types.length > 0);
}

function checkDeletion(client: Client, answer: Json): Deletion {
  const { timed_out, total, deleted, version_conflicts: conflicts, failures } = answer;
  if (typeof timed_out !== "boolean" || !Array.isArray(failures)) throw garbled(client);
  if (typeof total !== "number" || typeof deleted !== "number" || typeof conflicts !== "number")
    throw garbled(client);
  if (timed_out) throw client.refuse("bucket_rejected", "timed out and deleted only a part; try again");
  if (failures.length === 0) return { total, deleted, conflicts };
  const reason = failures[0]?.cause?.reason ?? failures[0]?.reason?.reason;
  throw client.refuse(
    "bucket_rejected",
    `did not delete everything${typeof reason === "string" ? `: ${reason}` : ""}`,
  );
}

function checkComplete(client: Client, { timed_out, _shards: shards, hits }: Json): void {
  if (typeof timed_out !== "boolean" || !isRecord(shards) || !isRecord(hits)) throw garbled(client);
  if (timed_out) throw client.refuse("bucket_rejected", "timed out and sent only a part of the answer");
  if (typeof shards.failed !== "number") throw garbled(client);
  if (shards.failed === 0) return;
  const [failure] = Array.isArray(shards.failures) ? shards.failures : [];
  const reason = failure?.reason?.reason;
  throw client.refuse(
    "bucket_rejected",
    `${shards.failed} of its shards failed${typeof reason === "string" ? `: ${reason}` : ""}`,
  );
}

function checkBulk(client: Client, { errors, items }: Json): void {
  if (typeof errors !== "boolean" || !Array.isArray(items)) throw garbled(client);
  if (!errors) return;
  const failed = items.map((item) => item?.update?.error).filter((error) => error !== undefined);
  const reason = failed[0]?.reason;
  throw client.refuse(
    "bucket_rejected",
    `did not take ${failed.length} of ${items.length} points${typeof reason === "string" ? `: ${reason}` : ""}`,
  );
}

/** The error for a malformed answer: `bucket_unavailable`, which is retried. */
export function garbled(client: Client): TorusError {
  return client.refuse(
    "bucket_unavailable",
    "sent something that is no complete answer of Elasticsearch; check the address",
  );
}
