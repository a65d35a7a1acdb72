// Delivery: in order per hook, with retries, independent of other hooks, across restarts.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { SHARDS, shardOf } from "../../src/core/ownership.ts";
import { createMailer } from "../../src/hooks/mail/smtp.ts";
import type { Outcome } from "../../src/hooks/shared/outcome.ts";
import type { Engine } from "../../src/store/db/engine.ts";
import { EPISODE, makeContext, makeEnd, makeStart } from "../hooks/events.ts";
import { drain } from "../jobs/fakes.ts";
import { breakAt } from "../store/temporary.ts";
import { startSmtp } from "../support/smtp.ts";
import { DeliveryWorld } from "./deliver.support.ts";

const HOUR = 3600_000;
let world: DeliveryWorld;
beforeEach(() => {
  world = new DeliveryWorld();
});
afterEach(() => world.close());

const never = () => new Promise<Outcome>(() => {});
const [start, end] = [`${EPISODE}:start/h`, `${EPISODE}:end/h`];

test("an event is delivered at once, to every hook of its model and no other", async () => {
  for (const name of ["h", "i"]) await world.attach(name);
  await world.attach("other", { model: "n" });
  await world.delivery.start();
  await world.happen(makeStart());
  expect(world.keys()).toEqual([start, `${EPISODE}:start/i`]);
  expect(await world.deliveries("h")).toMatchObject([
    { state: "sent", attempts: 1, endedAt: world.clock.at },
  ]);
});

test("clients that follow see each step of a delivery, with its error", async () => {
  await world.attach("h");
  const seen: object[] = [];
  world.store.changes.subscribe((change) => void (change.type === "delivery" && seen.push(change)));
  const outcomes: Outcome[] = [
    { retry: "the server is down", code: "unreachable" },
    "sent",
    { reject: "410 Gone", code: "unreachable" },
  ];
  world.answers.set("h", () => outcomes.shift()!);
  await world.delivery.start();
  await world.happen(makeStart());
  await world.pass(60_000);
  await world.happen(makeEnd());
  const of = (id: string) => ({ type: "delivery", id, hook: "h", isGlobal: false });
  expect(seen).toMatchObject([
    { ...of(start), step: "created" },
    { ...of(start), step: "waiting", error: "the server is down" },
    { ...of(start), step: "delivered" },
    { ...of(end), step: "created" },
    { ...of(end), step: "rejected", error: "410 Gone" },
  ]);
});

test("promise 21: a server down for an hour gets the start, then the end, when it is back", async () => {
  await world.attach("h");
  const downUntil = world.clock.now() + HOUR;
  world.answers.set("h", ({ at }) =>
    at < downUntil ? { retry: "the server is down", code: "unreachable" } : "sent",
  );
  await world.delivery.start();
  await world.happen(makeStart());
  await world.pass(10 * 60_000, 500);
  await world.happen(makeEnd());
  await world.pass(HOUR);
  expect(world.keys().slice(-2)).toEqual([start, end]);
  expect(new Set(world.keys().slice(0, -1))).toEqual(new Set([start]));
  const gaps = world.attempts.slice(1, -1).map(({ at }, i) => at - world.attempts[i]!.at);
  expect(gaps.slice(0, 4)).toEqual([1500, 3000, 6000, 12_000]);
  for (const gap of gaps) expect(gap).toBeLessThanOrEqual(300_000);
  expect(world.attempts.at(-2)!.at - downUntil).toBeLessThanOrEqual(300_000);
  expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }, { state: "sent", lastError: null }]);
  expect(world.troubles).toHaveLength(1);
});

test("promise 21: one dead hook delays no other, nor do many", async () => {
  for (let i = 0; i < 40; i++) await world.attach("dead", { model: `m${i}` });
  world.answers.set("dead", never);
  await world.attach("h");
  await world.attach("dead");
  await world.delivery.start();
  await world.happen(
    ...Array.from({ length: 40 }, (_, i) => makeStart({ model: `m${i}`, episode: `e${i}` })),
  );
  // All have hung once; from now on they are retries, which leave room.
  await world.pass(4 * 60_000);
  const at = world.clock.now();
  await world.happen(makeStart());
  await world.happen(makeEnd());
  expect(world.attempts.filter(({ hook }) => hook === "h")).toEqual([
    { at, key: start, hook: "h", events: [`${EPISODE}:start`] },
    { at, key: end, hook: "h", events: [`${EPISODE}:end`] },
  ]);
});

