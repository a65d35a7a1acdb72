// Authentication over the network, from the first token to the last.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { startTestServer, type TestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";

const secret = "configured-admin-token-0123456789";
const configured = `server.auth: {tokens: [{name: boss, scope: admin, token: ${secret}}]}`;

let dir: string;
let server: TestServer;

beforeEach(async () => {
  dir = temporaryFolder();
  server = await startTestServer({ dir });
});
afterEach(() => server.stop());

async function restart(settings = ""): Promise<void> {
  await server.stop();
  server = await startTestServer({ dir, settings });
}

interface Sent {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send(line: string, { token, body, headers = {} }: Sent = {}) {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text ? JSON.parse(text) : undefined };
}

async function make(name: string, scope: string, token?: string): Promise<string> {
  const { status, json } = await send("POST /tokens", { token, body: { name, scope } });
  expect(status).toBe(201);
  return json.token as string;
}

/** A token per scope; the first one turns authentication on. */
async function makeAll() {
  const admin = await make("ops", "admin");
  const run = await make("ci", "run", admin);
  const read = await make("grafana", "read", admin);
  return { none: undefined, unknown: "torus_guess", read, run, admin };
}

type Who = keyof Awaited<ReturnType<typeof makeAll>>;
const bucket = { name: "b", type: "local" };
const point = [{ timestamp: 1, x: 1 }];

const rows: [string, unknown, Record<Who, number>][] = [
  ["GET /", undefined, { none: 401, unknown: 401, read: 200, run: 200, admin: 200 }],
  ["POST /buckets", bucket, { none: 401, unknown: 401, read: 403, run: 403, admin: 201 }],
  ["GET /buckets/b", undefined, { none: 401, unknown: 401, read: 200, run: 200, admin: 200 }],
  ["POST /buckets/b/_write", point, { none: 401, unknown: 401, read: 403, run: 202, admin: 202 }],
  ["POST /buckets/b/_clear", undefined, { none: 401, unknown: 401, read: 403, run: 403, admin: 204 }],
  ["GET /tokens", undefined, { none: 401, unknown: 401, read: 403, run: 403, admin: 200 }],
  ["GET /nowhere", undefined, { none: 401, unknown: 401, read: 404, run: 404, admin: 404 }],
  ["PUT /buckets", {}, { none: 401, unknown: 401, read: 405, run: 405, admin: 405 }],
  ["GET /readyz", undefined, { none: 200, unknown: 200, read: 200, run: 200, admin: 200 }],
];

test("permissions of each scope", async () => {
  const tokens = await makeAll();
  const table: unknown[] = [];
  for (const [line, body, expected] of rows) {
    const found: Record<string, number> = {};
    for (const [who, token] of Object.entries(tokens))
      found[who] = (await send(line, { token, body })).status;
    table.push([line, body, found]);
    expect([line, found]).toEqual([line, expected]);
  }
  expect(table).toHaveLength(rows.length);
});

test("user info in the URL is name and token, as old clients send them", async () => {
  const { admin } = await makeAll();
  const { host } = new URL(server.url);
  const good = await fetch(`http://ops:${admin}@${host}/buckets`);
  expect(good.status).toBe(200);
  const bad = await fetch(`http://ci:${admin}@${host}/buckets`);
  expect(bad.status).toBe(401);
  expect(bad.headers.get("www-authenticate")).toContain("Basic");
});

test("tokens survive a restart, with when they were used", async () => {
  const { admin, read } = await makeAll();
  expect((await send("GET /models", { token: read })).status).toBe(200);
  await restart();
  expect((await send("GET /models")).status).toBe(401);
  const { json } = await send("GET /tokens", { token: admin });
  expect(json).toMatchObject([
    { name: "ci", scope: "run" },
    { name: "grafana", scope: "read", last_used_timestamp: expect.any(Number) },
    { name: "ops", scope: "admin", last_used_timestamp: expect.any(Number) },
  ]);
  expect(json[0].last_used_timestamp).toBeUndefined();
});

