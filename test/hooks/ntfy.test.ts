// Kind `ntfy`: the published message, its limits, and its credentials.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import { checkHook } from "../../src/hooks/index.ts";
import { errorOf } from "../core/expect.ts";
import { startReceiver } from "../support/receiver.ts";
import { deliverEvent, low, makeContext, makeEnd, makeStart } from "./events.ts";

let receiver: ReturnType<typeof startReceiver>;
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const check = (config: object) => checkHook({ type: "ntfy", name: "h", config });

/** Delivers one event. @returns the body that arrived, and its headers */
async function publish(event: HookEvent, own: object = {}) {
  const { config } = check({ url: receiver.url, topic: "torus", ...own });
  expect(await deliverEvent(event, { type: "ntfy", config }, makeContext({ allowPrivate: true }))).toBe(
    "sent",
  );
  const { body, headers, path } = receiver.posts.at(-1)!;
  return { message: JSON.parse(body), headers, path };
}

test("a start is published to the topic at the root of the server, as JSON", async () => {
  const { message, headers, path } = await publish(makeStart({ url: "https://torus.example/a/1" }));
  expect(path).toBe("/");
  expect(message).toMatchObject({
    topic: "torus",
    title: expect.stringContaining("is too low"),
    message: expect.stringContaining("model m"),
    priority: 4,
    tags: ["rotating_light"],
    click: "https://torus.example/a/1",
  });
  expect(new Headers(headers).get("authorization")).toBeNull();
});

test("its end has the default priority, and a test is marked in the title", async () => {
  expect((await publish(makeEnd(), { priority: 5 })).message).toMatchObject({
    priority: 3,
    tags: ["white_check_mark"],
  });
  const { message } = await publish(makeStart({ test: true }), { priority: 5 });
  expect(message).toMatchObject({ title: expect.stringMatching(/^\[test\] /), priority: 5 });
});

test("a template replaces the message, not the title", async () => {
  const templates = { anomaly_start: "{model} scored {score}" };
  const { message } = await publish(makeStart(), { templates });
  expect(message).toMatchObject({ title: expect.stringContaining("is too low"), message: "m scored 76.0" });
});

test("a token is sent as a bearer", async () => {
  const { headers } = await publish(makeStart(), { token: "tk_1" });
  expect(new Headers(headers).get("authorization")).toBe("Bearer tk_1");
});

test("a message over 4096 bytes is cut between characters, so that no attachment comes of it", async () => {
  const features = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${"é€".repeat(20)}${i}`, low]));
  const { message } = await publish(makeStart({ features }));
  expect(Buffer.byteLength(message.message)).toBeLessThanOrEqual(4096);
  expect(message.message).toEndWith("…");
  expect(message.message).not.toContain("\uFFFD");
});

test.each([
  ["no topic", {}, "config.topic"],
  ["a topic that is a path", { topic: "a/b" }, "config.topic"],
  ["a token with a line break", { topic: "t", token: "a\r\nX: y" }, "config.token"],
  ["a priority out of range", { topic: "t", priority: 6 }, "config.priority"],
  [
    "an unknown placeholder",
    { topic: "t", templates: { anomaly_end: "{modle}" } },
    "config.templates.anomaly_end",
  ],
] as const)("%s is refused", (_what, config, path) => {
  expect(errorOf(() => check(config)).details.path).toBe(path);
});
