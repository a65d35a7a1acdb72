// Envelope of messages: the code of JSON-RPC 2.0 and the id of what is wrong.
import { expect, test } from "bun:test";
import { findProblem } from "../../src/mcp/message.ts";

const jsonrpc = "2.0";
const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, new Array(100).fill({})]));
const list = new Array(100_000).fill(0);
const client = { capabilities: {}, clientInfo: { name: "c", version: "1" } };
const ask = (method: string, params?: unknown) => ({ jsonrpc, id: 1, method, params });

test.each([
  ["a request", { jsonrpc, id: 1, method: "ping" }],
  ["a notification", { jsonrpc, method: "notifications/initialized" }],
  ["an answer of a client", { jsonrpc, id: 1, result: {} }],
  ["a list of tools from its beginning", { jsonrpc, id: 1, method: "tools/list", params: {} }],
  [
    "a call with many values",
    { jsonrpc, id: 1, method: "tools/call", params: { name: "detect_points", arguments: { list, many } } },
  ],
  ["a handshake", ask("initialize", { protocolVersion: "2025-06-18", ...client })],
  ["a call without arguments", ask("tools/call", { name: "list_models" })],
  ["an error of a client", { jsonrpc, id: "a", error: { code: -1, message: "no" } }],
  ["a method named as a member of all objects", ask("constructor")],
])("%s is right", (_, message) => {
  expect(findProblem(message)).toBeUndefined();
});

test.each([
  ["a batch", [{ jsonrpc, id: 1, method: "ping" }], -32_600, null, "one message per request"],
  ["a number", 7, -32_600, null, "must be an object"],
  ["null", null, -32_600, null, "must be an object"],
  ["no version", { id: 3, method: "ping" }, -32_600, null, "jsonrpc must be"],
  ["no method", { jsonrpc, id: "a" }, -32_600, null, "method must be a text"],
  [
    "a handshake with many capabilities",
    { jsonrpc, id: 1, method: "initialize", params: { capabilities: { experimental: many } } },
    -32_600,
    null,
    "more than 10000 values beside the arguments",
  ],
  [
    "an answer with a long list",
    { jsonrpc, id: 1, result: { list } },
    -32_600,
    null,
    "more than 10000 values",
  ],
  [
    "a call with many values beside its arguments",
    { jsonrpc, id: 1, method: "tools/call", params: { name: "x", _meta: many, arguments: {} } },
    -32_600,
    null,
    "more than 10000 values",
  ],
  ["parameters in a list", { jsonrpc, id: 1, method: "ping", params: [] }, -32_602, 1, "must be an object"],
  ["a handshake without a version", { jsonrpc, id: 1, method: "initialize" }, -32_602, 1, "protocolVersion"],
  ["no id", { jsonrpc, id: null, method: "ping" }, -32_600, null, "id must be"],
  ["a part of a number as id", { jsonrpc, id: 1.5, method: "ping" }, -32_600, null, "id must be"],
  ["a further member", { jsonrpc, id: 1, method: "ping", auth: 1 }, -32_600, null, "auth is unknown"],
  ["an answer without an id", { jsonrpc, result: {} }, -32_600, null, "id must be"],
  ["an answer that is a number", { jsonrpc, id: 1, result: 5 }, -32_600, null, "result must be"],
  ["an error that is a number", { jsonrpc, id: 1, error: 5 }, -32_600, null, "error must be"],
  ["a question that is an answer", { ...ask("ping"), result: {} }, -32_600, null, "one of method"],
  ["notes that are a number", ask("ping", { _meta: 5 }), -32_602, 1, "_meta must be"],
  ["a list as token", ask("ping", { _meta: { progressToken: [] } }), -32_602, 1, "progressToken must be"],
  ["no capabilities", ask("initialize", { protocolVersion: "1" }), -32_602, 1, "capabilities is required"],
  ["no client", ask("initialize", { protocolVersion: "1", capabilities: {} }), -32_602, 1, "clientInfo is"],
  ["a call of nothing", ask("tools/call"), -32_602, 1, "params.name is required"],
  ["a task", ask("tools/call", { name: "x", task: 5 }), -32_602, 1, "params.task must be"],
  ["arguments in a list", ask("tools/call", { name: "x", arguments: [] }), -32_602, 1, "arguments must be"],
  [
    "an unknown page",
    { jsonrpc, id: 1, method: "tools/list", params: { cursor: "x" } },
    -32_602,
    1,
    "one page",
  ],
] as const)("%s is refused", (_, message, code, id, text) => {
  expect(findProblem(message)).toEqual({ id, error: { code, message: expect.stringContaining(text) } });
});
