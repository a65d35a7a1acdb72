// InfluxDB's write API on a real server: requests of Telegraf, and errors in InfluxDB's words.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer, useTestServer } from "../../contract/server.ts";

const TOKEN = "torus_a-secret-of-sufficient-length-here";
const SETTINGS = `
server.limits.write_bytes: 20000
buckets:
  - {name: metrics, type: local}
  - {name: marked, type: local, measurement: other}
`;
const server = useTestServer({ settings: SETTINGS });

type Init = {
  method?: string;
  body?: string | Uint8Array<ArrayBuffer> | URLSearchParams;
  headers?: Record<string, string>;
};

async function send(path: string, { method = "POST", ...init }: Init = {}, base = server.url) {
  const response = await fetch(`${base}${path}`, { method, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

/** The sums of a field over the first three minutes of 1970. */
async function sumsOf(field: string, bucket = "metrics"): Promise<unknown> {
  const query = `from=0&to=180&bucket_interval=1m&features=sum(${field})`;
  const { body: id } = await send(`/buckets/${bucket}/_read?${query}`);
  for (;;) {
    const { body } = await send(`/jobs/${id}`, { method: "GET" });
    if (body[0].state === "done") return Object.values(body[0].result.observed)[0];
    if (body[0].state === "failed") throw new Error(body[0].error);
    await Bun.sleep(5);
  }
}

describe("version 1", () => {
  test("lines with the content type of Telegraf are stored before the answer comes", async () => {
    const headers = { "content-type": "text/plain; charset=utf-8", "user-agent": "Telegraf/1.30" };
    const body = "cpu,host=a one=1 1000000000\ncpu,host=b one=2 61000000000\n";
    const answer = await send("/write?db=metrics&rp=&consistency=all", { body, headers });
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(answer.headers.get("x-influxdb-version")).toBe("1.8-torus");
    expect(await sumsOf("cpu.one")).toEqual([1, 2, null]);
  });

  test.each([
    ["s", "61"],
    ["ms", "61000"],
    ["u", "61000000"],
    ["m", "1"],
  ])("precision %s", async (precision, time) => {
    const answer = await send(`/write?db=metrics&precision=${precision}`, {
      body: `p in_${precision}=4 ${time}`,
    });
    expect(answer.status).toBe(204);
    expect(await sumsOf(`p.in_${precision}`)).toEqual([null, 4, null]);
  });

  test("gzip, of any content type", async () => {
    const body = Bun.gzipSync(Buffer.from("cpu packed=5 0"));
    const headers = { "content-encoding": "gzip", "content-type": "application/x-www-form-urlencoded" };
    expect((await send("/write?db=metrics", { body, headers })).status).toBe(204);
    expect(await sumsOf("cpu.packed")).toEqual([5, null, null]);
  });

  test("a bucket with a measurement of its own still stores those of the lines", async () => {
    await send("/write?db=marked", { body: "cpu f=1 0\nother f=2 0" });
    expect(await sumsOf("f", "marked")).toEqual([2, null, null]);
    expect(await sumsOf("cpu.f", "marked")).toEqual([1, null, null]);
  });

  test("a part of the lines: the good ones are stored, the others named", async () => {
    const answer = await send("/write?db=metrics", { body: "part v=1 0\npart bad\npart v=2 60000000000" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: "partial write: unable to parse 'part bad': invalid field format dropped=0" },
    ]);
    expect(await sumsOf("part.v")).toEqual([1, 2, null]);
  });

  const packed = (encoding: string, body: Init["body"] = "x"): Init => {
    return { body, headers: { "content-encoding": encoding } };
  };
  const large = Bun.gzipSync(Buffer.alloc(1_000_000, 32));
  test.each<[string, number, message: string, Init, query?: string]>([
    ["no line is good", 400, "unable to parse 'bad': missing fields", { body: "bad" }],
    ["no database", 400, "database is required", { body: "m v=1" }, ""],
    ["unknown database", 404, 'database not found: "nope"', { body: "m v=1" }, "?db=nope"],
    ["a name that cannot be", 404, 'database not found: "a b"', { body: "m v=1" }, "?db=a%20b"],
    ["unknown precision", 400, "precision: must be one of", { body: "m v=1" }, "?db=metrics&precision=y"],
    ["no UTF-8", 400, "must be UTF-8", { body: new Uint8Array([0x6d, 0xff]) }],
    ["damaged gzip", 400, "gzip", packed("gzip")],
    ["unknown packing", 415, "gzip", packed("br")],
    ["too much", 413, "server.limits.write_bytes", { body: "x".repeat(20_001) }],
    ["too much, packed", 413, "server.limits.write_bytes", packed("gzip", large)],
    ["another method", 405, "DELETE", { method: "DELETE" }],
  ])("%s", async (_, status, message, init, query = "?db=metrics") => {
    const answer = await send(`/write${query}`, init);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(["error"]);
    expect(answer.body.error).toContain(message);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("a line that is not UTF-8 is refused alone", async () => {
    const text = (latin: string) => Buffer.from(latin, "latin1");
    const body = Buffer.concat([
      text("utf,h=caf\xe9 v=1 1000000000\nutf v=2 61000000000\n"),
      Buffer.from('utf,h=\uFFFD v=4,t="\u{1F600}" 61000000000\n'),
      text('utf t="a\n\xff\nutf v=9 1",v=8 121000000000\nutf v=16 121000000000'),
    ]);
    const { status, body: answer } = await send("/write?db=metrics", { body: new Uint8Array(body) });
    expect([status, answer.error]).toEqual([400, expect.stringContaining("partial write")]);
    expect(answer.error).toContain("unable to parse 'utf,h=caf\uFFFD v=1 1000000000': must be UTF-8");
    expect(answer.error.match(/must be UTF-8/g)).toHaveLength(2);
    expect(await sumsOf("utf.v")).toEqual([null, 6, 16]);
  });

  test("nothing to write is fine", async () => {
    expect((await send("/write?db=metrics")).status).toBe(204);
    expect((await send("/write?db=metrics", { body: "# nothing\n" })).status).toBe(204);
  });

  test("buckets are the databases that clients look for", async () => {
    const series = [{ name: "databases", columns: ["name"], values: expect.arrayContaining([["metrics"]]) }];
    const shown = { results: [{ statement_id: 0, series }] };
    expect((await send("/query?q=SHOW+DATABASES&db=x", { method: "GET" })).body).toEqual(shown);
    expect((await send("/query", { body: "q=show%20databases;" })).body).toEqual(shown);
  });

  test("what Telegraf asks before it writes", async () => {
    for (const method of ["GET", "HEAD"]) expect((await send("/ping", { method })).status).toBe(204);
    const form = { body: new URLSearchParams({ q: 'CREATE DATABASE "metrics"' }) };
    const done = { results: [{ statement_id: 0 }] };
    expect((await send("/query", form)).body).toEqual(done);
    expect((await send("/query?q=create+database+x", { method: "GET" })).body).toEqual(done);
    expect((await send("/query", { body: "q=DROP DATABASE metrics" })).status).toBe(400);
    expect((await send("/query", { body: "q=SHOW SERIES" })).status).toBe(400);
    expect((await send("/query", {})).body).toEqual({ error: 'missing required parameter "q"' });
    expect((await send("/buckets/x", { method: "HEAD" })).status).toBe(404);
  });
});

describe("version 2", () => {
  test("lines are stored", async () => {
    const path = "/api/v2/write?org=o&bucket=metrics&precision=s";
    expect((await send(path, { body: "v2 v=7 61" })).status).toBe(204);
    expect((await send("/api/v2/write?bucket=metrics/autogen", { body: "v2 v=8 0" })).status).toBe(204);
    expect(await sumsOf("v2.v")).toEqual([8, 7, null]);
  });

  test.each<[string, string, Init, number, string, string]>([
    [
      "a bad line",
      "?bucket=metrics",
      { body: "bad" },
      400,
      "invalid",
      "unable to parse 'bad': missing fields",
    ],
    ["no bucket", "", { body: "m v=1" }, 400, "invalid", "bucket is required"],
    ["unknown bucket", "?bucket=nope", { body: "m v=1" }, 404, "not found", 'bucket not found: "nope"'],
    ["too much", "?bucket=metrics", { body: "x".repeat(20_001) }, 413, "request too large", "write_bytes"],
  ])("%s", async (_, query, init, status, code, message) => {
    const { body, ...answer } = await send(`/api/v2/write${query}`, init);
    expect([answer.status, body.code]).toEqual([status, code]);
    expect(body.message).toContain(message);
  });
});

describe("with tokens", () => {
  const line = { body: "m v=1" };
  const as = (authorization: string): Init => ({ ...line, headers: { authorization } });
  const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;
  let closed: TestServer;
  beforeAll(async () => {
    const tokens = `
server.auth.tokens:
  - {name: telegraf, scope: run, token: ${TOKEN}}
  - {name: viewer, scope: read, token: ${TOKEN}-read}
  - {name: boss, scope: admin, token: ${TOKEN}-admin}
`;
    closed = await startTestServer({ settings: `${SETTINGS}${tokens}` });
  });
  afterAll(() => closed.stop());

  test.each<[string, string, Init, number]>([
    ["u and p", `/write?db=metrics&u=telegraf&p=${TOKEN}`, line, 204],
    ["p alone", `/write?db=metrics&p=${TOKEN}`, line, 204],
    ["basic", "/write?db=metrics", as(basic("telegraf", TOKEN)), 204],
    ["Token", "/api/v2/write?bucket=metrics", as(`Token ${TOKEN}`), 204],
    ["Bearer", "/api/v2/write?bucket=metrics", as(`Bearer ${TOKEN}`), 204],
    ["none", "/write?db=metrics", line, 401],
    ["u without p", "/write?db=metrics&u=telegraf", line, 401],
    ["a wrong p", `/write?db=metrics&u=telegraf&p=${TOKEN}x`, line, 401],
    ["p of another", `/write?db=metrics&u=viewer&p=${TOKEN}`, line, 401],
    ["one that only reads", `/write?db=metrics&u=viewer&p=${TOKEN}-read`, line, 403],
    ["a wrong Token", "/api/v2/write?bucket=metrics", as("Token nope"), 401],
    ["u and p elsewhere", `/buckets?u=telegraf&p=${TOKEN}`, { method: "GET" }, 401],
    ["nobody pings", "/ping", { method: "GET" }, 204],
  ])("%s", async (_, path, init, status) => {
    const answer = await send(path, init, closed.url);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(JSON.stringify(answer.body)).not.toContain(TOKEN);
  });

  test("the log holds no token", () => {
    expect(closed.lines.filter((entry) => entry.includes(TOKEN))).toEqual([]);
  });
});
