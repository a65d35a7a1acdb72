// Pages of other sites: what browsers are told by default, and for the origins the settings name.
import { describe, expect, test } from "bun:test";
import { createFakeApp, expectAnswer, send } from "../support/fake-app.ts";

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

test("by default nothing is allowed: no header, and a preflight is not answered", async () => {
  const app = createFakeApp();
  expect(cors(await send(app, "GET /models", { headers: { origin: ORIGIN } }))).toEqual([]);
  const response = await send(app, "OPTIONS /models", preflight(ORIGIN));
  expect([response.status, cors(response)]).toEqual([405, []]);
});

test("a named origin may ask, send and read", async () => {
  const asked = await send(allowing(), "OPTIONS /models", preflight(ORIGIN));
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": ORIGIN,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, x-request-id",
    vary: "origin",
  });
  expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
  const app = allowing();
  const origin = { origin: ORIGIN, "sec-fetch-site": "cross-site" };
  const sent = await send(app, "POST /models", { body: "{}", headers: origin });
  expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([201, ORIGIN]);
  const failed = await send(app, "GET /models/x", { headers: origin });
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
    expect([asked.status, cors(asked)]).toEqual([405, []]);
    const answered = await send(app, "GET /models", { headers: { origin } });
    expect([cors(answered), answered.headers.get("vary")]).toEqual([[], "origin"]);
  });
});

test("a preflight needs no token: browsers send none", async () => {
  const identify = () => {
    throw new Error("nobody asked");
  };
  const app = createFakeApp({ cors: [ORIGIN], auth: { identify } });
  expect((await send(app, "OPTIONS /models", preflight(ORIGIN))).status).toBe(204);
});

describe("the page of another site changes nothing, even with a request no browser asks leave for", () => {
  const cases: [string, string, string | undefined, number][] = [
    ["cross-site", "POST /buckets/a/_clear", undefined, 403],
    ["same-site", "POST /models/a/_stop", "http://localhost:3000", 403],
    ["cross-site", "DELETE /models/a", undefined, 403],
    ["cross-site", "GET /models", undefined, 200],
    ["same-origin", "POST /buckets/a/_clear", "http://localhost:8077", 204],
    ["none", "POST /buckets/a/_clear", undefined, 204],
    ["cross-site", "POST /buckets/a/_clear", ORIGIN, 204],
  ];
  test.each(cases)("%s: %s", async (site, line, origin, status) => {
    const app = allowing();
    const headers = { "sec-fetch-site": site, ...(origin && { origin }) };
    const response = await send(app, line, { headers });
    expect(response.status).toBe(status);
    if (status === 403) expect(app.calls).toEqual([]);
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