describe("promise 21: sixty models, each with a hook that hangs and one that answers", () => {
  const MODELS = 60;

  async function attachAll(hang: (i: number) => string): Promise<void> {
    for (let i = 0; i < MODELS; i++) {
      await world.attach("dead", { model: `m${i}`, config: { url: hang(i) } });
      await world.attach("h", { model: `m${i}`, config: { url: "http://good:1/" } });
    }
    world.answers.set("dead", never);
  }

  const everyStart = Array.from({ length: MODELS }, (_, i) =>
    makeStart({ model: `m${i}`, episode: `e${i}` }),
  );
  const countAt = (at: number) =>
    world.attempts.filter((attempt) => attempt.hook === "h" && attempt.at === at).length;

  test.each([
    ["one receiver", () => "http://dead:1/"],
    ["sixty receivers", (i: number) => `http://dead:${i + 1}/`],
  ])("%s that hang: the others are notified at once, also of what comes later", async (_, hang) => {
    await attachAll(hang);
    await world.delivery.start();
    await world.happen(...everyStart);
    for (let i = 0; i < 10; i++) await drain();
    expect(countAt(world.clock.now())).toBe(MODELS);

    await world.pass(3 * 60_000);
    const ends = everyStart.map(({ model, episode }) => makeEnd({ model, episode }));
    await world.happen(...ends);
    for (let i = 0; i < 10; i++) await drain();
    expect(countAt(world.clock.now())).toBe(MODELS);
  });

  test("the next server notifies the others at once too", async () => {
    await attachAll(() => "http://dead:1/");
    await world.delivery.start();
    await world.happen(...everyStart);
    await world.pass(90_000);
    await world.stop();
    world.delivery = world.make();
    await world.delivery.start();
    await world.happen(...everyStart.map(({ model, episode }) => makeEnd({ model, episode })));
    for (let i = 0; i < 10; i++) await drain();
    expect(countAt(world.clock.now())).toBe(MODELS);
  });

  test("hooks of an older version get their receiver at the start", async () => {
    await attachAll(() => "http://dead:1/");
    world.store.sqlite.run("update hooks set receiver = null");
    await world.delivery.start();
    await world.happen(...everyStart);
    const receivers = "select distinct receiver from outbox order by 1";
    expect(world.store.sqlite.query(receivers).values()).toEqual([["dead:1"], ["good:1"]]);
    expect(world.attempts.filter(({ hook }) => hook === "dead").length).toBeLessThanOrEqual(2);
  });
});

test("an attempt without an end counts as failed after a minute", async () => {
  await world.attach("h");
  world.answers.set("h", never);
  await world.delivery.start();
  await world.happen(makeStart());
  await world.pass(60_000);
  expect(await world.deliveries("h")).toMatchObject([
    { state: "waiting", attempts: 1, lastError: "no answer within 60 s" },
  ]);
});

