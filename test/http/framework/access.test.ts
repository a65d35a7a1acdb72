// Authorization: every operation declares a scope and refuses smaller ones.
import { describe, expect, test } from "bun:test";
import { type Principal, type Scope, scopes } from "../../../src/core/access/token.ts";
import type { ApiDocument } from "../../../src/http/docs/openapi-document.ts";
import { AccessTable } from "../../../src/http/framework/access.ts";
import { admitRequest } from "../../../src/http/framework/request-context.ts";
import { createFakeApp, type FakeApp, send } from "../../support/fake-app.ts";

const document = (await (await send(createFakeApp(), "GET /openapi.json")).json()) as ApiDocument;

/** What changes settings, or hands all of them out. Everything else that is no GET is `run`, but for these. */
const looks = ["/_read", "/_forecast", "/_eval", "/_detect", "/_predict", "/_preview", "/detect"];
const works =
  /\/(_write|_train|_start|_stop|_restore|_cancel|_retry|_test|_backtest|_feedback|_suggest\w*|labels|labels\/\{id\}|changes|changes\/_find|changes\/\{id\})$|^\/(write|query|api\/v[12]\/write|v1\/metrics)$/;
const KEY_HEADER = "Ocp-Apim-Subscription-Key";
const open = ["/livez", "/readyz", "/ping", "/webhooks/github"];
/** Of an admin whatever the method: secrets, connections to any address, what an admin has deleted. */
const secret = ["/_backup", "/tokens", "/buckets/_test", "/bin"];

function expectedScope(method: string, path: string): Scope | undefined {
  if (open.includes(path)) return undefined;
  if (secret.some((start) => path.startsWith(start))) return "admin";
  // Each tool checks the scope that it needs.
  if (path.startsWith("/prometheus/") || path === "/mcp") return "read";
  if (method === "GET" || looks.some((end) => path.endsWith(end))) return "read";
  return works.test(path) ? "run" : "admin";
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([name, { security, requestBody }]) => {
    const method = name.toUpperCase();
    const type = Object.keys(requestBody?.content ?? {})[0] ?? "application/json";
    const ways = security.map((way) => Object.entries(way)[0]!);
    return { method, path, type, ways, expected: expectedScope(method, path) };
  }),
);

const asPrincipal = (scope: Scope): Principal => ({ scope, token: { id: "1", name: "t", scope } });
const as = (scope: Scope): FakeApp =>
  createFakeApp({ auth: { identify: () => asPrincipal(scope), clientOf: () => scope } });
/** One for each scope: none of its state depends on what was asked before, but for `calls`. */
const apps = new Map(scopes.map((scope) => [scope, as(scope)]));
const sample = (path: string) => path.replace(/\{\w+\}/g, "a");

test.each(
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)("%s", async (_name, { method, path, type, ways, expected }) => {
  const known = ["bearer", "basic", ...(path.startsWith("/anomalydetector/") ? [KEY_HEADER] : [])];
  expect(ways).toEqual(expected ? known.map((way) => [way, [expected]]) : []);
  const methods = method === "GET" ? ["GET", "HEAD"] : [method];
  for (const sent of methods) {
    for (const scope of scopes) {
      const app = apps.get(scope)!;
      app.calls.length = 0;
      const body = ["POST", "PUT", "PATCH"].includes(sent) ? { body: "{", type } : {};
      const response = await send(app, `${sent} ${sample(path)}`, body);
      const isAllowed = !expected || scopes.indexOf(scope) >= scopes.indexOf(expected);
      expect([sent, scope, response.status === 403]).toEqual([sent, scope, !isAllowed]);
      if (!isAllowed) expect(app.calls).toEqual([]);
    }
  }
});

test("a scope that is too small is named, before the body is read", async () => {
  const response = await send(as("read"), "POST /buckets", { body: '{"name":' });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: "forbidden",
    scope: "admin",
    detail: "token t has scope read, this needs admin: use a token with that scope",
  });
});

describe("a forecast or an evaluation", () => {
  const cases: [Scope, string, number][] = [
    ["read", "", 200],
    ["read", "?save_output_data=false", 200],
    ["read", "?save_output_data=true", 403],
    ["read", "?save_output_data=maybe", 400],
    ["run", "?save_output_data=true", 200],
    ["read", "?record=true", 403],
    ["run", "?record=true", 200],
  ];
  test.each(cases)("with scope %s and %p answers %d", async (scope, query, status) => {
    for (const verb of ["_forecast", "_eval"]) {
      const response = await send(as(scope), `POST /models/a/${verb}${query}`);
      expect([verb, response.status]).toEqual([verb, status]);
    }
  });

  test("needs the same scope when the parameter is in the body", async () => {
    const app = as("read");
    const response = await send(app, "POST /models/a/_forecast", { body: '{"save_output_data": true}' });
    expect([response.status, app.calls]).toEqual([403, []]);
  });
});

test("an operation that declares nothing is for administrators, and no path with parameters is open", () => {
  const table = new AccessTable([
    { method: "GET", path: "/new", hooks: {} },
    { method: "GET", path: "/livez", hooks: { detail: { scope: "open" } } },
  ]);
  expect([table.isOpen("/new"), table.isOpen("/livez"), table.isOpen("/livez/"), table.isOpen("/")]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(() => table.check(new Request("http://x/new"), "/new")).toThrow("is not authenticated");
  for (const { path, expected } of operations) if (!expected) expect(path).not.toContain("{");
});

test.each([
  ["an operation that declares no scope", "/new"],
  ["a route that is in no table", "/elsewhere"],
])("%s needs scope admin", (_name, route) => {
  const table = new AccessTable([{ method: "GET", path: "/new", hooks: {} }]);
  for (const scope of scopes) {
    const request = new Request(`http://x${route}`);
    admitRequest(request, asPrincipal(scope));
    const check = () => table.check(request, route);
    if (scope === "admin") expect(check).not.toThrow();
    else expect(check).toThrow("this needs admin");
  }
});

test("a run of a scheduled job changes neither scheduled jobs nor tokens, whatever its rights", async () => {
  const job: Principal = { scope: "admin", scheduledJob: "j" };
  const ask = async (line: string) => {
    const [method = "", path = ""] = line.split(" ");
    const app = createFakeApp();
    return (await app.handle(new Request(`http://x${path}`, { method }), job)).status;
  };
  for (const line of ["GET /scheduled_jobs", "DELETE /scheduled_jobs/a", "GET /tokens", "DELETE /tokens/a"])
    expect([line, await ask(line)]).toEqual([line, 403]);
  for (const line of ["GET /models", "POST /models/a/_train", "DELETE /buckets/a"])
    expect([line, (await ask(line)) < 300]).toEqual([line, true]);
});
