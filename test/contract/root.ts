// Contract rows of the root, and of what holds for every endpoint.
import type { Table } from "./suite.ts";

const bucket = { name: "contract_rules", type: "local" };
const nested = "[".repeat(30_000);

export const root: Table = {
  noun: "root",
  rows: [
    {
      shows: "the version",
      request: "GET /",
      status: 200,
      has: { version: "2.0.0" },
      holds: ["host_id", "tagline"],
    },
    { shows: "HEAD", request: "HEAD /", status: 200, type: null },
    {
      shows: "nodes, as old clients sniff them",
      request: "GET /_nodes/_all/http",
      status: 200,
      has: { _nodes: { total: 1, successful: 1, failed: 0 } },
    },
    { shows: "no such node", request: "GET /_nodes/nope/http", status: 404, has: { code: "not_found" } },
    { shows: "an unknown path", request: "GET /nope", status: 404, has: { code: "not_found", status: 404 } },
    { shows: "a wrong method, with Allow", request: "DELETE /", status: 405, holds: ['"allow","GET, HEAD"'] },
    {
      shows: "PUT on a list, with Allow",
      request: "PUT /buckets",
      body: {},
      status: 405,
      holds: ["GET, HEAD, POST"],
    },
    { shows: "pretty", request: "GET /?pretty=True", status: 200, holds: ['\n  "version"'] },
    { shows: "a bad boolean", request: "GET /?pretty=maybe", status: 400, has: { path: "pretty" } },
    { shows: "the API's document", request: "GET /openapi.json", status: 200, has: { openapi: "3.1.0" } },
    { shows: "the API's page", request: "GET /docs", status: 200, type: "text/html" },
    {
      shows: "plain text is no JSON",
      request: "POST /buckets",
      body: "{}",
      headers: { "content-type": "text/plain" },
      status: 415,
    },
    {
      shows: "a form is no JSON",
      request: "POST /buckets",
      body: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 415,
    },
    {
      shows: "JSON in any case, with parameters",
      request: "POST /buckets",
      body: bucket,
      headers: { "content-type": "Application/JSON; charset=utf-8" },
      status: 201,
      is: "success",
    },
    {
      shows: "+json",
      request: "POST /buckets",
      body: bucket,
      headers: { "content-type": "application/vnd.x+json" },
      status: 201,
    },
    {
      shows: "malformed JSON",
      request: "POST /buckets",
      body: "{",
      status: 400,
      has: { code: "invalid", path: "body" },
    },
    { shows: "30 000 brackets", request: "POST /buckets", body: nested, status: 400 },
    { shows: "__proto__", request: "POST /buckets", body: '{"__proto__": {"name": "x"}}', status: 400 },
    {
      shows: "a number beyond all bounds",
      request: "POST /buckets",
      body: '{"name": "x", "type": "local", "retention": 1e999}',
      status: 400,
      has: { path: "retention" },
    },
    {
      shows: "an empty body with a JSON type, where none is needed",
      request: "POST /buckets/contract_rules/_clear",
      headers: { "content-type": "application/json" },
      status: 204,
    },
    { shows: "no body and no type", request: "POST /buckets/contract_rules/_clear", status: 204 },
    { shows: "an encoded slash in a name", request: "GET /buckets/a%2Fb", status: 400 },
    { shows: "broken percent-encoding", request: "GET /buckets/%ZZ", status: 400 },
    {
      shows: "a request id of the client's comes back",
      request: "GET /",
      headers: { "x-request-id": "abc-123" },
      status: 200,
      holds: ["abc-123"],
    },
    { shows: "tidy up", request: "DELETE /buckets/contract_rules", status: 204 },
  ],
};
