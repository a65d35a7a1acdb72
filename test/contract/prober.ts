// Random requests: no 5xx, every answer in JSON is JSON, and refusals change nothing.
import { expect } from "bun:test";
import fc from "fast-check";
import type { TestServer } from "./server.ts";

type Request = readonly [method: string, path: string, body?: string];

/** @param lists paths whose answers a refused request must not change */
export function createProber(server: TestServer, lists: readonly string[]) {
  const send = (method: string, path: string, body?: string): Promise<Response> => {
    const init = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
    return fetch(`${server.url}${path}`, { method, ...init });
  };

  async function snapshot(): Promise<string> {
    const answers = await Promise.all(lists.map((path) => send("GET", path)));
    expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
    return (await Promise.all(answers.map((answer) => answer.text()))).join("\n");
  }

  async function probe([method, path, body]: Request): Promise<void> {
    const before = await snapshot();
    const response = await send(method, path, body);
    const text = await response.text();
    const context = `${method} ${path} ${body?.slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`;
    expect(response.status < 500 ? "" : context).toBe("");
    if (text !== "" && response.headers.get("content-type")?.includes("json")) JSON.parse(text);
    if (response.status >= 400) expect(await snapshot()).toBe(before);
  }

  /** Probes with random requests. */
  const probeAll = (requests: fc.Arbitrary<Request>, numRuns: number) =>
    fc.assert(fc.asyncProperty(requests, probe), { numRuns });
  return { send, probeAll };
}
