// Listener: requests that are still answered while the server stops.
import { expect, test } from "bun:test";
import { type Listener, listen } from "../../src/app/listener.ts";
import { createLog } from "../../src/telemetry/log.ts";

const log = createLog({ level: "error", write: () => {}, now: () => 0 });

function start(handle: (request: Request) => Promise<Response>, stopMs: number): Listener {
  const limits = {
    bodyBytes: 1000,
    writeBytes: 1000,
    bodyDepth: 10,
    bodiesInFlightBytes: 10_000,
    deadlineMs: 1000,
    idleMs: 1000,
    stopMs,
  };
  return listen({ handle }, { listen: { host: "127.0.0.1", port: 0 }, limits }, log);
}

test("promise 23: an answer that comes after the wait, as when the queue stops, still gets out", async () => {
  const entered = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  const listener = start(() => {
    entered.resolve();
    return answer.promise;
  }, 0);
  const asked = fetch(listener.url);
  await entered.promise;
  await listener.drain();
  answer.resolve(new Response("late", { status: 503 }));
  await listener.cut();
  expect((await asked).status).toBe(503);
});

test("a request that is never answered is cut", async () => {
  const entered = Promise.withResolvers<void>();
  const listener = start(() => {
    entered.resolve();
    return new Promise(() => {});
  }, 0);
  const asked = fetch(listener.url);
  asked.catch(() => {});
  await entered.promise;
  await listener.drain();
  await listener.cut();
  await expect(asked).rejects.toThrow();
});

test("two servers cannot share a port", async () => {
  const listener = start(async () => new Response(), 0);
  const limits = {
    bodyBytes: 1,
    writeBytes: 1,
    bodyDepth: 1,
    bodiesInFlightBytes: 1,
    deadlineMs: 1,
    idleMs: 1000,
    stopMs: 0,
  };
  expect(() =>
    listen(
      { handle: async () => new Response() },
      { listen: { host: "127.0.0.1", port: listener.port }, limits },
      log,
    ),
  ).toThrow();
  await listener.cut();
});
