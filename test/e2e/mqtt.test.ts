// A real mosquitto and a bucket that subscribes to it: payloads, kills on both sides, TLS, rights, retained messages.
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeCertificate } from "../support/certificate.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Mosquitto, mosquittoMissing, startMosquitto } from "../support/mosquitto.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const WAIT_MS = 20_000;
/** Instants of points with a time of their own. */
const START_S = 1_767_225_600;
if (mosquittoMissing) console.warn(mosquittoMissing);

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startBroker(options: Parameters<typeof startMosquitto>[0] = {}): Promise<Mosquitto> {
  const broker = await startMosquitto(options);
  ends.push(() => broker.stop());
  return broker;
}

async function start(dataDir = temporaryFolder()): Promise<ServerProcess> {
  const server = await startServer({ dataDir });
  ends.push(() => server.kill());
  return server;
}

async function putBucket(server: ServerProcess, settings: object): Promise<Response> {
  return fetch(`${server.url}/buckets`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "edge", type: "mqtt", ...settings }),
  });
}

async function until<T>(name: string, read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const endsAt = performance.now() + WAIT_MS;
  while (performance.now() < endsAt) {
    const found = await read();
    if (found !== undefined) return found;
    await Bun.sleep(20);
  }
  throw new Error(`${name} did not happen`);
}

/** Values of a series over all times, oldest first. */
async function valuesOf(server: ServerProcess, selector: string): Promise<number[]> {
  const params = new URLSearchParams({ query: `${selector}[20y]`, time: String(Date.now() / 1000 + 60) });
  const response = await fetch(`${server.url}/prometheus/api/v1/query?${params}`);
  const body = (await response.json()) as { data: { result: { values: [number, string][] }[] } };
  return body.data.result.flatMap(({ values }) => values.map(([, value]) => Number(value)));
}

const arrived = (server: ServerProcess, selector: string, count: number) =>
  until(`${count} points of ${selector}`, async () => {
    const values = await valuesOf(server, selector);
    return values.length >= count ? values : undefined;
  });

const logged = (server: ServerProcess, text: string) =>
  until(`a line with ${text}`, () => server.lines.find((line) => line.includes(text)));

/** The subscription is there once a message comes through. */
async function subscribed(
  server: ServerProcess,
  broker: Mosquitto,
  topic: string,
  selector: string,
): Promise<void> {
  await until("the subscription", async () => {
    await broker.publish(topic, "0");
    return (await valuesOf(server, selector)).length > 0 || undefined;
  });
}

const topics = [
  { topic: "plant/{line}/{field}" },
  { topic: "json/{host}", format: "json", time: "ts", measurement: "power" },
  { topic: "lines/#", format: "lines", precision: "s" },
];
const reading = (i: number) => JSON.stringify({ ts: START_S + i, watts: i });

