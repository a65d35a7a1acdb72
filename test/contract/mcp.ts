// Contract rows of the Model Context Protocol: messages, errors of JSON-RPC, guards.
import type { Row, Table } from "./suite.ts";

const type = "application/json";
const headers = { accept: "application/json, text/event-stream" };

/** A message that is answered with a result. */
function answers(shows: string, body: object, result: object): Row {
  return { shows, request: "POST /mcp", headers, body, status: 200, has: { jsonrpc: "2.0", ...result } };
}

/** A request that is refused, with the error of JSON-RPC. */
function refuses(shows: string, status: number, row: Partial<Row>, error: object): Row {
  return {
    request: "POST /mcp",
    headers,
    type,
    shows,
    status,
    has: { jsonrpc: "2.0", id: null, error },
    ...row,
  };
}

const ask = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 7, method, params });
const call = (name: string, input: object = {}) => ask("tools/call", { name, arguments: input });
const client = { capabilities: {}, clientInfo: { name: "c", version: "1" } };

export const mcp: Table = {
  noun: "assistants",
  rows: [
    answers("the handshake", ask("initialize", { protocolVersion: "2025-06-18", ...client }), {
      id: 7,
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "torus" }, capabilities: { tools: {} } },
    }),
    answers(
      "an unknown version is answered with a known one",
      ask("initialize", { protocolVersion: "1", ...client }),
      {
        result: { protocolVersion: "2025-11-25" },
      },
    ),
    {
      shows: "a notification",
      request: "POST /mcp",
      headers,
      body: { jsonrpc: "2.0", method: "notifications/initialized" },
      status: 202,
      type: null,
    },
    answers("ping", ask("ping"), { result: {} }),
    answers("a call", call("list_buckets"), { result: { structuredContent: { page: 0 } } }),
    answers("a bad argument names field and rule", call("list_buckets", { per_page: 1000 }), {
      result: {
        isError: true,
        structuredContent: { code: "invalid", path: "per_page", message: "per_page: must be at most 100" },
      },
    }),
    answers("an unknown argument", call("show_model", { model: "x", nmae: 1 }), {
      result: { isError: true, structuredContent: { code: "invalid", path: "nmae" } },
    }),
    answers("a model that does not exist", call("show_model", { model: "c_none" }), {
      result: { isError: true, structuredContent: { code: "not_found" } },
    }),
    answers("an unknown tool", call("list_model"), {
      error: {
        code: -32_602,
        message: "there is no tool of this name: did you mean list_models?",
      },
    }),
    answers("an unknown method", ask("resources/list"), { error: { code: -32_601 } }),
    refuses("a batch", 400, { body: [ask("ping")] }, { code: -32_600 }),
    refuses("no message", 400, { body: { id: 1 } }, { code: -32_600 }),
    refuses("no JSON", 400, { body: "{" }, { code: -32_700, data: { code: "invalid", path: "body" } }),
    refuses(
      "a client that does not take JSON",
      406,
      { headers: { accept: "text/event-stream" }, body: ask("ping") },
      { code: -32_000 },
    ),
    refuses(
      "another content type",
      415,
      { headers: { ...headers, "content-type": "text/plain" }, body: "x" },
      {
        data: { code: "unsupported_media_type" },
      },
    ),
    refuses(
      "a page of another site",
      403,
      { headers: { ...headers, origin: "https://evil.example" }, body: ask("ping") },
      {
        data: { code: "forbidden" },
      },
    ),
    refuses(
      "no streams of the server",
      405,
      { request: "GET /mcp", holds: ['"allow","POST"'] },
      {
        data: { code: "method_not_allowed" },
      },
    ),
    refuses("no sessions to end", 405, { request: "DELETE /mcp" }, { data: { code: "method_not_allowed" } }),
  ],
};