test("the last token turns authentication off; the last administrator before others does not go", async () => {
  const { admin } = await makeAll();
  const refused = await send("DELETE /tokens/ops", { token: admin });
  expect([refused.status, refused.json.code]).toEqual([409, "last_admin"]);
  expect(refused.json.error).toContain("use force=true");
  expect((await send("DELETE /tokens/ops;x", { token: admin })).status).toBe(404);
  expect((await send("DELETE /tokens/ci;grafana;ops", { token: admin })).status).toBe(204);
  expect((await send("GET /tokens")).json).toEqual([]);
});

test("tokens of the settings work from the start, and go with them", async () => {
  await restart(configured);
  expect((await send("GET /models")).status).toBe(401);
  expect((await send("GET /tokens", { token: secret })).json).toMatchObject([
    { name: "boss", configured: true },
  ]);
  expect((await send("DELETE /tokens/boss?force=true", { token: secret })).status).toBe(400);
  await restart();
  expect((await send("GET /models")).status).toBe(200);
});

test("no log line, answer or error ever holds a token", async () => {
  const { admin, read } = await makeAll();
  await send(`GET /models?token=${read}`, { token: admin });
  await send("POST /buckets", { token: read, body: bucket });
  await send("GET /models", { headers: { authorization: `Digest ${admin}` } });
  await send("POST /tokens", { token: admin, body: { name: admin, scope: "x" } });
  expect(server.lines.length).toBeGreaterThan(5);
  for (const token of [admin, read]) expect(server.lines.filter((line) => line.includes(token))).toEqual([]);
  const made = server.lines.filter((line) => line.includes("token created"));
  expect(made.map((line) => JSON.parse(line))).toMatchObject([
    { names: ["ops"], by: null },
    { names: ["ci"], by: "ops" },
    { names: ["grafana"], by: "ops" },
  ]);
});

test("guessing from one address has to wait; its address is logged", async () => {
  const { admin } = await makeAll();
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await send("GET /", { token: `guess${i}` })).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  const { status, headers } = await send("GET /", { token: admin });
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  const logged = server.lines.filter((line) => line.includes("wrong token"));
  expect(logged).toHaveLength(10);
  expect(JSON.parse(logged[0]!)).toMatchObject({ level: "warn", address: "127.0.0.1" });
});

describe("a web page in a browser of this machine", () => {
  /** One request as a browser would put it on the wire. @returns the status line */
  async function sendRaw(line: string, headers: readonly string[]): Promise<string> {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `${[`${line} HTTP/1.1`, ...headers, "content-length: 0", "connection: close"].join("\r\n")}\r\n\r\n`,
    );
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    return answer.split("\r\n")[0]!;
  }

  test("that rebinds its name to this server reads and changes nothing", async () => {
    const evil = ["Host: evil.test:8077", "Origin: http://evil.test:8077", "Sec-Fetch-Site: same-origin"];
    for (const line of [
      "GET /buckets",
      "GET /_backup",
      "POST /buckets",
      "POST /buckets/b/_clear",
      "GET /livez",
    ])
      expect(await sendRaw(line, evil)).toContain(" 421 ");
    const twice = ["Host: localhost", "Host: evil.test"];
    expect(await sendRaw("GET /buckets", twice)).toContain(" 400 ");
  });

  test("sends nothing over plain HTTP, where browsers leave out Sec-Fetch-Site", async () => {
    const headers = ["Host: torus.localhost", "Origin: http://evil.test"];
    expect(await sendRaw("POST /buckets/b/_clear", headers)).toContain(" 403 ");
    expect(await sendRaw("POST /write?db=b", headers)).toContain(" 403 ");
  });

  test("locks no client out, however often it guesses", async () => {
    const token = await make("ops", "admin");
    const page = ["Host: localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"];
    for (let i = 0; i < 12; i++) {
      expect(await sendRaw(`GET /query?q=x&p=wrong${i}`, page)).toContain(" 403 ");
      expect(await sendRaw(`GET /query?q=x&p=wrong${i}`, ["Host: torus.lan"])).toMatch(/ 4(01|29) /);
    }
    expect((await send("GET /models", { token })).status).toBe(200);
    expect((await send("POST /write?db=none", { token })).status).toBe(404);
  });

  test("and malformed hosts are a 400, and no error in the log", async () => {
    for (const host of ["a/b", "x?", "user@h", "a b", ""])
      expect(await sendRaw("GET /models", [`Host: ${host}`])).toContain(" 400 ");
    expect(server.lines.join("\n")).not.toContain("request failed");
  });
});

