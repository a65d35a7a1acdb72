// World of long names: a model of 64 letters, a fleet of hosts of 80, fields, hooks and schedules as long.
import { createClient } from "../../../src/cli/client/client.ts";
import { createRandom } from "../../../wasm/random.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { startServer } from "../../support/server-process.ts";
import { addLimits, noise } from "./limits-world.ts";
import { recordAnomalies } from "./recorded.ts";
import type { World } from "./world.ts";

const STEP = 300;
const POINTS = 288 * 3;
const HOSTS = 4;
/** More models than the list of buckets names. */
const MANY = 12;

/** A name without a place to break. */
const long = (start: string, length: number) => start.padEnd(length, "abcdefghij");

export const longModel = long("model", 64);
export const longFleet = long("fleet", 64);
const longField = long("field", 64);
const longBucket = long("bucket", 64);
const hosts = Array.from({ length: HOSTS }, (_, i) => long(`host${i}`, 80));

/** Screens of it, with the names of the others replaced. */
export function ofLongNames(hash: string): string {
  return hash
    .replaceAll("cpu", longModel)
    .replace("models/load", `models/${longFleet}`)
    .replace("fleet=load", `fleet=${longFleet}`)
    .replace("web-3", hosts[0]!)
    .replace("group=host", "group=hostname")
    .replace("host%3A", "hostname%3A")
    .replace(/(buckets\/|bucket=)(b|hosts)\b/, `$1${longBucket}`)
    .replace(/(field=)load/, `$1${longField}`)
    .replace(/(constraint=)load/, `$1${longField}`);
}

/** Starts the server, live; its hook cannot be reached. */
export async function makeLongWorld(dataDir = temporaryFolder()): Promise<World> {
  const open = [longModel, longFleet, "idle"].map((model) => ({ model, hoursAgo: 2, isOpen: true }));
  const past = [30, 60, 90].map((hoursAgo) => ({ model: longModel, hoursAgo }));
  const alarms = noise.map((anomaly) => ({ ...anomaly, model: long(anomaly.model, 64) }));
  await recordAnomalies(dataDir, [...open, ...past, ...alarms]);
  const env = { TORUS_TRAINING_STEPS: "100", TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true" };
  const server = await startServer({ dataDir, env });
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 50)) });
  const send = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(server.url + path, init);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  await client.putBucket({ name: longBucket, type: "local" });
  const now = Math.floor(Date.now() / 1000 / STEP) * STEP;
  await client.waitForJob(await client.write(longBucket, pointsUntil(now)));
  const settings = { type: "donut", default_bucket: longBucket, bucket_interval: STEP } as const;
  const features = [{ name: longField, metric: "avg", field: longField }];
  const rest = { ...settings, max_evals: 1, span: 24, features };
  await client.createModel({ name: longModel, ...rest });
  await client.createModel({ name: "idle", ...rest });
  await client.createModel({ name: longFleet, ...rest, group_by: ["hostname"] });
  const range = { from: now - POINTS * STEP, to: now, seed: 1 };
  for (const name of [longModel, longFleet]) {
    await client.waitForJob(await client.train(name, range));
    await send("POST", `/models/${name}/_start?detect_anomalies=true`);
  }
  const url = `http://localhost:9/${long("hook", 80)}`;
  const hook = { type: "webhook", config: { url } };
  await send("PUT", `/models/${longModel}/hooks/${long("hook", 64)}`, hook);
  await send("PUT", `/hooks/${long("global", 64)}`, hook);
  await send("POST", `/models/${longModel}/hooks/${long("hook", 64)}/_test`);
  const job = {
    method: "post",
    relative_url: `/models/${longModel}/_train`,
    params: { from: "now-3d", to: "now" },
  };
  await send("POST", "/scheduled_jobs", {
    name: long("schedule", 64),
    ...job,
    every: { count: 1, unit: "days" },
  });
  return { server, url: server.url };
}

/** Adds models that read the bucket, of long names. */
export async function addLongModels(url: string): Promise<void> {
  const client = createClient({ baseUrl: url, sleep: (ms) => Bun.sleep(ms) });
  const features = [{ name: longField, metric: "avg", field: longField }];
  const settings = { type: "donut", default_bucket: longBucket, bucket_interval: STEP, features } as const;
  for (let i = 0; i < MANY; i++) await client.createModel({ name: long(`another${i}`, 64), ...settings });
}

/** Adds limits and a model of false alarms, of long names. */
export function addLongLimits(url: string): Promise<void> {
  return addLimits(url, { nameOf: (short) => long(short, 64), bucket: longBucket });
}

function pointsUntil(now: number) {
  const random = createRandom(7);
  return hosts.flatMap((hostname, h) =>
    Array.from({ length: POINTS }, (_, i) => {
      const value = 20 + h + 10 * Math.sin((2 * Math.PI * i) / 288) + 0.5 * random.normal();
      return { timestamp: now - (POINTS - i) * STEP, tags: { hostname }, [longField]: value };
    }),
  );
}
