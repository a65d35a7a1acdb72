// Kind `mqtt`: topics of events, retained state, refused settings.
import { expect, test } from "bun:test";
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import { checkHook } from "../../src/hooks/index.ts";
import type { HookBroker, HookMessage } from "../../src/hooks/kind.ts";
import { errorOf } from "../core/expect.ts";
import { deliverEvent, makeContext, makeEnd, makeStart } from "./events.ts";

const check = (config: object, allowed?: { allowPrivate: boolean }) =>
  checkHook(
    { type: "mqtt", name: "h", config: { addr: "broker.example", ...config } },
    allowed && { programs: [], ...allowed },
  );

/** Delivers one event. @returns what is published, and where */
async function publish(event: HookEvent, own: object = {}) {
  const published: { broker: HookBroker; message: HookMessage }[] = [];
  const context = makeContext({
    publish: async (broker, message) => void published.push({ broker, message }),
  });
  expect(await deliverEvent(event, { type: "mqtt", config: check(own).config }, context)).toBe("sent");
  const { broker, message } = published[0]!;
  return { broker, ...message, body: JSON.parse(message.payload) };
}

test("a start and its end are the retained state of the model", async () => {
  const start = await publish(makeStart({ model: "load" }));
  expect(start).toMatchObject({ topic: "torus/load/anomaly", isRetained: true });
  expect(start.body).toMatchObject({ state: "active", model: "load", kind: "anomaly_start", score: 76.04 });
  const end = await publish(makeEnd({ model: "load" }));
  expect(end).toMatchObject({ topic: "torus/load/anomaly", body: { state: "ended" } });
});

test("a made-up event does not replace the state", async () => {
  expect((await publish(makeStart({ test: true }))).isRetained).toBe(false);
});

test("an event of a series has a level of its own, that cannot be more than one or a wildcard", async () => {
  const event = makeStart({ model: "cpu", series: { host: "a/b+#", core: "0" } });
  expect((await publish(event)).topic).toBe("torus/cpu/anomaly/host:a%2Fb%2B%23,core:0");
  expect((await publish(event, { topic: "x/{hook}/{series}/{subject}" })).topic).toBe(
    "x/h/host:a%2Fb%2B%23,core:0/anomaly",
  );
});

test("hooks of one broker and status topic share its connection", async () => {
  const [one, other] = [
    await publish(makeStart(), { topic: "a", discovery_prefix: "homeassistant" }),
    await publish(makeStart(), { topic: "b" }),
  ];
  expect(one.broker).toEqual(other.broker);
  expect(one.broker).toEqual({ addr: "broker.example", statusTopic: "torus/status" });
});

test.each([
  [{ topic: "a/+" }, "config.topic", "without + and #"],
  [{ topic: "a/{host}" }, "config.topic", "no other placeholders than {model}, {subject}, {series}, {hook}"],
  [{ status_topic: "{model}" }, "config.status_topic", "must have no placeholders"],
  [{ discovery_prefix: "ha/#" }, "config.discovery_prefix", "without + and #"],
  [{ state_topic: "torus/state" }, "config.state_topic", "must hold {model}"],
  [{ state_topic: "{model}/{series}" }, "config.state_topic", "no other placeholders than {model}"],
  [{ addr: "mqtt://x" }, "config.addr", "must be host or host:port"],
  [{ addr: "169.254.169.254" }, "config.addr", "link-local"],
])("%j is refused", (config, path, rule) => {
  const error = errorOf(() => check(config));
  expect(error.message).toContain(path);
  expect(error.message).toContain(rule);
});

test("private networks need a permission", () => {
  const error = errorOf(() => check({ addr: "10.0.0.1" }, { allowPrivate: false }));
  expect(error.message).toContain("hooks.webhook.private_addresses");
  expect(check({ addr: "10.0.0.1" }, { allowPrivate: true })).toMatchObject({ type: "mqtt" });
});
