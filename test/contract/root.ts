// Contract rows of the root, and of rules of every endpoint.

import { expect } from "bun:test";
import pack from "../../package.json" with { type: "json" };
import { refuses, type Table } from "./suite.ts";

const bucket = { name: "contract_rules", type: "local" };
const nested = "[".repeat(30_000);

export const root: Table = {
  noun: "root",
  rows: [
    {
      shows: "the version",
      request: "GET /",
      status: 200,
      has: { version: pack.version },
      holds: ["host_id", "tagline"],
    },
    { shows: "HEAD", request: "HEAD /", status: 200, type: null },
    {
      shows: "nodes, as old clients sniff them",
      request: "GET /_nodes/_all/http",
      status: 200,
      has: { _nodes: { total: 1, successful: 1, failed: 0 } },
    },
    {
      shows: "the node of this server, with all shards",
      request: "GET /_cluster",
      status: 200,
      has: {
        shared: process.env.CONTRACT_STATE === "database",
        shards_without_owner: 0,
        nodes: [{ work: ["live", "jobs"], shards: 1024, clock_skew_seconds: expect.any(Number) }],
      },
      holds: ["answered_by", '"address":"'],
      lacks: ["settings_differ"],
    },
    {
      shows: "the session without tokens",
      request: "GET /session",
      status: 200,
      has: {
        auth: false,
        scope: "admin",
        version: pack.version,
        timezone: "UTC",
        hooks: { mail: false, exec: false },
        limits: { body_bytes: 16_777_216, points_per_series: 100_000 },
      },
      lacks: ["expires"],
    },
    refuses("an address for people that has a login", "PUT /external_url", {
      body: { url: "https://me:pw@torus.example.org" },
      path: "url",
      lacks: ["me:pw"],
    }),
    refuses("no address for people", "PUT /external_url", { body: {}, path: "url" }),
    {
      shows: "an address for people",
      request: "PUT /external_url",
      body: { url: "https://torus.example.org/" },
      status: 204,
      type: null,
    },
    {
      shows: "the session has it",
      request: "GET /session",
      status: 200,
      has: { external_url: "https://torus.example.org" },
    },
    { shows: "none again", request: "PUT /external_url", body: { url: null }, status: 204, type: null },
    { shows: "and so has the session", request: "GET /session", status: 200, lacks: ["external_url"] },
    {
      shows: "all kinds, with secrets that only requests hold",
      request: "GET /kinds",
      status: 200,
      holds: [
        '"type":"opentsdb"',
        '"query_language":"PromQL"',
        '"type":"ntfy"',
        '"writeOnly":true',
        '"name":"stddev"',
      ],
      lacks: ["$id"],
    },
    {
      shows: "events for a new client that does not wait",
      request: "GET /events?follow=false",
      status: 200,
      has: [{ event: "ready", data: {} }],
    },
    {
      shows: "events after an id of another server",
      request: "GET /events?follow=false",
      headers: { "last-event-id": "other.7" },
      status: 200,
      has: [{ event: "reset" }],
    },
    refuses("an unknown type of event", "GET /events?types=models", { path: "types" }),
    { shows: "no such node", request: "GET /_nodes/nope/http", status: 404, has: { code: "not_found" } },
    { shows: "an unknown path", request: "GET /nope", status: 404, has: { code: "not_found", status: 404 } },
    { shows: "a wrong method, with Allow", request: "DELETE /", status: 405, holds: ['"allow","GET, HEAD"'] },
    refuses("PUT on a list, with Allow", "PUT /buckets", {
      status: 405,
      body: {},
      holds: ["GET, HEAD, POST"],
    }),
    { shows: "pretty", request: "GET /?pretty=True", status: 200, holds: ['\n  "version"'] },
    { shows: "a bad boolean", request: "GET /?pretty=maybe", status: 400, has: { path: "pretty" } },
    { shows: "liveness", request: "GET /livez", status: 200, is: { alive: true } },
    { shows: "readiness, part by part", request: "GET /readyz", status: 200, has: { ready: true } },
    {
      shows: "metrics as text",
      request: "GET /metrics",
      status: 200,
      type: "text/plain",
      holds: ["torus_models"],
    },
    {
      shows: "last values of live models as text",
      request: "GET /metrics/models",
      status: 200,
      type: "text/plain",
    },
    // Of a state that is a file: the one of a database is backed up there.
    ...(process.env.CONTRACT_STATE === "database"
      ? [{ shows: "the head of a backup of a database", request: "HEAD /_backup", status: 400 }]
      : [{ shows: "the head of a backup", request: "HEAD /_backup", status: 200 }]),
    { shows: "anomalies of all models", request: "GET /anomalies", status: 200 },
    {
      shows: "deliveries of all hooks",
      request: "GET /deliveries?state=waiting;rejected&since=now-1d&per_page=10",
      status: 200,
      holds: ["x-total-count"],
    },
    {
      shows: "what needs attention now",
      request: "GET /now",
      status: 200,
      has: { states: {}, anomalies: { list: [] }, unjudged: {}, sources: [], silent: {}, bounds: {} },
    },
    {
      shows: "what happened in a range",
      request: "GET /report?from=now-1d",
      status: 200,
      has: { incidents: {}, alarms: { before: {} }, noisiest: [], changes: {}, capacity: {}, budgets: {} },
    },
    refuses("a report of a year", "GET /report?from=now-365d", { path: "from" }),
    refuses("a report of another format", "GET /report?format=pdf", { path: "format" }),
    refuses("an unknown state of deliveries", "GET /deliveries?state=lost", { path: "state" }),
    { shows: "tokens", request: "GET /tokens", status: 200, is: [] },
    {
      shows: "a statement of an InfluxDB client",
      request: "GET /query?q=CREATE%20DATABASE%20x",
      status: 200,
      is: { results: [{ statement_id: 0 }] },
    },
    {
      shows: "the same as a form",
      request: "POST /query",
      body: "q=CREATE DATABASE x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 200,
      is: { results: [{ statement_id: 0 }] },
    },
    { shows: "the API's document", request: "GET /openapi.json", status: 200, has: { openapi: "3.1.0" } },
    { shows: "the API's page", request: "GET /docs", status: 200, type: "text/html" },
    refuses("plain text is no JSON", "POST /buckets", {
      status: 415,
      body: "{}",
      headers: { "content-type": "text/plain" },
    }),
    {
      shows: "JSON in any case, with parameters",
      request: "POST /buckets",
      body: bucket,
      headers: { "content-type": "Application/JSON; charset=utf-8" },
      status: 201,
      is: "success",
    },
    refuses("malformed JSON", "POST /buckets", { path: "body", body: "{" }),
    { shows: "30 000 brackets", request: "POST /buckets", body: nested, status: 400 },
    { shows: "__proto__", request: "POST /buckets", body: '{"__proto__": {"name": "x"}}', status: 400 },
    refuses("a number beyond all bounds", "POST /buckets", {
      path: "retention",
      body: '{"name": "x", "type": "local", "retention": 1e999}',
    }),
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
