// Authentication: credentials, answers to wrong ones, and the limit on failures.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Auth } from "../../../src/http/framework/auth.ts";
import { Tokens } from "../../../src/resources/tokens/index.ts";
import { FakeClock } from "../../jobs/fakes.ts";
import { openTemporary, type TemporaryStore } from "../../store/temporary.ts";
import { createFakeApp, type FakeApp, send } from "../../support/fake-app.ts";

let store: TemporaryStore;
let clock: FakeClock;
let tokens: Tokens;
let address: string;
let failures: string[];
let auth: Auth;
let app: FakeApp;
let secret: string;

beforeEach(async () => {
  store = openTemporary();
  clock = new FakeClock();
  address = "192.0.2.1";
  failures = [];
  const onError = (error: unknown) => {
    throw error;
  };
  tokens = new Tokens({ store, clock, configured: [], required: false, onError });
  await tokens.start();
  auth = new Auth({
    tokens,
    addressOf: () => address,
    now: () => clock.now(),
    onFailure: (from) => failures.push(from),
  });
  app = createFakeApp({
    auth,
    tokens: {
      list: (params) => tokens.list(params),
      create: (body) => tokens.create(body),
      remove: (names, options) => tokens.remove(names, options),
    },
  });
  secret = ((await tokens.create({ name: "ops", scope: "admin" })) as { token: string }).token;
});
afterEach(async () => {
  await tokens.stop();
  await store.remove();
});

const BASIC = 'Basic realm="torus", charset="UTF-8"';
const BEARER = 'Bearer realm="torus"';
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const ask = (authorization?: string, line = "GET /models") =>
  send(app, line, authorization === undefined ? {} : { headers: { authorization } });

const good: [string, () => string][] = [
  ["bearer", () => `Bearer ${secret}`],
  ["bearer in small letters", () => `bearer ${secret}`],
  ["basic with the token's name, as for user info in a URL", () => basic(`ops:${secret}`)],
];
test.each(good)("%s is let in", async (_name, header) => {
  expect((await ask(header())).status).toBe(200);
  expect(failures).toEqual([]);
});

const bad: [string, () => string][] = [
  ["another secret", () => `Bearer torus_${"x".repeat(43)}`],
  ["a part of it", () => `Bearer ${secret.slice(0, -1)}`],
  ["another name", () => basic(`admin:${secret}`)],
  ["no name", () => basic(`:${secret}`)],
  ["no password", () => basic("ops:")],
  ["a bare secret", () => secret],
  ["an unknown scheme", () => `Digest ${secret}`],
  ["nothing", () => ""],
];
test.each(bad)("%s is answered 401 with both schemes, and never repeated", async (_name, header) => {
  const response = await ask(header());
  const text = await response.text();
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe(`${BASIC}, ${BEARER}`);
  expect(JSON.parse(text)).toMatchObject({ code: "unauthorized", status: 401 });
  expect([text, ...app.logged].join("\n")).not.toContain(secret.slice(6, 30));
  expect(app.calls).toEqual([]);
  expect(failures).toEqual([address]);
});

test("no credentials: 401 that says how to send them, and no failure", async () => {
  for (const line of [
    "GET /",
    "GET /models",
    "POST /models",
    "GET /docs",
    "GET /metrics",
    "GET /nowhere",
    "PUT /",
  ]) {
    const response = await ask(undefined, line);
    expect([line, response.status]).toEqual([line, 401]);
    expect(await response.text()).toContain("a token is needed: send authorization: Bearer <token>");
  }
  expect(failures).toEqual([]);
});

test("a token in the query is no token", async () => {
  for (const name of ["token", "access_token", "authorization", "p"])
    expect((await ask(undefined, `GET /models?${name}=${secret}`)).status).toBe(401);
});

test("liveness and readiness need no token", async () => {
  for (const path of ["/livez", "/readyz", "/livez/"])
    expect((await ask(undefined, `GET ${path}`)).status).toBe(200);
  expect((await ask("Bearer wrong", "HEAD /livez")).status).toBe(200);
  expect(failures).toEqual([]);
});

test("a body without valid credentials is not read", async () => {
  let pulled = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(100));
    },
  });
  expect((await send(app, "POST /models", { body })).status).toBe(401);
  expect(pulled).toBeLessThan(3);
});

