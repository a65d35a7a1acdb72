// The protocol on a real server: handshake, tools by scope, guards of all routes, random messages.

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import fc from "fast-check";
import pack from "../../package.json" with { type: "json" };
import { allows, scopes } from "../../src/core/access/token.ts";
import { tools } from "../../src/mcp/tools/index.ts";
import { roundsOf } from "../support/rounds.ts";
import { call, tokenOf, useMcpWorld } from "./world.ts";

setDefaultTimeout(180_000);
const RUNS = roundsOf(400);
const world = useMcpWorld();

const usual = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: `Bearer ${tokenOf("admin")}`,
};

function send(body: string, headers: Record<string, string> = usual): Promise<Response> {
  return fetch(`${world.server.url}/mcp`, { method: "POST", body, headers });
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

test("the handshake names server, version and scope, and begins no session", async () => {
  const client = await world.connect("read");
  expect(client.getServerVersion()).toMatchObject({ name: "torus", version: pack.version });
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect(client.getInstructions()).toContain("The token has scope read");
  expect((client.transport as StreamableHTTPClientTransport).sessionId).toBeUndefined();
  expect(await client.ping()).toEqual({});
});

test.each([
  ["text that is no JSON", "{", -32_700],
  ["a message without a version", JSON.stringify({ id: 1, method: "ping" }), -32_600],
])("%s has its code of JSON-RPC", async (_, body, code) => {
  const response = await send(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code } });
});

test("a client sees the code of a request that is refused", async () => {
  const client = await world.connect("read");
  const refused = { code: -32_602, message: expect.stringContaining("the list of tools has one page") };
  await expect(client.listTools({ cursor: "x" })).rejects.toMatchObject(refused);
});

test("a call that asks for a task is answered at once", async () => {
  const params = { name: "list_models", arguments: {}, task: { ttl: 1000 } };
  const response = await send(JSON.stringify({ ...JSON.parse(ping), method: "tools/call", params }));
  expect(await response.json()).toMatchObject({ result: { structuredContent: { page: 0 } } });
});

test("a message of an error does not repeat its code", async () => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_model" } };
  const { error } = (await (await send(JSON.stringify(body))).json()) as { error: object };
  expect(error).toEqual({
    code: -32_602,
    message: "there is no tool of this name: did you mean list_models?",
  });
});

describe.each([...scopes])("scope %s", (scope) => {
  test("lists the tools it allows, in full", async () => {
    const { tools: listed } = await (await world.connect(scope)).listTools();
    const allowed = tools.filter((tool) => allows(scope, tool.scope));
    expect(listed.map(({ name }) => name)).toEqual(allowed.map(({ name }) => name));
    for (const { annotations, description, inputSchema } of listed) {
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
      });
      expect(description!.length).toBeGreaterThan(40);
      expect(inputSchema.type).toBe("object");
      expect(JSON.stringify(inputSchema)).not.toMatch(/"\$id"|"rule":|duration-text|duration-above-0/);
    }
    if (scope === "read") expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  test("is refused the others, with the scope they need", async () => {
    const client = await world.connect(scope);
    for (const tool of tools.filter((each) => !allows(scope, each.scope))) {
      const { isError, data } = await call(client, tool.name, {});
      expect([tool.name, isError, data.code, data.scope]).toEqual([tool.name, true, "forbidden", tool.scope]);
      expect(data.message).toBe(
        `token ${scope} has scope ${scope}, this needs ${tool.scope}: use a token with that scope`,
      );
    }
  });
});

test("what a call needs, its schema requires", async () => {
  const client = await world.connect("admin");
  const windows = [{ from: "22:00", to: "23:00" }];
  const given: Readonly<Record<string, unknown>> = {
    ...{ model: "m", bucket: "b", id: "none", anomaly: true, name: "needed", type: "donut", windows },
    ...{ from: 0, to: 600, bucket_interval: "1m", series: [] },
  };
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    const features = name === "create_model" ? [] : "avg(x)";
    const own = { ...given, features };
    const needed = (inputSchema.required ?? []).map((key) => [key, own[key as keyof typeof own]]);
    const { data } = await call(client, name, Object.fromEntries(needed));
    expect([name, JSON.stringify(data)]).toEqual([name, expect.not.stringContaining("is required")]);
  }
});

