// Bodies in flight: counted over all requests, refused before they are read.
import { expect, test } from "bun:test";
import { ByteBudget } from "../../../src/runtime/byte-budget.ts";
import { createFakeApp } from "../../support/fake-app.ts";

const what = {
  noun: "the bodies of requests in flight",
  setting: "server.limits.bodies_in_flight_bytes",
};

test("released bytes can be reserved again", () => {
  const budget = new ByteBudget(100, what);
  const [one, other] = [budget.open(), budget.open()];
  one.take(60);
  other.take(40);
  expect(() => other.take(1)).toThrow("server.limits.bodies_in_flight_bytes");
  one.close();
  one.close();
  other.take(60);
  expect(() => budget.open().take(1)).toThrow();
});

test("one body alone may be larger than all of them together", () => {
  const budget = new ByteBudget(10, what);
  const one = budget.open();
  one.take(8);
  one.take(8);
  expect(() => budget.open().take(1)).toThrow();
});

test.each([
  ["/write?db=b", "text/plain"],
  ["/buckets/b/_write", "application/json"],
])("POST %s: while others are read, 503 and Retry-After, its body unread; then as ever", async (path, type) => {
  const app = createFakeApp({ limits: { bodiesInFlightBytes: 100 } as never });
  const begun = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        begun.resolve();
        await rest.promise;
        controller.enqueue(new TextEncoder().encode(" ".repeat(90)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const post = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
    app.handle(
      new Request(`http://localhost:8077${path}`, {
        method: "POST",
        body,
        headers: { "content-type": type, ...headers },
      }),
    );
  const first = post(slow, { "content-length": "90" });
  await begun.promise;
  const refused = await post(" ".repeat(20), { "content-length": "20" });
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.text()).toContain("bodies_in_flight_bytes");
  rest.resolve();
  await first;
  expect((await post(" ".repeat(20), { "content-length": "20" })).status).not.toBe(503);
});
