// A deployment before an anomaly: a hook is told of it, and of what followed the deployment before.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

setDefaultTimeout(120_000);
const STEP_S = 300;
const DAY = 288;
const DAYS = 6;
/** Starts of half an hour of high values, in intervals: on the fifth day and on the sixth. */
const SPIKES = [4 * DAY + 60, 5 * DAY + 200] as const;
const POLL_MS = 20;

const valueAt = (i: number) =>
  50 + 10 * Math.sin((2 * Math.PI * i) / DAY) + Math.sin(i * 12.9898) + (isSpike(i) ? 60 : 0);
const isSpike = (i: number) => SPIKES.some((start) => i >= start && i < start + 6);

let receiver: Receiver;
let server: ServerProcess;
beforeAll(async () => {
  receiver = startReceiver();
  const env = { TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true", TORUS_TRAINING_STEPS: "200" };
  server = await startServer({ dataDir: temporaryFolder(), env });
});
afterAll(async () => {
  await server?.stop();
  await receiver?.stop();
});

test("the start of an anomaly names the deployment before it", async () => {
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 50)) });
  const points = Array.from({ length: DAYS * DAY }, (_, i) => {
    return { timestamp: i * STEP_S, latency: valueAt(i), tags: { service: "web" } };
  });
  await client.putBucket({ name: "b", type: "local" });
  await client.waitForJob(await client.write("b", points));
  const match_all = [{ tag: "service", value: "web" }];
  await client.createModel({
    ...{ name: "m", type: "donut", default_bucket: "b", bucket_interval: STEP_S, max_evals: 1 },
    features: [{ name: "latency", metric: "avg", field: "latency", match_all }],
  });
  await client.waitForJob(await client.train("m", { from: 0, to: 4 * DAY * STEP_S, seed: 1 }));
  const hook = { name: "h", type: "webhook", config: { url: receiver.url } };
  await client.call("PUT /models/m/hooks", { body: hook, status: 201 });
  const changes = SPIKES.map((start, i) => {
    return { id: `web-${i}`, title: `web ${i}`, tags: { service: "web" }, at: start * STEP_S - 240 };
  });
  await client.call("POST /changes", { body: changes, status: 201 });
  const query = `from=${4 * DAY * STEP_S}&to=${DAYS * DAY * STEP_S}&detect_anomalies=true&record=true&hooks=true`;
  await client.call(`POST /models/m/_eval?${query}`, { status: 200 });
  const starts = () =>
    receiver.posts
      .map(({ body }) => JSON.parse(body).event)
      .filter(
        ({ kind, at }) => kind === "anomaly_start" && SPIKES.some((start) => at === start * STEP_S * 1000),
      );
  while (starts().length < 2) await Bun.sleep(POLL_MS);
  expect(starts().map(({ change }) => change)).toMatchObject([
    { id: "web-0", delayMs: 240_000, shared: { service: "web" }, history: { followed: 0, of: 0 } },
    { id: "web-1", delayMs: 240_000, history: { followed: 1, of: 1 } },
  ]);
});