describe("a browser is offered the scheme it can use", () => {
  const cases: [string, Record<string, string>, string][] = [
    ["a page that is opened", { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" }, BASIC],
    ["a page that is opened over plain HTTP", { accept: "text/html,*/*;q=0.8" }, BASIC],
    [
      "a script's request, which must not raise the browser's own prompt",
      { "sec-fetch-mode": "cors" },
      BEARER,
    ],
    ["a script's request over plain HTTP", { origin: "http://localhost" }, BEARER],
    ["a program", { accept: "*/*" }, `${BASIC}, ${BEARER}`],
  ];
  test.each(cases)("%s", async (_name, headers, challenge) => {
    for (const line of ["GET /models", "POST /query?q=x"]) {
      const response = await send(app, line, { headers: { host: "localhost", ...headers } });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, challenge]);
    }
  });
});

describe("credentials in the query", () => {
  const write = (p: string) => send(app, `POST /write?db=a&u=ops&p=${p}`, { body: "m v=1" });

  test("are taken for line protocol, and are worth scope run at most", async () => {
    expect((await write(secret)).status).toBe(204);
    const scopes: string[] = [];
    const spy = createFakeApp({
      auth: {
        clientOf: () => "client",
        identify: (request, path) => {
          const principal = auth.identify(request, path);
          scopes.push(principal.scope);
          return principal;
        },
      },
    });
    await send(spy, `POST /write?db=a&p=${secret}`, { body: "m v=1" });
    await send(spy, "POST /write?db=a", { body: "m v=1", headers: { authorization: `Bearer ${secret}` } });
    expect(scopes).toEqual(["run", "admin"]);
  });

  test("that are wrong do not lock out a header, nor the other way round", async () => {
    for (let i = 0; i < 12; i++) await write(`wrong${i}`);
    expect((await write(secret)).status).toBe(429);
    expect((await ask(`Bearer ${secret}`)).status).toBe(200);
    expect(
      (await send(app, "POST /write?db=a", { body: "m v=1", headers: { authorization: `Token ${secret}` } }))
        .status,
    ).toBe(204);
    clock.advance(60_000);
    for (let i = 0; i < 12; i++) await ask("Bearer guess");
    expect((await ask(`Bearer ${secret}`)).status).toBe(429);
    expect((await write(secret)).status).toBe(204);
  });
});

describe("guessing", () => {
  const guess = () => ask("Bearer guess");

  test("ten wrong tokens a minute, then 429 with the time to wait, also for the right one", async () => {
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(401);
    clock.advance(20_000);
    for (const header of ["Bearer guess", `Bearer ${secret}`]) {
      const response = await ask(header);
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("40");
      expect(await response.json()).toMatchObject({ code: "too_many_requests", retry_after: 40 });
    }
    expect(failures).toHaveLength(10);
    clock.advance(40_000);
    expect((await ask(`Bearer ${secret}`)).status).toBe(200);
  });

  test("affects no other address", async () => {
    for (let i = 0; i < 11; i++) await guess();
    address = "192.0.2.2";
    expect((await ask(`Bearer ${secret}`)).status).toBe(200);
    expect((await guess()).status).toBe(401);
  });

  test("right tokens are never counted", async () => {
    for (let i = 0; i < 9; i++) await guess();
    for (let i = 0; i < 50; i++) expect((await ask(`Bearer ${secret}`)).status).toBe(200);
    expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
  });

  test("a blocked address still gets the liveness check", async () => {
    for (let i = 0; i < 11; i++) await guess();
    expect((await ask("Bearer guess", "GET /livez")).status).toBe(200);
  });
});

test("without tokens everybody may do everything; with the first one no longer", async () => {
  await tokens.remove(["ops"], { force: false });
  expect((await ask()).status).toBe(200);
  expect((await ask("Bearer whatever")).status).toBe(200);
  const made = await send(app, "POST /tokens", { body: '{"name":"new","scope":"admin"}' });
  const { token } = (await made.json()) as { token: string };
  expect(made.status).toBe(201);
  expect((await ask()).status).toBe(401);
  expect((await ask(`Bearer ${token}`)).status).toBe(200);
  expect(
    (await send(app, "DELETE /tokens/new", { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(204);
  expect((await ask()).status).toBe(200);
  expect(app.logged.join("\n")).toContain('"names":["new"]');
  expect(app.logged.join("\n")).not.toContain(token);
});