describe("failures", () => {
  test("promise 21: permanent: visible on the hook, reported once, and the end is delivered all the same", async () => {
    await world.attach("h");
    world.answers.set("h", ({ key }) =>
      key === start ? { reject: "550 nobody of that name", code: "unreachable" } : "sent",
    );
    await world.delivery.start();
    await world.happen(makeStart(), makeEnd());
    await world.pass(HOUR);
    expect(world.keys()).toEqual([start, end]);
    expect(await world.deliveries("h")).toMatchObject([
      { state: "sent" },
      { state: "rejected", attempts: 1, lastError: "550 nobody of that name" },
    ]);
    expect(world.troubles).toEqual([
      {
        model: "m",
        hook: "h",
        kind: "webhook",
        event: `${EPISODE}:start`,
        state: "rejected",
        reason: "550 nobody of that name",
      },
    ]);
  });

  test("promise 21: for three days: expired, reported at the first failure and at the end", async () => {
    await world.attach("h");
    world.answers.set("h", () => ({ retry: "busy", code: "unreachable" }));
    await world.delivery.start();
    await world.happen(makeStart());
    for (let hour = 0; hour < 74; hour += 6) await world.pass(6 * HOUR, 6 * HOUR);
    expect(await world.deliveries("h")).toMatchObject([{ state: "expired", lastError: "busy" }]);
    expect(world.troubles.map(({ state }) => state)).toEqual(["retrying", "expired"]);
    expect(world.clock.pending).toBe(1);
  });

  test("a kind that throws is a bug: reported, retried, its text in no answer", async () => {
    await world.attach("h");
    world.answers.set("h", () => {
      throw new Error("hunter2");
    });
    await world.delivery.start();
    await world.happen(makeStart());
    expect(world.errors).toHaveLength(1);
    expect(await world.deliveries("h")).toMatchObject([
      { state: "waiting", lastError: "internal error; the log has the details" },
    ]);
    expect(JSON.stringify(world.troubles)).not.toContain("hunter2");
  });

  test("an event that was delivered but not recorded is not delivered again", async () => {
    await world.attach("h");
    const counted: string[] = [];
    world.delivery = world.make({ onAttempt: (kind, outcome) => counted.push(`${kind} ${outcome}`) });
    await world.delivery.start();
    const repair = await breakAt(world.store, "update on outbox");
    await world.happen(makeStart());
    await world.pass(60_000);
    expect(world.keys()).toEqual([start]);
    expect(world.errors.length).toBeGreaterThan(1);
    await repair();
    await world.pass(5000);
    expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }]);
    expect(world.keys()).toEqual([start]);
    expect(counted).toEqual(["webhook sent"]);
  });
});

test("an event whose delivery ends while due ones are read is not delivered again", async () => {
  await world.attach("h");
  const { engine } = world.store;
  const answered = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  let isHeld = false;
  // What is read is of before the delivery ended, as the answer of a database that is far.
  const read: Engine["read"] = async (work) => {
    const rows = await engine.read(work);
    if (!isHeld) return rows;
    isHeld = false;
    reading.resolve();
    await answered.promise;
    await drain();
    return rows;
  };
  const slow: Engine = {
    isShared: false,
    read,
    readOne: (work) => engine.readOne(work),
    write: (work) => engine.write(work),
    writeGuarded: (work) => engine.writeGuarded(work),
  };
  const outcome = Promise.withResolvers<Outcome>();
  world.answers.set("h", () => outcome.promise);
  world.delivery = world.make({ store: { ...world.store, engine: slow } });
  await world.delivery.start();
  await world.happen(makeStart());
  isHeld = true;
  world.delivery.wake();
  await reading.promise;
  outcome.resolve("sent");
  await drain();
  answered.resolve();
  await world.pass(5000);
  expect(world.keys()).toEqual([start]);
  expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }]);
});

