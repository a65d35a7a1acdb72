// Events over HTTP: a stream that is resumed, ended by a deleted token, and no hindrance to a stop.
import { expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../../contract/server.ts";
import { aModel } from "../../support/builders.ts";

async function withServer(work: (server: TestServer) => Promise<void>, settings?: string): Promise<number> {
  const server = await startTestServer(settings === undefined ? {} : { settings });
  const startedAt = await work(server)
    .then(() => performance.now())
    .finally(() => server.stop());
  return performance.now() - startedAt;
}

async function follow(server: TestServer, headers: Record<string, string> = {}, query = "") {
  const response = await fetch(`${server.url}/events${query}`, { headers });
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = "";
  /** All that was read, once it holds the part. */
  const readUntil = async (part: string): Promise<string> => {
    while (!text.includes(part)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`ended before ${part}: ${text}`);
      text += value;
    }
    return text;
  };
  return { response, readUntil, cancel: () => reader.cancel() };
}

const send = (server: TestServer, method: string, path: string, body?: unknown, token?: string) =>
  fetch(server.url + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  });

test("a stream is resumed where it was lost, and does not hold up a stop", async () => {
  const stopMs = await withServer(async (server) => {
    const first = await follow(server);
    expect(first.response.headers.get("content-type")).toBe("text/event-stream");
    expect(first.response.headers.get("x-accel-buffering")).toBe("no");
    const id = /id: (\S+)/.exec(await first.readUntil("ready"))![1]!;
    await send(server, "POST", "/models", aModel());
    await first.readUntil('{"model":"m","change":"created"}');
    await first.cancel();
    await send(server, "PATCH", "/models/m", { span: 5 });
    const second = await follow(server, { "last-event-id": id }, "?types=model");
    const text = await second.readUntil('{"model":"m","change":"changed"}');
    expect(text).toContain('"change":"created"');
    const missed = await fetch(`${server.url}/events?follow=false&last_event_id=${id}&types=model`);
    expect(await missed.json()).toMatchObject([
      { event: "ready" },
      { event: "model", data: { change: "created" } },
      { event: "model", data: { change: "changed" } },
    ]);
    expect((await fetch(`${server.url}/events`, { method: "HEAD" })).status).toBe(200);
  });
  expect(stopMs).toBeLessThan(5000);
});

test("a token is needed, and a stopping server says why the stream ends", async () => {
  const secret = "x".repeat(30);
  const settings = `server: {auth: {tokens: [{name: ops, scope: read, token: ${secret}}]}}`;
  let ended: Promise<string> | undefined;
  await withServer(async (server) => {
    expect((await fetch(`${server.url}/events`)).status).toBe(401);
    const stream = await follow(server, { authorization: `Bearer ${secret}` });
    await stream.readUntil("ready");
    ended = stream.readUntil("reason");
  }, settings);
  expect(await ended).toContain('event: end\ndata: {"reason":"stopping"}');
});

test.each(["types=x", "follow=maybe", "models=a;;b"])("refuses %s", async (query) => {
  await withServer(async (server) => {
    const response = await fetch(`${server.url}/events?${query}`);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, "invalid"]);
  });
});
