// Brokers of hooks on a real mosquitto: retained state, last will, farewell, outages, hooks that are removed.
import { afterEach, describe, expect, test } from "bun:test";
import { Brokers } from "../../src/delivery/brokers.ts";
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
    list: async () => list(),
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

  test("a broker that no hook uses any more is left", async () => {
    const mosquitto = await start();
    const broker = { addr: mosquitto.addr, statusTopic: "torus/status" };
    const timers: (() => void)[] = [];
    const clock = {
      now: () => systemClock.now(),
      setTimer: (callback: () => void, ms: number) => {
        if (ms < 10_000) return systemClock.setTimer(callback, ms);
        timers.push(callback);
        return () => {};
      },
    };
    let list: readonly HookBroker[] = [broker];
    const deps = { clock, list: async () => list, publicOnly: () => false, onError: () => {} };
    const brokers = new Brokers(deps);
    ends.push(() => brokers.stop());
    const status = await mosquitto.collect("torus/status");
    brokers.start();
    await until(() => texts(status).at(-1) === "online");
    list = [];
    await until(() => timers.length > 0);
    timers.pop()!();
    await until(() => texts(status).at(-1) === "offline");
  });
});
