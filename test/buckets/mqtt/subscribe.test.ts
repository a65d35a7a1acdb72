// Subscriptions on a broker of scripted answers: refusals, silence, and a payload that is too large.
import { afterEach, expect, test } from "bun:test";
import type { PushSink, Reading, Subscription } from "../../../src/buckets/kind.ts";
import { subscribe } from "../../../src/buckets/mqtt/subscribe.ts";
import { systemClock } from "../../../src/runtime/clock.ts";

/** Types of packets in the upper half of the first byte: MQTT 3.1.1, section 2.2.1. */
const [CONNECT, PUBACK, SUBSCRIBE] = [1, 4, 8];
const accepted = [0x20, 2, 0, 0];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Answers packets by their type; `id` are the two bytes of the packet's identifier. */
function startBroker(answers: Partial<Record<number, (id: readonly number[]) => readonly number[]>>): string {
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        const answer = answers[bytes[0]! >> 4]?.([bytes[2]!, bytes[3]!]);
        if (answer) socket.write(new Uint8Array(answer));
      },
    },
  });
  ends.push(() => listener.stop(true));
  return `127.0.0.1:${listener.port}`;
}

/** Collects what the subscription reports. */
function follow(addr: string, topic: string) {
  const { promise: failed, resolve: onDown } = Promise.withResolvers<unknown>();
  const { promise: up, resolve: onUp } = Promise.withResolvers<void>();
  const { promise: taken, resolve: onTaken } = Promise.withResolvers<readonly [string, Reading]>();
  const sink: PushSink = {
    clock: systemClock,
    take: async (source, reading) => onTaken([source, reading]),
    onUp,
    onDown,
  };
  const subscription: Subscription = subscribe("edge", { addr, topics: [{ topic }] }, sink);
  ends.push(() => subscription.close());
  return { up, failed, taken, subscription };
}

test("a refused subscription is a failure that names its topic", async () => {
  const addr = startBroker({ [CONNECT]: () => accepted, [SUBSCRIBE]: (id) => [0x90, 3, ...id, 0x80] });
  const error = (await follow(addr, "plant/{line}").failed) as Error;
  expect(error).toMatchObject({ code: "bucket_auth" });
  expect(error.message).toContain("refuses the subscription to plant/{line}; check the rights of the user");
});

test.each([
  [4, "bucket_auth", "refused the credentials"],
  [5, "bucket_auth", "refused the credentials"],
  [2, "bucket_rejected", "refused the connection (return code 2)"],
])("return code %p is %s", async (returned, code, text) => {
  const error = (await follow(startBroker({ [CONNECT]: () => [0x20, 2, 0, returned] }), "a").failed) as Error;
  expect(error).toMatchObject({ code });
  expect(error.message).toContain(text);
});

test("one that waits for a silent broker closes at once", async () => {
  const { subscription } = follow(startBroker({}), "a");
  const startedAt = performance.now();
  await subscription.close();
  expect(performance.now() - startedAt).toBeLessThan(3000);
});

test.each([
  ["changed", { name: "edge", addr: "127.0.0.1:1", topics: [{ topic: "b" }] }],
  ["deleted", undefined],
])("one whose bucket is %s while the broker is away ends", async (_, change) => {
  const addr = startBroker({ [CONNECT]: () => accepted, [SUBSCRIBE]: (id) => [0x90, 3, ...id, 0] });
  const { up, failed, subscription } = follow(addr, "a");
  await up;
  await ends.shift()!();
  await failed;
  await subscription.release(change && { ...change, addr });
});

test("a message is acknowledged once it is stored, and no earlier", async () => {
  const stored = Promise.withResolvers<void>();
  const acknowledged = Promise.withResolvers<readonly number[]>();
  let isStored = false;
  const addr = startBroker({
    [CONNECT]: () => accepted,
    // With it a message to the topic `a`, of quality 1 and the identifier 7.
    [SUBSCRIBE]: (id) => [0x90, 3, ...id, 1, 0x32, 6, 0, 1, 0x61, 0, 7, 0x31],
    [PUBACK]: (id) => {
      acknowledged.resolve([Number(isStored), ...id]);
      return [];
    },
  });
  const taken = Promise.withResolvers<void>();
  const sink: PushSink = {
    clock: systemClock,
    take: async () => {
      taken.resolve();
      await stored.promise;
      isStored = true;
    },
    onUp: () => {},
    onDown: () => {},
  };
  const subscription = subscribe("edge", { addr, topics: [{ topic: "a" }] }, sink);
  ends.push(() => subscription.close());
  await taken.promise;
  // Turns in which it would come, were it not waited for.
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
  stored.resolve();
  expect(await acknowledged.promise).toEqual([1, 0, 7]);
});

test("a message of more than a megabyte is not read", async () => {
  const payload = new Array(1024 * 1024 + 1).fill(0x31);
  const length = 3 + payload.length;
  const size = [
    (length % 128) | 128,
    ((length >> 7) % 128) | 128,
    ((length >> 14) % 128) | 128,
    length >> 21,
  ];
  const message = [0x30, ...size, 0, 1, 0x61, ...payload];
  const addr = startBroker({
    [CONNECT]: () => accepted,
    [SUBSCRIBE]: (id) => [0x90, 3, ...id, 0].concat(message),
  });
  expect(await follow(addr, "a").taken).toEqual(["a", { mistake: "has more than 1048576 bytes" }]);
});
