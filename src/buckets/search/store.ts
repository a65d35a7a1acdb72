// Elasticsearch and OpenSearch client: searches, field types, bulk writes, deletions; answers are validated.
import { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import type { Client, Request } from "../../net/fetch.ts";
import { percentEncode } from "../../net/percent-encoding.ts";
import { storeMessageOf } from "../../net/refusal.ts";
import { garblerOf, parseJson } from "../shared/connection.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Deletion {
  /** Documents found. */
  readonly total: number;
  readonly deleted: number;
  /** Documents changed concurrently, which stay. */
  readonly conflicts: number;
}

/** Bytes of a list of fields in an address: a line of 4096 bytes is the longest that Elasticsearch reads. */
const FIELDS_LENGTH = 2000;

interface StoreOptions {
  readonly client: Client;
  readonly index: string;
  readonly routing: string | undefined;
}

const lenient = { ignore_unavailable: "true", allow_no_indices: "true" };
const json = { "Content-Type": "application/json" };

/** The error for a malformed answer. */
export const garbled = garblerOf("Elasticsearch");

/** An index, reached with each call. */
export class Store {
  readonly client: Client;
  readonly #target: string;
  readonly #routing: { readonly routing?: string };

  constructor({ client, index, routing }: StoreOptions) {
    this.client = client;
    this.#target = `/${percentEncode(index)}`;
    this.#routing = routing ? { routing } : {};
  }

  /** The answer of a complete search. @throws TorusError `bucket_rejected` for a partial one */
  async search(body: Json, signal: AbortSignal): Promise<Json> {
    const path = `${this.#target}/_search${encodeQuery({ ...lenient, ...this.#routing })}`;
    const answer = await this.#post(path, body, signal);
    checkComplete(this.client, answer);
    return answer;
  }

  /** Types of the fields in all indices, by name of the field; missing fields are absent. */
  async readTypes(fields: readonly string[], signal: AbortSignal): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const list of joinInParts(fields)) {
      const answer = await this.get(
        `${this.#target}/_field_caps${encodeQuery({ fields: list, ...lenient })}`,
        signal,
      );
      for (const [name, types] of readTypes(this.client, answer)) found.set(name, types);
    }
    return found;
  }

  /** Makes writes visible to searches. */
  async refresh(signal: AbortSignal): Promise<void> {
    const path = `${this.#target}/_refresh${encodeQuery(lenient)}`;
    if (!isRecord((await this.#ask({ method: "POST", path }, signal))._shards)) throw garbled(this.client);
  }

  /** Deletes documents, at most `limit` of them. @throws TorusError `bucket_rejected` where any of them is refused */
  async deleteByQuery(query: Json, limit: number, signal: AbortSignal): Promise<Deletion> {
    // Version conflicts are counted; as errors they would end the request halfway.
    const more = { conflicts: "proceed", refresh: "true", max_docs: String(limit), ...this.#routing };
    const path = `${this.#target}/_delete_by_query${encodeQuery({ ...lenient, ...more })}`;
    return checkDeletion(this.client, await this.#post(path, { query }, signal));
  }

  /** Sends lines of a bulk request. @throws TorusError `bucket_rejected` where any of them is refused */
  async bulk(lines: readonly Json[], signal: AbortSignal): Promise<void> {
    const body = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    const path = `/_bulk${encodeQuery(this.#routing)}`;
    const headers = { "Content-Type": "application/x-ndjson" };
    checkBulk(this.client, await this.#ask({ method: "POST", path, headers, body }, signal));
  }

  /** Creates an index that is missing. */
  async createIndex(name: string, body: Json, signal: AbortSignal): Promise<void> {
    const path = `/${percentEncode(name)}`;
    try {
      await this.client.send({ method: "HEAD", path }, signal);
    } catch (error) {
      if (!(error instanceof TorusError) || error.details.upstream_status !== 404) throw error;
      const request = { method: "PUT", path, headers: json, body: JSON.stringify(body) } as const;
      await this.client.send(request, signal).catch((refused) => {
        // A concurrent writer has created it.
        if (!/already exists/.test(String(refused?.message))) throw refused;
      });
    }
  }

  get(path: string, signal: AbortSignal): Promise<Json> {
    return this.#ask({ method: "GET", path }, signal);
  }

  #post(path: string, body: Json, signal: AbortSignal): Promise<Json> {
    return this.#ask({ method: "POST", path, headers: json, body: JSON.stringify(body) }, signal);
  }

  async #ask(request: Request, signal: AbortSignal): Promise<Json> {
    const text = await this.client.send(request, signal);
    const answer = parseJson(text);
    if (!isRecord(answer) || storeMessageOf(answer) !== undefined) throw garbled(this.client, text);
    return answer;
  }
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
