// Contract rows of access tokens: the first turns authentication on, the deletion of the last turns it off.
import type { Row, Table } from "./suite.ts";

const admin = { authorization: "Bearer $admin" };
const reader = { authorization: "Bearer $reader" };

const rows: readonly Row[] = [
  {
    shows: "the first token must be of an admin",
    request: "POST /tokens",
    body: { name: "c_reader", scope: "read" },
    status: 400,
    has: { path: "scope" },
  },
  {
    shows: "the first token",
    request: "POST /tokens",
    body: { name: "c_admin", scope: "admin" },
    status: 201,
    has: { name: "c_admin", scope: "admin" },
    holds: ['"token":"torus_'],
    keepParts: { admin: "token" },
  },
  { shows: "without a token", request: "GET /tokens", status: 401, has: { code: "unauthorized" } },
  {
    shows: "a token that expires",
    request: "POST /tokens",
    body: { name: "c_reader", scope: "read", expires_in: "1h" },
    headers: admin,
    status: 201,
    holds: ["expires_date"],
    keepParts: { reader: "token" },
  },
  {
    shows: "a name that exists",
    request: "POST /tokens",
    body: { name: "c_reader", scope: "read" },
    headers: admin,
    status: 409,
    has: { code: "already_exists" },
  },
  {
    shows: "the session of a token",
    request: "GET /session",
    headers: reader,
    status: 200,
    has: { auth: true, scope: "read", name: "c_reader" },
    holds: ["expires_timestamp"],
    lacks: ["torus_"],
  },
  {
    shows: "the session of a token without an end",
    request: "GET /session",
    headers: admin,
    status: 200,
    has: { scope: "admin", name: "c_admin" },
    lacks: ["expires"],
  },
  {
    shows: "no answer to an assistant without a token",
    request: "POST /mcp",
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
    status: 401,
    type: "application/json",
    has: { id: null, error: { data: { code: "unauthorized" } } },
  },
  { shows: "no session without a token", request: "GET /session", status: 401 },
  { shows: "reads with scope read", request: "GET /models", headers: reader, status: 200 },
  {
    shows: "no tokens with scope read",
    request: "DELETE /tokens/c_admin",
    headers: reader,
    status: 403,
    has: { code: "forbidden" },
  },
  {
    shows: "the list has no secrets",
    request: "GET /tokens",
    headers: admin,
    status: 200,
    has: [{ name: "c_admin" }, { name: "c_reader" }],
    lacks: ["torus_", '"token"'],
  },
  {
    shows: "the last admin stays",
    request: "DELETE /tokens/c_admin",
    headers: admin,
    status: 409,
    has: { code: "last_admin" },
  },
  {
    shows: "an unknown token",
    request: "DELETE /tokens/c_reader;c_none",
    headers: admin,
    status: 404,
    holds: ["c_none"],
  },
  { shows: "a deletion", request: "DELETE /tokens/c_reader", headers: admin, status: 204 },
  { shows: "a deleted token", request: "GET /models", headers: reader, status: 401 },
  { shows: "the last token", request: "DELETE /tokens/c_admin?force=true", headers: admin, status: 204 },
  { shows: "authentication is off", request: "GET /tokens", status: 200, is: [] },
];

export const tokens: Table = { noun: "tokens", rows };
