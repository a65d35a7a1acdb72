// Cross-site requests: refused by default, allowed for origins of the settings.
import { describe, expect, test } from "bun:test";
import { createFakeApp, expectAnswer, send } from "../../support/fake-app.ts";

const ORIGIN = "https://dashboard.example:3000";
const allowing = () => createFakeApp({ cors: [ORIGIN] });
const preflight = (origin: string) => ({
  headers: {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  },
});
const cors = (response: Response) =>
  [...response.headers].filter(([name]) => name.startsWith("access-control")).map(([name]) => name);

test("by default nothing is allowed: no header, and a preflight is refused", async () => {
  const app = createFakeApp();
  expect(cors(await send(app, "GET /models", { headers: { origin: ORIGIN } }))).toEqual([]);
  const response = await send(app, "OPTIONS /models", preflight(ORIGIN));
  expect([response.status, cors(response)]).toEqual([403, []]);
});

test("a named origin may ask, send and read", async () => {
  const asked = await send(allowing(), "OPTIONS /models", preflight(ORIGIN));
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": ORIGIN,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, if-match, last-event-id, mcp-protocol-version, x-request-id",
    vary: "origin",
  });
  expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
  const app = allowing();
  const origin = { origin: ORIGIN, "sec-fetch-site": "cross-site" };
  const sent = await send(app, "POST /models", { body: "{}", headers: origin });
  expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([201, ORIGIN]);
  const failed = await send(app, "GET /nowhere", { headers: origin });
  expect([failed.status, failed.headers.get("access-control-allow-origin")]).toEqual([404, ORIGIN]);
});

describe("an origin is compared letter by letter", () => {
  test.each([
    "https://dashboard.example",
    "http://dashboard.example:3000",
    "https://dashboard.example:30000",
    "https://evil-dashboard.example:3000",
    "https://dashboard.example:3000.evil.example",
    "null",
    "*",
  ])("%s", async (origin) => {
    const app = allowing();
    const asked = await send(app, "OPTIONS /models", preflight(origin));
    expect([asked.status, cors(asked)]).toEqual([403, []]);
    const answered = await send(app, "GET /models", { headers: { origin } });
    expect([cors(answered), answered.headers.get("vary")]).toEqual([[], "origin"]);
  });
});

test("a preflight needs no token: browsers send none", async () => {
  const identify = () => {
    throw new Error("nobody asked");
  };
  const app = createFakeApp({ cors: [ORIGIN], auth: { identify, clientOf: () => "client" } });
  expect((await send(app, "OPTIONS /models", preflight(ORIGIN))).status).toBe(204);
});

describe("the page of another site can use nothing, even with a request no browser asks permission for", () => {
  const host = "torus.lan:8077";
  const cross = { "sec-fetch-site": "cross-site" };
  const link = { ...cross, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const stop = "POST /models/a/_stop";
  const cases: [from: string, line: string, headers: Record<string, string>, status: number][] = [
    ["another site", "POST /buckets/a/_clear", cross, 403],
    ["another port", stop, { "sec-fetch-site": "same-site", origin: "http://torus.lan" }, 403],
    ["another site", "DELETE /models/a", cross, 403],
    ["another site", "GET /models", cross, 403],
    ["another site, over plain HTTP", "POST /buckets/a/_clear", { origin: "http://evil.test" }, 403],
    ["another site, over plain HTTP", "GET /models", { origin: "http://evil.test" }, 403],
    ["another port, over plain HTTP", stop, { origin: "http://torus.lan:80" }, 403],
    ["a sandboxed frame", stop, { origin: "null" }, 403],
    ["a link", "GET /docs", link, 200],
    ["a form", stop, link, 403],
    ["a frame", "GET /docs", { ...link, "sec-fetch-dest": "iframe" }, 403],
    ["a page of this server", stop, { "sec-fetch-site": "same-origin", origin: "http://x" }, 204],
    ["a page of this server, over plain HTTP", stop, { origin: "http://torus.lan:8077" }, 204],
    ["the address bar", "GET /models", { "sec-fetch-site": "none" }, 200],
    ["a named origin", stop, { ...cross, origin: ORIGIN }, 204],
    ["a named origin, over plain HTTP", stop, { origin: ORIGIN }, 204],
    ["a program", stop, {}, 204],
  ];
  test.each(cases)("%s: %s", async (_from, line, headers, status) => {
    const app = allowing();
    const response = await send(app, line, { headers: { host, ...headers } });
    expect(response.status).toBe(status);
    if (status === 403) expect(app.calls).toEqual([]);
  });

  test("is refused before its credentials are looked at", async () => {
    const identify = () => {
      throw new Error("credentials were looked at");
    };
    const app = createFakeApp({ auth: { identify, clientOf: () => "client" } });
    for (const line of ["GET /query?q=x&p=wrong", "POST /write?db=a&p=wrong", "GET /models"])
      expect((await send(app, line, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
  });
});

test("every answer says not to keep it, not to guess its type, and not to tell where one came from", async () => {
  for (const line of [
    "GET /",
    "GET /models",
    "POST /buckets",
    "GET /nowhere",
    "DELETE /models/a",
    "GET /docs",
  ]) {
    const { headers } = await send(createFakeApp(), line);
    const found = ["cache-control", "x-content-type-options", "referrer-policy"].map((name) =>
      headers.get(name),
    );
    expect([line, ...found]).toEqual([line, "no-store", "nosniff", "no-referrer"]);
  }
});

test("the page of the documentation runs nothing, and stands in no frame", async () => {
  const { headers } = await send(createFakeApp(), "GET /docs");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get("content-security-policy")).not.toContain("script-src");
  await expectAnswer(createFakeApp(), ["GET /docs", {}], { status: 200, type: "text/html; charset=utf-8" });
});
