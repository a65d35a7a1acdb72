// A server with a token of each scope, and a model that has been trained and has found an anomaly; clients by scope.
import { afterAll, beforeAll } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createClient } from "../../src/cli/client/client.ts";
import type { Scope } from "../../src/core/access/token.ts";
import { useTestServer } from "../contract/server.ts";
import { aModel } from "../support/builders.ts";

/** Nobody must find these in an answer. */
export const secrets = { password: "not-to-be-shown-anywhere", token: "torus_a-token-of-the-settings-" };
export const tokenOf = (scope: Scope) => `${secrets.token}${scope}`;

const STEP_S = 60;
/** Half an hour of values that are too high, in five hours of a wave. */
export const spike = { from: 16_800, to: 17_100, value: 9 };
export const END_S = 300 * STEP_S;

const settings = `
server: {auth: {tokens: [${(["read", "run", "admin"] as const)
  .map((scope) => `{name: ${scope}, scope: ${scope}, token: "${tokenOf(scope)}"}`)
  .join(", ")}]}}
buckets:
  - {name: b, type: local}
  - {name: far, type: influxdb, addr: "127.0.0.1:9", database: d, measurement: m, dbuser: u, dbuser_password: ${secrets.password}}
training: {epochs: 40}
`;

/** Values of the wave with its spike. */
export function makePoints(): { timestamp: number; value: number }[] {
  return Array.from({ length: END_S / STEP_S }, (_, i) => {
    const timestamp = i * STEP_S;
    const isSpike = timestamp >= spike.from && timestamp < spike.to;
    return { timestamp, value: isSpike ? spike.value : Math.sin(i / 4) };
  });
}

export function useMcpWorld() {
  const server = useTestServer({ settings });
  const clients: Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));
  const rest = () =>
    createClient({
      baseUrl: server.url,
      sleep: () => Bun.sleep(10),
      fetch: (url, { headers, ...init }) => {
        const all = new Headers(headers);
        all.set("authorization", `Bearer ${tokenOf("admin")}`);
        return fetch(url, { ...init, headers: all });
      },
    });
  return {
    server,
    rest,
    /** A client of the protocol's own SDK. */
    connect: async (scope: Scope): Promise<Client> => {
      const headers = { authorization: `Bearer ${tokenOf(scope)}` };
      const url = new URL(`${server.url}/mcp`);
      const client = new Client({ name: "test", version: "1" });
      clients.push(client);
      // Its types are written for optional properties that may be undefined.
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
      return client;
    },
    /** Points, a trained model `m` and its anomalies, for the tests of a file. */
    fill: () =>
      beforeAll(async () => {
        const client = rest();
        const points = makePoints().map(({ timestamp, value }) => ({ timestamp, x: value }));
        await client.waitForJob(await client.write("b", points));
        await client.createModel(aModel({ span: 12, features: [{ name: "x", metric: "avg", field: "x" }] }));
        await client.waitForJob(await client.train("m", { from: 0, to: spike.from, max_evals: 1 }));
        const query = `from=${spike.from - 600}&to=${END_S}&detect_anomalies=true&record=true`;
        await client.call(`POST /models/m/_eval?${query}`, { status: 200 });
      }),
  };
}

export interface Outcome {
  readonly isError: boolean;
  readonly texts: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: any answer of a tool
  readonly data: any;
}

/** Calls a tool. */
export async function call(client: Client, name: string, input: object = {}): Promise<Outcome> {
  const result = await client.callTool({ name, arguments: { ...input } });
  const content = result.content as { text: string }[];
  return {
    isError: result.isError === true,
    texts: content.map(({ text }) => text),
    data: result.structuredContent,
  };
}
