// Envelope of messages: the code of JSON-RPC 2.0 and the id of what is wrong.
import { expect, test } from "bun:test";
import { findProblem } from "../../src/mcp/message.ts";

const jsonrpc = "2.0";
const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, new Array(100).fill({})]));
const list = new Array(100_000).fill(0);

test.each([
  ["a request", { jsonrpc, id: 1, method: "ping" }],
  ["a notification", { jsonrpc, method: "notifications/initialized" }],
  ["an answer of a client", { jsonrpc, id: 1, result: {} }],
  ["a list of tools from its beginning", { jsonrpc, id: 1, method: "tools/list", params: {} }],
  [
    "a call with many values",
    { jsonrpc, id: 1, method: "tools/call", params: { name: "detect_points", arguments: { list, many } } },
  ],
  ["a handshake", { jsonrpc, id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } }],
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
