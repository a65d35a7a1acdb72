// Brokers of hooks on a real mosquitto: retained state, last will, farewell, outages, hooks that are removed.
import { afterEach, describe, expect, test } from "bun:test";
import { Brokers, type FollowedBroker } from "../../src/delivery/brokers.ts";
import type { HookBroker } from "../../src/hooks/kind.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { makeCertificate } from "../support/certificate.ts";
import { type Mosquitto, mosquittoMissing, startMosquitto } from "../support/mosquitto.ts";
import { isServerRequired } from "../support/spawned.ts";

if (mosquittoMissing) console.warn(mosquittoMissing);

const never = new AbortController().signal;
const message = { topic: "torus/load/anomaly", payload: "1", isRetained: true };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options: Parameters<typeof startMosquitto>[0] = {}): Promise<Mosquitto> {
  const mosquitto = await startMosquitto(options);
  ends.push(() => mosquitto.stop());
  return mosquitto;
}

function createBrokers(list: () => readonly HookBroker[], publicOnly = false): Brokers {
  const brokers = new Brokers({
    clock: systemClock,
    list: async () => list().map((broker) => ({ broker, kept: new Map() })),
    publicOnly: () => publicOnly,
    onError: (error) => expect(error).toBeUndefined(),
  });
  ends.push(() => brokers.stop());
  return brokers;
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + 15_000;
  while (!(await isDone())) {
    if (performance.now() > endsAt) throw new Error("it did not happen");
    await Bun.sleep(10);
  }
}

const texts = (packets: readonly { payload: Buffer | string }[]) =>
  packets.map(({ payload }) => payload.toString());

describe.skipIf(mosquittoMissing !== undefined && !isServerRequired)("brokers of hooks", () => {
  test("are connected from the start on; state is retained, and a stop says farewell", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    const brokers = createBrokers(() => [broker]);
    const status = await mosquitto.collect("torus/status");
    brokers.start();
    await until(() => texts(status).includes("online"));
    await brokers.publish(broker, message, never);
    await brokers.publish(broker, { topic: "torus/test", payload: "x", isRetained: false }, never);
    const later = await mosquitto.collect("torus/#");
    await until(() => later.length >= 2);
    expect(later.map(({ topic, retain }) => [topic, retain])).toEqual(
      expect.arrayContaining([
        ["torus/status", true],
        ["torus/load/anomaly", true],
      ]),
    );
    expect(later).toHaveLength(2);
    await brokers.stop();
    await until(() => texts(status).at(-1) === "offline");
  });

  test("an outage is an error of each attempt, and the next one after it works", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    const brokers = createBrokers(() => [broker]);
    await brokers.publish(broker, message, never);
    await mosquitto.crash();
    const error = await brokers.publish(broker, message, never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "bucket_unavailable" });
    await mosquitto.resume();
    await until(() =>
      brokers.publish(broker, message, never).then(
        () => true,
        () => false,
      ),
    );
    const state = await mosquitto.collect("torus/load/anomaly");
    await until(() => texts(state).includes("1"));
  });

  test("over TLS with a password; a wrong one and a private network are refused", async () => {
    const { cert, key, certFile } = makeCertificate();
    const user = { username: "torus", password: "MARKER-pw" };
    const mosquitto = await start({ tls: { cert, key }, user });
    const tls = { use_ssl: true, ca_certs: certFile };
    const broker = {
      addr: mosquitto.addr.replace("127.0.0.1", "localhost"),
      statusTopic: "s",
      ...tls,
      ...user,
    };
    await createBrokers(() => []).publish(broker, message, never);
    const failures = await Promise.all([
      createBrokers(() => [])
        .publish({ ...broker, password: "MARKER-wrong" }, message, never)
        .catch(String),
      createBrokers(() => [], true)
        .publish(broker, message, never)
        .catch(String),
      createBrokers(() => [])
        .publish({ ...broker, ca_certs: "/dev/null" }, message, never)
        .catch(String),
    ]);
    expect(failures[0]).toContain("refused the credentials");
    expect(failures[1]).toContain("private network");
    expect(failures[2]).toContain("ca_certs");
    expect(failures.join()).not.toContain("MARKER");
  });

  /** Brokers whose rounds the test begins. */
  function createRounds(list: () => readonly FollowedBroker[]) {
    const timers: (() => void)[] = [];
    const clock = {
      now: () => systemClock.now(),
      setTimer: (callback: () => void, ms: number) => {
        if (ms < 10_000) return systemClock.setTimer(callback, ms);
        timers.push(callback);
        return () => {};
      },
    };
    const deps = { clock, list: async () => list(), publicOnly: () => false, onError: () => {} };
    const brokers = new Brokers(deps);
    ends.push(() => brokers.stop());
    const next = async () => {
      await until(() => timers.length > 0);
      timers.pop()!();
      await until(() => timers.length > 0);
    };
    return { brokers, next };
  }

  test("a broker that no hook uses any more is left, and keeps nothing", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    let list: readonly FollowedBroker[] = [{ broker, kept: new Map([["torus/a", "1"]]) }];
    const { brokers, next } = createRounds(() => list);
    const status = await mosquitto.collect("torus/status");
    const seen = await mosquitto.collect("torus/a");
    brokers.start();
    await until(() => texts(status).at(-1) === "online" && texts(seen).join() === "1");
    list = [];
    await next();
    await until(() => texts(status).at(-1) === "offline" && texts(seen).join() === "1,");
    expect(await keptAt(mosquitto)).toEqual(["torus/status offline"]);
  });

  test("what hooks of one broker keep is published when it changes, and cleared when it is no longer kept", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    const kept = [new Map([["torus/a", "1"]]), new Map([["torus/b", "1"]])];
    const { brokers, next } = createRounds(() => kept.map((own) => ({ broker, kept: own })));
    const seen = await mosquitto.collect("torus/+");
    const changes = () => seen.filter(({ topic }) => topic !== "torus/status");
    brokers.start();
    await until(() => changes().length === 2);
    await next();
    kept[0] = new Map([["torus/a", "2"]]);
    await next();
    await until(() => changes().length === 3);
    kept[1] = new Map();
    await next();
    await until(() => changes().length === 4);
    expect(changes().map(({ topic, payload }) => `${topic} ${payload}`)).toEqual([
      "torus/a 1",
      "torus/b 1",
      "torus/a 2",
      "torus/b ",
    ]);
    expect(await keptAt(mosquitto)).toEqual(["torus/a 2", "torus/status online"]);
  });

  test("a broker that has lost what it kept gets it again", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    const { brokers, next } = createRounds(() => [{ broker, kept: new Map([["torus/a", "1"]]) }]);
    const status = await mosquitto.collect("torus/status");
    brokers.start();
    await until(() => texts(status).includes("online"));
    await mosquitto.crash();
    await mosquitto.resume();
    await until(async () => {
      await next();
      return (await keptAt(mosquitto)).includes("torus/a 1");
    });
  });
});

/** Retained messages of the broker, by topic. */
async function keptAt(mosquitto: Mosquitto): Promise<readonly string[]> {
  const end = `end-${crypto.randomUUID()}`;
  const kept = await mosquitto.collect("#");
  await mosquitto.publish(end, "");
  await until(() => kept.some(({ topic }) => topic === end));
  const retained = kept.filter(({ retain }) => retain);
  return retained.map(({ topic, payload }) => `${topic} ${payload}`).sort();
}