describe("a scheduled job", () => {
  const job = (name: string, rest: object = {}) => ({
    name,
    method: "post",
    relative_url: "/buckets",
    json: { name: "made", type: "local" },
    every: { unit: "second" },
    ...rest,
  });

  async function outcomeOf(name: string, after: number, token?: string): Promise<Record<string, unknown>> {
    for (const until = Date.now() + 10_000; Date.now() < until; await Bun.sleep(50)) {
      const { json } = await send(`GET /scheduled_jobs/${name}`, { token });
      if ((json[0].last_run_timestamp ?? 0) > after) return json[0];
    }
    throw new Error(`${name} has not run`);
  }

  test("runs with the rights of who made it, without a token of its own, and not after they are gone", async () => {
    await send("POST /scheduled_jobs", { body: job("open") });
    const { admin } = await makeAll();
    const boss = await make("boss", "admin", admin);
    expect((await send("POST /scheduled_jobs", { token: boss, body: job("theirs") })).status).toBe(201);
    const now = Date.now() / 1000;
    expect(await outcomeOf("theirs", now, admin)).toMatchObject({ ok: true, status_code: 201 });
    expect(await outcomeOf("open", now, admin)).toMatchObject({ ok: true });
    expect((await send("DELETE /tokens/boss", { token: admin })).status).toBe(204);
    const orphan = await outcomeOf("theirs", Date.now() / 1000, admin);
    expect(orphan).toMatchObject({
      ok: false,
      error: expect.stringMatching(/token boss.*deleted or expired: save it again/),
    });
    expect(orphan.status_code).toBeUndefined();
    expect((await send("PATCH /scheduled_jobs/theirs", { token: admin, body: {} })).status).toBe(204);
    expect(await outcomeOf("theirs", Date.now() / 1000, admin)).toMatchObject({ ok: true });
    expect(await outcomeOf("open", Date.now() / 1000, admin)).toMatchObject({ ok: true });
  }, 180_000);

  test("may reach neither scheduled jobs nor tokens, however the path is written", async () => {
    for (const relative_url of [
      "/tokens",
      "/tokens/ops",
      "/Tokens",
      "/%74okens/ops",
      "/scheduled_jobs",
      "/scheduled%5fjobs/x",
    ]) {
      const { status, json } = await send("POST /scheduled_jobs", { body: job("x", { relative_url }) });
      expect([relative_url, status, json.path]).toEqual([relative_url, 400, "relative_url"]);
    }
  });

  test("cannot be distinguished by a header that a client could send", async () => {
    await makeAll();
    for (const name of [
      "x-torus-principal",
      "x-torus-scheduled-job",
      "x-forwarded-user",
      "x-remote-user",
      "remote-user",
    ])
      expect((await send("GET /models", { headers: { [name]: "ops" } })).status).toBe(401);
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded"]) {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++)
        statuses.push((await send("GET /", { token: "guess", headers: { [name]: `10.0.0.${i}` } })).status);
      expect([name, new Set(statuses).has(200)]).toEqual([name, false]);
    }
    expect((await send("GET /", { token: "guess", headers: { "x-forwarded-for": "10.9.9.9" } })).status).toBe(
      429,
    );
  });
});