describe("stop and restart", () => {
  test("promise 20: a delivery under way is repeated by the next server, with the same key", async () => {
    await world.attach("h");
    let aborted = false;
    world.answers.set("h", (_, signal) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      return never();
    });
    await world.delivery.start();
    await world.happen(makeStart());
    await world.stop();
    expect(aborted).toBe(true);
    expect(world.clock.pending).toBe(0);
    expect(await world.deliveries("h")).toMatchObject([{ state: "waiting", attempts: 0 }]);
    world.answers.clear();
    world.delivery = world.make();
    await world.delivery.start();
    await drain();
    expect(world.keys()).toEqual([start, start]);
    expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }]);
  });

  test("a stop waits for a delivery that ends soon", async () => {
    await world.attach("h");
    const outcome = Promise.withResolvers<Outcome>();
    world.answers.set("h", () => outcome.promise);
    await world.delivery.start();
    await world.happen(makeStart());
    const stopped = world.delivery.stop();
    outcome.resolve("sent");
    await stopped;
    expect(world.clock.pending).toBe(0);
    expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }]);
  });

  test("waiting events older than three days expire at the start", async () => {
    await world.attach("h");
    await world.happen(makeStart());
    await world.stop();
    world.clock.at += 73 * HOUR;
    world.delivery = world.make();
    await world.delivery.start();
    await world.happen(makeStart({ episode: "fresh" }));
    expect(world.keys()).toEqual(["fresh:start/h"]);
    expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }, { state: "expired" }]);
    expect(world.troubles).toMatchObject([{ state: "expired", reason: "not delivered within 3 days" }]);
  });

  test("shards that are drained wait for their deliveries, and their next events for another node", async () => {
    await world.attach("h");
    const outcome = Promise.withResolvers<Outcome>();
    world.answers.set("h", () => outcome.promise);
    const all = Array.from({ length: SHARDS }, (_, shard) => shard);
    world.delivery = world.make({ ownership: { owns: () => true, shards: all, leads: true } });
    await world.delivery.start();
    await world.happen(makeStart());
    let isDrained = false;
    const drained = world.delivery.drain([shardOf("m")]).then(() => {
      isDrained = true;
    });
    await world.happen(makeEnd());
    expect(isDrained).toBe(false);
    outcome.resolve("sent");
    await drained;
    await drain();
    expect(await world.deliveries("h")).toMatchObject([{ state: "waiting" }, { state: "sent" }]);
    // Given away, and taken back: nothing else waits for it.
    await world.delivery.lose([shardOf("m")]);
    await world.delivery.gain();
    await drain();
    expect(await world.deliveries("h")).toMatchObject([{ state: "sent" }, { state: "sent" }]);
  });

  test("a stopped delivery claims nothing", async () => {
    await world.attach("h");
    await world.delivery.start();
    await world.stop();
    await world.happen(makeStart());
    await world.pass(60_000);
    expect(world.attempts).toEqual([]);
    expect(world.clock.pending).toBe(0);
  });
});

// A resend was once known by an id that ended with `/again`.
test.each([
  "h",
  "again",
])("an alert of a hook named %s is resent every minute until its end", async (name) => {
  const [begun, over] = [`${EPISODE}:start/${name}`, `${EPISODE}:end/${name}`];
  await world.attach(name, { kind: "alertmanager" });
  await world.delivery.start();
  await world.happen(makeStart());
  await world.pass(150_000);
  expect(world.keys()).toEqual([begun, begun, begun]);
  await world.happen(makeEnd());
  await world.pass(HOUR, 10_000);
  expect(world.keys()).toEqual([begun, begun, begun, over]);
  expect(await world.deliveries(name)).toMatchObject([
    { id: over, state: "sent", resend: false },
    { id: begun, state: "sent", resend: false },
  ]);
});

test("a hook of another kind gets the events that waited for an alertmanager hook named again", async () => {
  await world.attach("again", { kind: "alertmanager" });
  world.answers.set("again", () => ({ retry: "down", code: "unreachable" }));
  await world.delivery.start();
  await world.happen(makeStart());
  world.answers.clear();
  await world.attach("again", { kind: "webhook" });
  await world.pass(10_000);
  expect(world.keys()).toEqual([`${EPISODE}:start/again`, `${EPISODE}:start/again`]);
});

test("promise 20: the reply to a mail never comes, the server restarts: the mail comes with the same Message-ID", async () => {
  const server = await startSmtp();
  server.behaviour = "hang-data";
  const sendMail = createMailer({ host: "127.0.0.1", port: server.port });
  const address = { address: "a@example.org" };
  await world.attach("h", { kind: "mail", config: { from: address, to: address } });
  const { deliverEvents } = await import("../../src/hooks/index.ts");
  const mailing = { services: makeContext({ sendMail }), deliver: deliverEvents };
  world.delivery = world.make(mailing);
  await world.delivery.start();
  await world.happen(makeStart(), makeEnd());
  const first = await server.arrived(1);
  await world.stop();
  server.behaviour = "accept";
  world.delivery = world.make(mailing);
  await world.delivery.start();
  const second = await server.arrived(2);
  const third = await server.arrived(3);
  expect(second.headers.get("message-id")).toBe(first.headers.get("message-id")!);
  expect(third.headers.get("references")).toBe(first.headers.get("message-id")!);
  while ((await world.deliveries("h")).some(({ state }) => state !== "sent")) await drain();
  await server.stop();
});
