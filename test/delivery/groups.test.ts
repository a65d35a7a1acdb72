// Groups: what begins together is one notification, repeated as it was, with nothing lost or out of order.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { HookOptions } from "../../src/core/anomaly/hook-options.ts";
import { deliverEvents } from "../../src/hooks/index.ts";
import { createMailer } from "../../src/hooks/mail/smtp.ts";
import { makeContext, makeEnd, makeStart, usage } from "../hooks/events.ts";
import { drain } from "../jobs/fakes.ts";
import { startSmtp } from "../support/smtp.ts";
import { DeliveryWorld } from "./deliver.support.ts";

const grouped: HookOptions = { group_wait: "30s", group_interval: "5m" };
let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.delivery.start();
});
afterEach(() => world.close());

const on = (host: string) => ({ features: { user: { ...usage, tags: { host } } } });
const start = (model: string, host = model) => makeStart({ model, episode: model, ...on(host) });
const end = (model: string, host = model) => makeEnd({ model, episode: model, ...on(host) });
const told = () => world.attempts.map(({ at, events }) => [at / 1000, events.join(" ")]);

test("events of many models within group_wait are one notification; the next comes after group_interval", async () => {
  await world.attachGlobal("ops", grouped);
  const begunAt = world.clock.now() / 1000;
  await world.happen(start("a"));
  await world.pass(10_000);
  await world.happen(start("b"), start("c"));
  expect(told()).toEqual([]);
  await world.pass(30_000);
  expect(told()).toEqual([[begunAt + 30, "a:start b:start c:start"]]);
  await world.happen(end("a"));
  await world.pass(60_000);
  await world.happen(start("d"));
  await world.pass(400_000);
  expect(told().slice(1)).toEqual([[begunAt + 330, "a:end d:start"]]);
});

test("group_by parts them by the values of tags", async () => {
  await world.attachGlobal("ops", { ...grouped, group_by: ["host"] });
  await world.happen(start("a", "web-1"), start("b", "web-1"), start("c", "web-2"));
  await world.pass(40_000);
  expect(told().map(([, events]) => events)).toEqual(["a:start b:start", "c:start"]);
});

test("a hook of a model groups too; one without options gets each event at once", async () => {
  await world.attach("group", { options: grouped });
  await world.attach("plain");
  await world.happen(makeStart(), makeEnd());
  expect(world.keys("plain")).toHaveLength(2);
  await world.pass(40_000);
  expect(world.attempts.filter(({ hook }) => hook === "group").map(({ events }) => events.length)).toEqual([
    2,
  ]);
});

test("a failed notification is repeated as it was, and what comes meanwhile waits for the next", async () => {
  await world.attachGlobal("ops", grouped);
  world.answers.set("ops", () =>
    world.attempts.length < 3 ? { retry: "busy", code: "unreachable" } : "sent",
  );
  await world.happen(start("a"), start("b"));
  await world.pass(31_000, 500);
  await world.happen(start("c"), end("a"));
  await world.pass(60_000);
  const [first, ...others] = world.attempts;
  expect(first!.events).toEqual(["a:start", "b:start"]);
  expect(others.slice(0, 2)).toMatchObject([1, 2].map(() => ({ key: first!.key, events: first!.events })));
  await world.pass(400_000);
  expect(world.attempts.at(-1)!.events).toEqual(["c:start", "a:end"]);
  expect(world.attempts.at(-1)!.key).not.toBe(first!.key);
});

test("a server that dies in an attempt repeats the same notification", async () => {
  await world.attachGlobal("ops", grouped);
  world.answers.set("ops", () => new Promise(() => {}));
  await world.happen(start("a"), start("b"));
  await world.pass(31_000);
  await world.stop();
  await world.happen(start("c"));
  world.answers.clear();
  world.delivery = world.make();
  await world.delivery.start();
  await world.pass(5000);
  const [first, second] = world.attempts;
  expect(second).toMatchObject({ key: first!.key, events: ["a:start", "b:start"] });
  await world.pass(400_000);
  expect(world.attempts.at(-1)!.events).toEqual(["c:start"]);
});

test("a storm of 500 starts is one notification, and none is lost", async () => {
  await world.attachGlobal("ops", grouped);
  await world.attach("other");
  const models = Array.from({ length: 500 }, (_, i) => `m${i}`);
  await world.happen(...models.map((model) => start(model)));
  await world.happen(makeStart());
  expect(world.keys("other")).toHaveLength(1);
  await world.pass(40_000);
  const batches = world.attempts.filter(({ hook }) => hook === "ops");
  expect(batches.map(({ events }) => events.length)).toEqual([501]);
});

test("one event alone is delivered like any other", async () => {
  await world.attachGlobal("ops", grouped);
  await world.happen(start("a"));
  await world.pass(31_000);
  expect(world.keys()).toEqual(["a:start/global/ops"]);
});

test("promise 28: 500 series odd at once and a mail server that hangs: one mail with the worst ten, the same after a restart", async () => {
  const server = await startSmtp();
  server.behaviour = "hang-data";
  const sendMail = createMailer({ host: "127.0.0.1", port: server.port });
  const address = { address: "ops@example.org" };
  await world.attachGlobal("ops", grouped, { kind: "mail", config: { from: address, to: address } });
  await world.stop();
  const mailing = { services: makeContext({ sendMail }), deliver: deliverEvents };
  world.delivery = world.make(mailing);
  await world.delivery.start();
  await world.happen(...Array.from({ length: 500 }, (_, i) => start(`m${i}`)));
  await world.pass(31_000);
  const first = await server.arrived(1);
  await world.stop();
  server.behaviour = "accept";
  world.delivery = world.make(mailing);
  await world.delivery.start();
  const second = await server.arrived(2);
  expect(second.headers.get("message-id")).toBe(first.headers.get("message-id")!);
  expect(second.headers.get("subject")).toStartWith(
    "500 new: m0 cpu usage_user is too high: 93.4, and 499 more",
  );
  expect(second.text.match(/^- m\d+ cpu/gm)).toHaveLength(10);
  expect(second.text).toContain("- and 490 more");
  const unsent = async () => (await world.globalDeliveries("ops")).filter(({ state }) => state !== "sent");
  while ((await unsent()).length > 0) await drain();
  expect(server.seen).toHaveLength(2);
  await server.stop();
});
