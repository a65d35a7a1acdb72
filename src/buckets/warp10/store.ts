// Warp 10 HTTP client: scripts, validated to the last point, and updates.
import { isRecord } from "../../core/input/json.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
import { percentEncode } from "../../net/percent-encoding.ts";
import { garblerOf, parseJson } from "../shared/connection.ts";

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

const headers = { "Content-Type": "text/plain; charset=utf-8" };

/** The error for a malformed answer. */
export const garbled = garblerOf("Warp 10");

/** A server, reached with each call. */
export class Store {
  readonly client: Client;

  constructor(options: ClientOptions) {
    this.client = new Client(options);
  }

  /** Runs a script that leaves one list on the stack. */
  async run(script: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const request = { method: "POST", path: "/exec", headers, body: script } as const;
    const text = await this.client.send(request, signal);
    const answer = parseJson(text);
    if (!Array.isArray(answer) || answer.length !== 1 || !Array.isArray(answer[0]))
      throw garbled(this.client, text);
    return answer[0];
  }

  /** The series of a list. @throws TorusError `bucket_unavailable` for a malformed list */
  readSeries(list: unknown): Series[] {
    return this.#readList(list).map(({ labels = {}, points }) => {
      if (!isRecord(labels)) throw garbled(this.client);
      // Location and elevation may precede the value.
      return { labels, points: points.map((point) => [point[0] as number, point.at(-1)] as const) };
    });
  }

  /** Name and labels of each series of a list. @throws as `readSeries` */
  readNames(list: unknown): SeriesName[] {
    return this.#readList(list).map(({ name, labels, points }) => {
      if (!isRecord(labels)) throw garbled(this.client);
      const lastMicros = points[0]?.[0] as number | undefined;
      return { name, labels: labels as Readonly<Record<string, string>>, lastMicros };
    });
  }

  #readList(list: unknown): { name: string; labels: unknown; points: readonly (readonly unknown[])[] }[] {
    if (!Array.isArray(list)) throw garbled(this.client);
    return list.map((series) => {
      const { c: name, l: labels, v: points } = Object(series);
      if (typeof name !== "string" || !arePoints(points)) throw garbled(this.client);
      return { name, labels, points };
    });
  }

  async update(lines: readonly string[], token: string, signal: AbortSignal): Promise<void> {
    const body = `${lines.join("\n")}\n`;
    const more = { ...headers, "X-Warp10-Token": token };
    await this.client.send({ method: "POST", path: "/update", headers: more, body }, signal);
  }

  /** Deletes all series whose class matches `classes`, as far as the token may write. */
  async deleteSeries(classes: string, token: string, signal: AbortSignal): Promise<void> {
    const params = { selector: `${percentEncode(classes)}{}`, deleteall: "true" };
    const more = { "X-Warp10-Token": token };
    const answer = await this.client.send({ method: "GET", path: "/delete", params, headers: more }, signal);
    // A line per deleted series: `class{labels}{attributes}`.
    const isSeries = (line: string) => /^[^{}\s]*\{.*\}$/.test(line) || line === "";
    if (!answer.split(/\r?\n/).every(isSeries)) throw garbled(this.client, answer);
  }
}

function arePoints(points: unknown): points is readonly (readonly unknown[])[] {
  return (
    Array.isArray(points) &&
    points.every((point) => Array.isArray(point) && point.length >= 2 && Number.isSafeInteger(point[0]))
  );
}
