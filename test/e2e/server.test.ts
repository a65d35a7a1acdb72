// The whole service as a client sees it: one process, driven over HTTP, restarted, locked out and killed.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient, type Job, type Prediction } from "../../src/cli/client/client.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runServer, type ServerProcess, startServer } from "../support/server-process.ts";

const STEP = 900;
const DAY = 96;
const POINTS = 21 * DAY;
const START = Date.UTC(2026, 0, 5) / 1000;
const SPIKE = POINTS - 40;
const POLL_MS = 20;
const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);

const features = [{ name: "load", metric: "avg", field: "value" }];
const model = aModel({ name: "web", default_bucket: "points", bucket_interval: STEP, span: 24, features });
const training = { from: START, to: START + 15 * DAY * STEP, max_evals: 2, epochs: 40 };
const day = { from: START + 16 * DAY * STEP, to: START + 17 * DAY * STEP };

let dataDir: string;
let server: ServerProcess;
let client: Client;

beforeEach(async () => {
  dataDir = temporaryFolder();
  await start();
});

afterEach(() => server.kill());

async function start(): Promise<void> {
  server = await startServer({ dataDir });
  client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
}

/** A daily rhythm with a little noise, the same at every run, and a spike near the end. */
function makePoints(): object[] {
  return Array.from({ length: POINTS }, (_, i) => {
    const noise = (((i * 7919) % 101) / 101 - 0.5) * 4;
    const value = 100 + 40 * Math.sin((2 * Math.PI * i) / DAY) + noise;
    return { timestamp: START + i * STEP, value: i === SPIKE ? value + 150 : value };
  });
}

async function fill(): Promise<void> {
  await client.putBucket({ name: "points", type: "local" });
  await client.waitForJob(await client.write("points", makePoints()));
  await client.createModel(model);
}

const getModel = async () => (await client.call<Record<string, unknown>[]>("GET /models/web"))[0]!;

function expectWhole({ timestamps, observed, predicted }: Prediction, range: { from: number; to: number }) {
  const length = (range.to - range.from) / STEP;
  expect(timestamps).toEqual(Array.from({ length }, (_, i) => range.from + i * STEP));
  expect(observed.load!.length).toBe(length);
  for (const name of ["load", "lower_load", "upper_load"]) {
    expect(predicted[name]!.length).toBe(length);
    expect(predicted[name]!.every(Number.isFinite)).toBe(true);
  }
}

test("load, train, forecast, evaluate; a restart keeps it all; a second server is kept out", async () => {
  await fill();
  const seen: Job[] = [];
  await client.waitForJob(await client.train("web", training), (job) => seen.push(job));
  expect(seen.at(-1)).toMatchObject({ type: "training", state: "done", model: "web", result: null });
  expect(await getModel()).toMatchObject({ settings: model, state: { trained: true, span: 24 } });

  const forecast = await client.forecast("web", day);
  expectWhole(forecast, day);
  // Repeating the mean would be 25 off.
  const errors = forecast.predicted.load!.map((value, i) => Math.abs(value - forecast.observed.load![i]!));
  expect(errors.reduce((sum, error) => sum + error) / errors.length).toBeLessThan(15);
  const id = await client.call<string>("POST /models/web/_forecast", { query: { ...day, bg: true } });
  expect((await client.waitForJob(id)).result).toEqual(forecast);

  await expectSpikeFound();
  const versions = await client.call("GET /models/web/versions");
  expect(versions).toMatchObject([{ version: { name: "00", active: true }, state: { trained: true } }]);

  const second = await runServer({ dataDir });
  expect(second.exitCode).toBe(1);
  expect(second.output).toContain(dataDir);

  const before = { model: await getModel(), jobs: await client.call("GET /jobs"), forecast, versions };
  expect(await server.stop()).toBe(0);
  await start();
  const after = {
    model: await getModel(),
    jobs: await client.call("GET /jobs"),
    forecast: await client.forecast("web", day),
    versions: await client.call("GET /models/web/versions"),
  };
  expect(after).toEqual(before);
});

async function expectSpikeFound(): Promise<void> {
  const range = { from: START + 15 * DAY * STEP, to: START + POINTS * STEP };
  const evaluation = await client.evaluate("web", { ...range, detect_anomalies: true });
  expectWhole(evaluation, range);
  const stats = evaluation.stats!;
  expect(stats.length).toBe(evaluation.timestamps.length);
  const spike = stats[SPIKE - 15 * DAY]!;
  expect(spike).toMatchObject({ anomaly: true, anomalies: { load: { type: "high" } } });
  expect(spike.score).toBeGreaterThan(80);
  expect(spike.score).toBe(Math.max(...stats.map(({ score }) => score)));
}

test("promise 7: a training that loses its server runs again and ends", async () => {
  await fill();
  const id = await client.train("web", { ...training, epochs: 100 });
  await pollUntil(async () => (await client.getJob(id)).progress !== undefined);
  await server.kill();
  await start();
  expect(server.lines.join("\n")).toContain("jobs recovered");
  const job = await client.waitForJob(id);
  expect(job).toMatchObject({ id, state: "done" });
  expect(await getModel()).toMatchObject({
    state: { trained: true },
    training: { job_id: id, state: "done" },
  });
  expectWhole(await client.forecast("web", day), day);
});

test("promise 7: while a training is killed, runs again and is killed for good, the previous version forecasts", async () => {
  await fill();
  await client.waitForJob(await client.train("web", { ...training, max_evals: 1, epochs: 2 }));
  const forecast = await client.forecast("web", day);
  expectWhole(forecast, day);
  // Longer than any test: it only ends with its server.
  const id = await client.train("web", { ...training, max_evals: 1000, epochs: 100_000 });
  for (let life = 0; life < 2; life++) {
    await pollUntil(async () => (await client.getJob(id)).progress !== undefined);
    expect(await client.forecast("web", day)).toEqual(forecast);
    expect(await client.getJob(id)).toMatchObject({ state: "running" });
    await server.kill();
    await start();
  }
  expect(await client.getJob(id)).toMatchObject({
    state: "failed",
    code: "interrupted",
    error: "interrupted: server stopped twice while training",
  });
  expect(await client.forecast("web", day)).toEqual(forecast);
  expect(await client.call("GET /models/web/versions")).toMatchObject([
    { version: { name: "00", active: true } },
  ]);
});

async function pollUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadlineAt = performance.now() + TEST_MS / 3;
  while (!(await condition())) {
    if (performance.now() > deadlineAt) throw new Error("the condition was not met in time");
    await Bun.sleep(POLL_MS);
  }
}
