// Live detection in a whole service: a trained model, and a local bucket that fills up meanwhile.
import { expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { startTestServer, type TestServer } from "../contract/server.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";

const HISTORY = 900;
const SPIKE = 500;
const POLL_MS = 100;
const DEADLINE_MS = 30_000;

setDefaultTimeout(4 * DEADLINE_MS);

const dir = temporaryFolder();

async function start(): Promise<{ server: TestServer; client: Client }> {
  const server = await startTestServer({ dir, args: ["--workers", "1"] });
  return { server, client: createClient({ baseUrl: server.url, sleep: () => Bun.sleep(POLL_MS / 5) }) };
}

/** A rhythm of 20 seconds with a little noise, the same for the same second. */
function valueAt(second: number): number {
  const noise = (((second * 7919) % 101) / 101 - 0.5) * 4;
  return 100 + 40 * Math.sin((2 * Math.PI * second) / 20) + noise;
}

const nowSecond = () => Math.floor(Date.now() / 1000);
const pointAt = (second: number, over = 0) => ({ timestamp: second, value: valueAt(second) + over });

interface View {
  readonly settings: { readonly run?: unknown };
  readonly live?: {
    readonly last_window: number | null;
    readonly failures: number;
    readonly lag: number;
    readonly anomaly?: { readonly start: number };
    readonly evaluations: readonly { readonly outcome: string }[];
  };
}
interface Anomaly {
  readonly start: number;
  readonly end: number | null;
}

const viewOf = async (client: Client) => (await client.call<View[]>("GET /models/web"))[0]!;

/** The last second of which there is a point: none is left out while nobody writes, as a gap would be odd as well. */
let written = 0;

/** Writes a point per second, `over` beyond the ordinary, until the condition holds. */
async function writeUntil(client: Client, over: number, condition: () => Promise<boolean>): Promise<void> {
  const deadlineAt = performance.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineAt) throw new Error(JSON.stringify(await viewOf(client)));
    const second = nowSecond();
    const first = written + 1;
    const due = Array.from({ length: second - written }, (_, i) => pointAt(first + i, over));
    if (due.length > 0) await client.waitForJob(await client.write("points", due));
    written = second;
    await Bun.sleep(POLL_MS);
  }
}

async function train(client: Client): Promise<void> {
  await client.putBucket({ name: "points", type: "local" });
  await client.putBucket({ name: "saved", type: "local" });
  const first = nowSecond() - HISTORY;
  await client.waitForJob(
    await client.write(
      "points",
      Array.from({ length: HISTORY }, (_, i) => pointAt(first + i)),
    ),
  );
  written = first + HISTORY - 1;
  await client.createModel(
    aModel({
      name: "web",
      default_bucket: "points",
      bucket_interval: "1s",
      offset: "1s",
      span: 10,
      max_threshold: 80,
      min_threshold: 60,
      features: [{ name: "load", metric: "avg", field: "value" }],
    }),
  );
  const range = { from: first, to: first + HISTORY };
  await client.waitForJob(await client.train("web", { ...range, max_evals: 1, epochs: 60 }));
}

test("an anomaly starts, outlives a restart, and ends; what was predicted is saved", async () => {
  let { server, client } = await start();
  try {
    await expect(client.call("POST /models/nobody/_start")).rejects.toThrow();
    await train(client);
    await client.call("POST /models/web/_start", {
      query: { detect_anomalies: true, save_output_data: true, output_bucket: "saved" },
    });
    const began = nowSecond();
    await writeUntil(client, 0, async () => ((await viewOf(client)).live?.last_window ?? 0) > began);
    expect(await viewOf(client)).toMatchObject({ settings: { run: {} }, live: { failures: 0 } });

    // What is saved is written after what was found is recorded, and a stop does not wait for it.
    await writeUntil(client, SPIKE, async () => {
      const { live } = await viewOf(client);
      return live?.anomaly !== undefined && (await readSaved(client, live.anomaly.start)) !== undefined;
    });
    const { start: startedAt } = (await viewOf(client)).live!.anomaly!;

    await server.stop();
    ({ server, client } = await start());
    expect((await viewOf(client)).live?.anomaly).toMatchObject({ start: startedAt });
    const list = () => client.call<Anomaly[]>("GET /models/web/anomalies");
    await writeUntil(client, 0, async () => (await list()).every(({ end }) => end !== null));
    const [newest] = await list();
    expect(newest).toMatchObject({ start: startedAt, features: { load: { type: "high" } } });
    expect(newest!.end!).toBeGreaterThan(startedAt);

    await client.call("POST /models/web/_stop");
    expect((await viewOf(client)).live).toBeUndefined();
    await expectSaved(client, startedAt);
  } finally {
    await server.stop();
  }
});

/** Predicted, observed and score of an interval; undefined while they are not saved. */
async function readSaved(client: Client, at: number): Promise<number[] | undefined> {
  const read = { from: at, to: at + 1, bucket_interval: 1, features: "avg(load);avg(@load);avg(score)" };
  const id = await client.call<string>("POST /buckets/saved/_read", { query: read });
  const { result } = await client.waitForJob(id);
  const { observed } = result as { observed: Record<string, (number | null)[]> };
  const values = Object.values(observed).map((column) => column[0] ?? null);
  return values.includes(null) ? undefined : (values as number[]);
}

async function expectSaved(client: Client, at: number): Promise<void> {
  const [predicted, seen, score] = (await readSaved(client, at))!;
  expect(seen! - predicted!).toBeGreaterThan(SPIKE / 2);
  expect(score!).toBeGreaterThan(80);
}