describe("guards of all routes", () => {
  test("without a token, or with a wrong one, 401", async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`));
    const refused = await client
      .connect(transport as Transport)
      .catch((error: { code?: number }) => error.code);
    expect(refused).toBe(401);
    const response = await send(ping, { ...usual, authorization: "Bearer torus_wrong" });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer"),
    ]);
  });

  test.each([
    ["another site", { origin: "https://evil.example" }, 403],
    ["the server's own pages", { origin: "self" }, 200],
    ["a body that is packed", { "content-encoding": "gzip" }, 415],
  ] as const)("%s", async (_name, headers: Record<string, string>, status) => {
    const own = headers.origin === "self" ? { origin: world.server.url } : headers;
    expect((await send(ping, { ...usual, ...own })).status).toBe(status);
  });

  test("a body that is too large or too deep is refused before it is a message", async () => {
    const large = await send(`{"jsonrpc": "2.0", "id": 1, "method": "${"x".repeat(17_000_000)}"}`);
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { error: { data: { code: "too_large" } } },
    ]);
    const deep = await send(`{"jsonrpc": "2.0", "id": 1, "params": ${"[".repeat(100)}${"]".repeat(100)}}`);
    expect([deep.status, await deep.text()]).toEqual([
      400,
      expect.stringContaining("nested deeper than 64 levels"),
    ]);
  });

  test("calls are counted by tool and outcome", async () => {
    const client = await world.connect("read");
    await call(client, "list_models");
    await call(client, "list_models", { page: -1 });
    await client.callTool({ name: "no_such_tool" }).catch(() => {});
    const metrics = await (await fetch(`${world.server.url}/metrics`, { headers: usual })).text();
    for (const line of [
      'tool="list_models",outcome="ok"',
      'tool="list_models",outcome="invalid"',
      'tool="unknown",outcome="not_found"',
    ])
      expect(metrics).toMatch(new RegExp(`torus_mcp_calls_total\\{${line}\\} [1-9]`));
  });
});

describe("random messages", () => {
  const value = fc.oneof(
    fc.constantFrom("m", "b", "x", "", "now-1d", "avg(x)", "1m", null, true, -1, 1e308, [], {}),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const argument = fc.constantFrom(
    ...new Set(tools.flatMap(({ input }) => Object.keys(input.properties))),
    "unknown",
  );
  const input = fc.dictionary(argument, value, { maxKeys: 6, noNullPrototype: true });
  const name = fc.constantFrom(...tools.map((tool) => tool.name), "no_such_tool");
  const callParams = fc.record(
    { name, arguments: input, _meta: value, task: value },
    { requiredKeys: ["name"], noNullPrototype: true },
  );
  const method = fc.constantFrom(
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "notifications/cancelled",
    "logging/setLevel",
    "tasks/get",
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.integer(), fc.string(), value),
      method: fc.oneof({ weight: 4, arbitrary: method }, { weight: 1, arbitrary: fc.string() }),
      params: fc.oneof(callParams, input, value),
    },
    { requiredKeys: ["method"], noNullPrototype: true },
  );
  const toolCall = callParams.map((params) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  const body = fc.oneof(
    { weight: 4, arbitrary: toolCall.map((each) => JSON.stringify(each)) },
    { weight: 3, arbitrary: message.map((each) => JSON.stringify(each)) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)) },
    { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  );

  test("are answered below 500, in JSON, and no tool has a bug", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const response = await send(text);
        const answer = await response.text();
        expect([text, response.status, answer]).toEqual([text, expect.any(Number), expect.any(String)]);
        expect([text, response.status < 500]).toEqual([text, true]);
        if (answer !== "") expect(JSON.parse(answer)).toMatchObject({ jsonrpc: "2.0" });
        expect([text, answer.includes("internal error")]).toEqual([text, false]);
        // The validator of the SDK tells its own words under these codes.
        expect([text, answer.includes("-32603") || answer.includes('\\"expected\\"')]).toEqual([text, false]);
        const isParsed = isJson(text) && !text.includes("__proto__");
        expect([text, isParsed && answer.includes("-32700")]).toEqual([text, false]);
      }),
      { numRuns: RUNS },
    );
    expect(world.server.lines.filter((line) => line.includes("tool failed"))).toEqual([]);
  });
});
