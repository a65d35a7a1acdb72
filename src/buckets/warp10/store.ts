// One Warp 10 over HTTP: scripts, whose answers are checked to the last point, and updates.
import type { TorusError } from "../../core/errors.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { parseJson } from "../connection.ts";

/** Points of one series; times in µs. */
export type Points = readonly (readonly [micros: number, value: unknown])[];

export interface Store {
  readonly client: Client;
  /** Runs a script that leaves one list on the stack. */
  run(script: string, signal: AbortSignal): Promise<readonly unknown[]>;
  /** The points of each series of a list. @throws TorusError `bucket_unavailable` for what is no list of series */
  readSeries(list: unknown): Points[];
  update(lines: readonly string[], token: string, signal: AbortSignal): Promise<void>;
}

/** Prepares requests; connects to nothing. */
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
        const points: unknown = series?.v;
        if (typeof series?.c !== "string" || !arePoints(points)) throw garbled(client);
        // Between time and value there may be a place and a height.
        return points.map((point) => [point[0] as number, point.at(-1)] as const);
      });
    },
    async update(lines, token, signal) {
      const body = `${lines.join("\n")}\n`;
      const more = { ...headers, "X-Warp10-Token": token };
      await client.send({ method: "POST", path: "/update", headers: more, body }, signal);
    },
  };
}

function arePoints(points: unknown): points is readonly (readonly unknown[])[] {
  return (
    Array.isArray(points) &&
    points.every((point) => Array.isArray(point) && point.length >= 2 && Number.isSafeInteger(point[0]))
  );
}

export function garbled(client: Client): TorusError {
  return client.refuse(
    "bucket_unavailable",
    "sent something that is no complete answer of Warp 10; check the address",
  );
}
