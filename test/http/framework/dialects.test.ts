// Dialects by path: unknown paths and methods are answered in the dialect that the routes of the path state.
import { expect, test } from "bun:test";
import { createFakeApp, send } from "../../support/fake-app.ts";

const app = createFakeApp();

test.each([
  ["PUT /write", 405, '{"error":"PUT is not supported'],
  ["PUT /write/", 405, '{"error":"PUT is not supported'],
  ["PUT /api/v2/write", 405, '{"code":"method not allowed"'],
  ["DELETE /ping", 405, '{"error":'],
  ["GET /api/v1/write", 405, "GET is not supported"],
  ["GET /mcp/", 405, '{"jsonrpc":"2.0","id":null'],
  ["DELETE /prometheus/api/v1/label/a/values", 405, '{"status":"error"'],
  ["GET /prometheus/none", 404, '{"status":"error","errorType":"not_found"'],
  ["GET /anomalydetector/v1.1/timeseries/last/detect", 405, '{"error":{"code":"405","message":"GET is not'],
  ["PUT /anomalydetector/none", 404, '{"error":{"code":"404"'],
  ["GET /prometheus", 404, '{"type":"about:blank"'],
  ["GET /write/none", 404, '{"type":"about:blank"'],
  ["GET /writes", 404, '{"type":"about:blank"'],
])("%s", async (line, status, start) => {
  const response = await send(app, line);
  const text = await response.text();
  expect([response.status, text.slice(0, start.length)]).toEqual([status, start]);
});

test.each([
  ["application/json", "application/json"],
  ["application/json; charset=utf-8", "application/json"],
  ["application/x-protobuf", "application/x-protobuf"],
  [undefined, "application/x-protobuf"],
])("a refusal of metrics sent as %s is %s", async (type, answered) => {
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  const response = await send(app, "GET /v1/metrics/", { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([405, answered]);
});
