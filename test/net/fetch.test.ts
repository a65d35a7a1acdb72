// Outbound HTTP against faulty data sources: each fault is a typed error, in time, bounded, without secrets.
import { afterEach, describe, expect, test } from "bun:test";
import type { Request } from "../../src/net/fetch.ts";
import { idle } from "../buckets/support.ts";
import { closeServers, failure, get, makeClient, marker, serve, serveBytes } from "./fetch.support.ts";

afterEach(closeServers);

const json = (body: object, init: ResponseInit = {}) => Response.json(body, init);
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

describe("a request", () => {
  test("carries method, path, parameters, headers, body and credentials", async () => {
    const addr = serve(async (request) =>
      json({
        url: new URL(request.url).pathname + new URL(request.url).search,
        method: request.method,
        auth: request.headers.get("authorization"),
        encoding: request.headers.get("accept-encoding"),
        kind: request.headers.get("content-type"),
        body: await request.text(),
      }),
    );
    const request: Request = {
      method: "POST",
      path: "/query",
      params: { db: "a&b", q: "ü" },
      headers: { "Content-Type": "text/x" },
      body: "payload",
    };
    expect(JSON.parse(await makeClient(`http://${addr}/base/`).send(request, idle()))).toEqual({
      url: "/base/query?db=a%26b&q=%C3%BC",
      method: "POST",
      auth: `Basic ${btoa(`some-user:${marker}`)}`,
      encoding: "identity",
      kind: "text/x",
      body: "payload",
    });
  });

  test.each([
    [{ scheme: "Token", token: "abc" }, "Token abc"],
    [undefined, `Basic ${btoa("u:p w")}`],
  ])("credentials %j", async (authorization, expected) => {
    const addr = serve((request) => new Response(request.headers.get("authorization")));
    expect(await makeClient(`u:p%20w@${addr}`, { authorization }).send(get, idle())).toBe(expected);
  });

  test.each([
    ["h", "h:1"],
    ["http://h", "h"],
    ["http://h:80", "h"],
    ["https://h:443", "h"],
    ["https://h:80", "h:80"],
    ["h:9200", "h:9200"],
  ])("to %s names %s as its host", (addr, host) => {
    expect(makeClient(addr).host).toBe(host);
  });

  test("an empty answer is an empty text", async () => {
    const addr = serve(() => new Response(null, { status: 204 }));
    expect(await makeClient(addr).send(get, idle())).toBe("");
  });
});

describe("behaviours", () => {
  test("refuses", async () => {
    const error = await failure("127.0.0.1:1");
    expect(error.code).toBe("bucket_unavailable");
    expect(error.message).toStartWith("Store at 127.0.0.1:1: refused the connection");
  });

  test("has an unknown name", async () => {
    expect(await failure("nowhere.invalid")).toMatchObject({ code: "bucket_unavailable" });
  });

  test.each([
    ["never answers", ""],
    ["hangs in the middle of the headers", "HTTP/1.1 200 OK\r\nContent-"],
    ["hangs in the middle of the body", `${head}Content-Length: 100\r\n\r\n{"a"`],
    ["hangs between chunks", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
  ])("%s", async (_, bytes) => {
    const error = await failure(serveBytes(bytes, { hangUp: false }), { timeoutMs: 150 });
    expect(error).toMatchObject({ code: "bucket_unavailable" });
    expect(error.message).toContain("no complete answer within 0.15 s");
  });

  test.each([
    ["hangs up", ""],
    ["is no HTTP server", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["cuts the body", `${head}Content-Length: 100\r\n\r\n{"a"`],
    ["cuts between chunks", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
    ["cuts a chunk", `${head}Transfer-Encoding: chunked\r\n\r\n50\r\nabcde`],
    ["compresses nonsense", `${head}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`],
  ])("%s", async (_, bytes) => {
    expect(await failure(serveBytes(bytes))).toMatchObject({ code: "bucket_unavailable" });
  });

  test.each([
    [401, "bucket_auth"],
    [403, "bucket_auth"],
    [400, "bucket_rejected"],
    [404, "bucket_rejected"],
    [413, "bucket_rejected"],
    [422, "bucket_rejected"],
    [408, "bucket_unavailable"],
    [429, "bucket_unavailable"],
    [500, "bucket_unavailable"],
    [503, "bucket_unavailable"],
  ] as const)("%d is %s, with the store's own message", async (status, code) => {
    const secretly = `no: some-user ${marker} ${encodeURIComponent(marker)} ${btoa(`some-user:${marker}`)}`;
    const error = await failure(serve(() => json({ error: `${secretly}\r\nend` }, { status })));
    expect(error).toMatchObject({ code, details: { upstream_status: status } });
    expect(error.message).toEndWith("no: *** *** *** *** end");
  });

  test.each([
    [{ error: { reason: "the reason" } }, "the reason"],
    [{ error: { code: 400, message: "its message" } }, "its message"],
    [{ message: "the message" }, "the message"],
    [{ error: "x".repeat(5000) }, "x..."],
  ])("message of %j", async (body, said) => {
    const error = await failure(serve(() => json(body, { status: 400 })));
    expect(error.message).toEndWith(said);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    "<html>internal wiki</html>",
    "internal wiki",
    '"internal wiki"',
    "null",
    "[1]",
  ])("the text %p of an error is not the store's and not repeated", async (body) => {
    const error = await failure(serve(() => new Response(body, { status: 500 })));
    expect(error.message).toEndWith("answered 500");
  });

  test("redirects, which is not followed", async () => {
    let visits = 0;
    const target = serve(() => new Response(`${visits++}`));
    const addr = serve(() => new Response(null, { status: 302, headers: { Location: `http://${target}/` } }));
    const error = await failure(addr);
    expect(error).toMatchObject({ code: "bucket_rejected", details: { upstream_status: 302 } });
    expect(visits).toBe(0);
  });

  test.each([
    200, 500,
  ])("answers %d without end: cut at the cap, and the connection closed", async (status) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(97)),
        cancel: () => resolve(),
      });
    const error = await failure(
      serve(() => new Response(endless(), { status })),
      { maxBytes: 100_000 },
    );
    expect(error).toMatchObject({ code: "bucket_unavailable" });
    expect(error.message).toContain(status === 200 ? "more than 100000 bytes" : "answered 500");
    await closed;
  });

  test("sends a small answer that unpacks to a large one", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
    const headers = { "Content-Encoding": "gzip" };
    const error = await failure(
      serve(() => new Response(bomb, { headers })),
      { maxBytes: 1_000_000 },
    );
    expect(error.message).toContain("more than 1000000 bytes");
  });

  test("is aborted by the caller, before and in between", async () => {
    const addr = serveBytes("", { hangUp: false });
    expect(await failure(addr, {}, AbortSignal.abort())).toMatchObject({ code: "canceled" });
    const controller = new AbortController();
    const failing = failure(addr, {}, controller.signal);
    setTimeout(() => controller.abort(), 20);
    expect(await failing).toMatchObject({ code: "canceled" });
    expect(await failure(addr, {}, AbortSignal.timeout(20))).toMatchObject({ code: "deadline" });
  });
});
