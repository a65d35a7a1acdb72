// Warp 10 HTTP client: scripts, validated to the last point, and updates.
import type { TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { percentEncode } from "../../net/percent-encoding.ts";
import { parseJson } from "../shared/connection.ts";

/** One series; times in µs. */
export interface Series {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly points: readonly (readonly [micros: number, value: unknown])[];
}

export interface SeriesName {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Time of its newest point, in µs, where it has one. */
  readonly lastMicros: number | undefined;
}

export interface Store {
  readonly client: Client;
  /** Runs a script that leaves one list on the stack. */
  run(script: string, signal: AbortSignal): Promise<readonly unknown[]>;
  /** The series of a list. @throws TorusError `bucket_unavailable` for a malformed list */
  readSeries(list: unknown): Series[];
  /** Name and labels of each series of a list. @throws as `readSeries` */
  readNames(list: unknown): SeriesName[];
  update(lines: readonly string[], token: string, signal: AbortSignal): Promise<void>;
  /** Deletes all series whose class matches `classes`, as far as the token may write. */
  deleteSeries(classes: string, token: string, signal: AbortSignal): Promise<void>;
}

/** Creates the store without connecting. */
export function createStore(options: ClientOptions): Store {
  const client = createClient(options);
  const headers = { "Content-Type": "text/plain; charset=utf-8" };

  return {
    client,
    async run(script, signal) {
      const answer = parseJson(
        await client.send({ method: "POST", path: "/exec", headers, body: script }, signal),
      );
      if (!Array.isArray(answer) || answer.length !== 1 || !Array.isArray(answer[0])) throw garbled(client);
      return answer[0];
    },
    readSeries(list) {
      if (!Array.isArray(list)) throw garbled(client);
      return list.map((series) => {
        const { c: name, l: labels = {}, v: points } = Object(series);
        if (typeof name !== "string" || !isRecord(labels) || !arePoints(points)) throw garbled(client);
        // Location and elevation may precede the value.
        return { labels, points: points.map((point) => [point[0] as number, point.at(-1)] as const) };
      });
    },
    readNames(list) {
      if (!Array.isArray(list)) throw garbled(client);
      return list.map((series) => {
        const { c: name, l: labels, v: points } = Object(series);
        if (typeof name !== "string" || !isRecord(labels) || !arePoints(points)) throw garbled(client);
        const lastMicros = points[0]?.[0] as number | undefined;
        return { name, labels: labels as Readonly<Record<string, string>>, lastMicros };
      });
    },
    async update(lines, token, signal) {
      const body = `${lines.join("\n")}\n`;
      const more = { ...headers, "X-Warp10-Token": token };
      await client.send({ method: "POST", path: "/update", headers: more, body }, signal);
    },
    async deleteSeries(classes, token, signal) {
      const params = { selector: `${percentEncode(classes)}{}`, deleteall: "true" };
      const more = { "X-Warp10-Token": token };
      const answer = await client.send({ method: "GET", path: "/delete", params, headers: more }, signal);
      // A line per deleted series: `class{labels}{attributes}`.
      const isSeries = (line: string) => /^[^{}\s]*\{.*\}$/.test(line) || line === "";
      if (!answer.split(/\r?\n/).every(isSeries)) throw garbled(client);
    },
  };
}

function arePoints(points: unknown): points is readonly (readonly unknown[])[] {
  return (
    Array.isArray(points) &&
    points.every((point) => Array.isArray(point) && point.length >= 2 && Number.isSafeInteger(point[0]))
  );
}

/** The error for a malformed answer: `bucket_unavailable`, which is retried. */
export function garbled(client: Client): TorusError {
  return client.refuse(
    "bucket_unavailable",
    "sent something that is no complete answer of Warp 10; check the address",
  );
}