describe.skipIf(mosquittoMissing !== undefined && !isServerRequired)("mosquitto", () => {
  test("numbers, JSON and lines become points; a payload that is none is counted, and holds nothing up", async () => {
    const [broker, server] = [await startBroker(), await start()];
    expect((await putBucket(server, { addr: broker.addr, topics })).status).toBe(201);
    await subscribed(server, broker, "plant/l1/ready", "ready");
    await broker.publish("plant/l1/temp", "warm");
    await broker.publish("plant/l1/temp", "21.5");
    await broker.publish("json/h1", reading(7));
    await broker.publish("lines/x", `cpu,host=a load=3 ${START_S}\ncpu,host=b load=4 ${START_S}`);
    await broker.publish("other/topic", "1");
    expect(await arrived(server, "cpu_load", 2)).toEqual([3, 4]);
    expect(await valuesOf(server, 'temp{line="l1"}')).toEqual([21.5]);
    expect(await valuesOf(server, 'power_watts{host="h1"}')).toEqual([7]);
    expect(await logged(server, "message refused")).toContain("is not a number");
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('torus_refused_points_total{protocol="mqtt",reason="malformed"} 1');
    expect(metrics).toMatch(/torus_received_points_total\{protocol="mqtt"\} [5-9]/);
  });

  test("killed and started again while devices publish: no acknowledged message is missing", async () => {
    const dataDir = temporaryFolder();
    const broker = await startBroker();
    let server = await start(dataDir);
    await putBucket(server, { addr: broker.addr, topics });
    await subscribed(server, broker, "plant/l1/ready", "ready");
    const device = await broker.connect();
    const total = 600;
    for (let i = 0; i < total; i++) {
      await device.publishAsync("json/h1", reading(i), { qos: 1 });
      if (i % 200 !== 100) continue;
      await server.kill();
      server = await start(dataDir);
    }
    const values = await arrived(server, "power_watts", total);
    expect(values).toEqual(Array.from({ length: total }, (_, i) => i));
  });

  test("numbers that the broker kept meanwhile arrive at once, and none replaces another", async () => {
    const dataDir = temporaryFolder();
    const broker = await startBroker();
    const before = await start(dataDir);
    await putBucket(before, { addr: broker.addr, topics });
    await subscribed(before, broker, "plant/l1/ready", "ready");
    await before.kill();
    const device = await broker.connect();
    const numbers = Array.from({ length: 300 }, (_, i) => i);
    for (const i of numbers) await device.publishAsync("plant/l1/count", String(i), { qos: 1 });
    expect(await arrived(await start(dataDir), "count", numbers.length)).toEqual(numbers);
  });

  test("the broker dies and comes back: reported once each way, and the points go on", async () => {
    const [broker, server] = [await startBroker(), await start()];
    await putBucket(server, { addr: broker.addr, topics });
    await subscribed(server, broker, "plant/l1/ready", "ready");
    await broker.crash();
    expect(await logged(server, "subscription failing")).toContain('"bucket":"edge"');
    await broker.resume();
    await logged(server, "subscription back");
    await broker.publish("json/h1", reading(1));
    expect(await arrived(server, "power_watts", 1)).toEqual([1]);
    expect(server.lines.filter((line) => line.includes("subscription failing"))).toHaveLength(1);
  });

  test("over TLS with a password; a wrong one is refused by name and never shown", async () => {
    const { cert, key, certFile } = makeCertificate();
    const user = { username: "edge-user", password: "MARKER-broker-pw" };
    const [broker, server] = [await startBroker({ tls: { cert, key }, user }), await start()];
    const tls = { use_ssl: true, verify_ssl: true, ca_certs: certFile };
    const settings = { addr: broker.addr.replace("127.0.0.1", "localhost"), topics, ...tls };
    await putBucket(server, { ...settings, ...user, password: "MARKER-wrong" });
    const refused = await (await fetch(`${server.url}/buckets/edge/_test`, { method: "POST" })).text();
    expect(refused).toContain("refused the credentials");
    await logged(server, "subscription failing");
    await putBucket(server, { ...settings, ...user });
    await subscribed(server, broker, "plant/l1/ready", "ready");
    expect(
      (await (await fetch(`${server.url}/buckets/edge`)).text()) + refused + server.lines.join(),
    ).not.toContain("MARKER");
  });

  test("a retained message counts only where it has a time of its own, and once", async () => {
    const [broker, server] = [await startBroker(), await start()];
    await broker.publish("plant/l1/temp", "21", { retain: true });
    await broker.publish("json/h1", reading(3), { retain: true });
    await putBucket(server, { addr: broker.addr, topics });
    expect(await arrived(server, "power_watts", 1)).toEqual([3]);
    await subscribed(server, broker, "plant/l1/ready", "ready");
    expect(await valuesOf(server, "temp")).toEqual([]);
  });

  test("changed topics end the old subscription; a deleted bucket leaves no session at the broker", async () => {
    const [broker, server] = [await startBroker(), await start()];
    await putBucket(server, { addr: broker.addr, topics });
    await subscribed(server, broker, "plant/l1/ready", "ready");
    await putBucket(server, { addr: broker.addr, topics: [topics[0]] });
    await subscribed(server, broker, "plant/l1/again", "again");
    await broker.publish("json/h1", reading(1));
    expect((await fetch(`${server.url}/buckets/edge`, { method: "DELETE" })).status).toBe(204);
    const sessions = await broker.collect("$SYS/broker/clients/total");
    // This client alone; the broker counts every second.
    await until(
      "the end of the session",
      () => sessions.some(({ payload }) => payload.toString() === "1") || undefined,
    );
    await broker.publish("plant/l1/late", "1");
    await putBucket(server, { addr: broker.addr, topics });
    await subscribed(server, broker, "plant/l1/ready", "ready");
    expect(await valuesOf(server, "late")).toEqual([]);
    expect(await valuesOf(server, "power_watts")).toEqual([]);
  });

  test("a hook publishes; a killed server leaves its last will, and is back before any event", async () => {
    const dataDir = temporaryFolder();
    const file = join(temporaryFolder(), "torus.yml");
    await Bun.write(file, "hooks: {webhook: {private_addresses: true}}");
    const run = async () => {
      const server = await startServer({ dataDir, args: ["--config", file] });
      ends.push(() => server.kill());
      return server;
    };
    const [broker, server] = [await startBroker(), await run()];
    const send = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const config = { addr: broker.addr, topic: "alarms/{model}", status_topic: "alarms/status" };
    const added = await send("/hooks", { name: "bus", type: "mqtt", config });
    expect([added.status, await added.text()]).toEqual([201, expect.any(String)]);
    const seen = await broker.collect("alarms/#");
    const texts = () => seen.map(({ topic, payload }) => `${topic} ${payload}`);
    expect((await send("/hooks/bus/_test", {})).ok).toBe(true);
    await until(
      "the event",
      () => texts().some((text) => /^alarms\/\w+ .*"test":true/.test(text)) || undefined,
    );
    expect(texts()).toContain("alarms/status online");
    await server.kill();
    const offline = () => texts().indexOf("alarms/status offline");
    await until("the last will", () => offline() > 0 || undefined);
    await run();
    // A test that was delivered and not recorded comes again, after it.
    const next = await until("the return", () => texts()[offline() + 1]);
    expect(next).toBe("alarms/status online");
  });
});
