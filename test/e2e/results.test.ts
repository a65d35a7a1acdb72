// Attack C2 on a real process: looking leaves nothing, large results are streamed, and the server answers meanwhile.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Job } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const dataDir = temporaryFolder();
/** As often as one address names the same job. */
const TIMES = 200;
let server: ServerProcess;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  const env = {
    TORUS_SERVER_LIMITS_JOB_RESULT_BYTES: "4000000",
    TORUS_SERVER_LIMITS_JOB_RESULTS_BYTES: "10000000",
  };
  server = await startServer({ dataDir, env });
  client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(ms) });
  await client.putBucket({ name: "b", type: "local" });
});
afterAll(() => server.stop());

/** A read of empty intervals of 10 ms. @returns its job's id */
const read = (seconds: number) => {
  const query = { from: "0", to: String(seconds), bucket_interval: "0.01", features: "avg(v)" };
  return client.call<string>("POST /buckets/b/_read", { query });
};
const size = () => statSync(join(dataDir, "torus.db")).size + statSync(join(dataDir, "torus.db-wal")).size;

test("a result answered in the request is not in the database", async () => {
  const series = Array.from({ length: 30_000 }, (_, i) => ({ timestamp: i * 60, value: Math.sin(i / 9) }));
  const answer = await client.call<{ expectedValues: unknown[] }>("POST /_detect", {
    body: { series, granularity: "minutely" },
  });
  expect(answer.expectedValues).toHaveLength(series.length);
  const [job] = await client.call<Job[]>("GET /jobs", { query: { type: "prediction" } });
  expect(job).toMatchObject({ state: "done", result: null, result_omitted: true });
  expect(size()).toBeLessThan(4_000_000);
}, 180_000);

test("a result beyond the cap fails its job with the way out; the others are bounded in sum", async () => {
  const id = await read(5000);
  await expect(client.waitForJob(id)).rejects.toThrow("the result is larger than 3 MiB");
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) {
    ids.push(await read(1400));
    await client.waitForJob(ids.at(-1)!);
  }
  const query = { state: "done", type: "read", sort: "start_timestamp:1" };
  const all = await client.call<Job[]>("GET /jobs", { query });
  expect(all.map(({ result }) => result)).toEqual(Array(6).fill(null));
  const named = { ...query, fields: "id;result", include_fields: true };
  const kept = (await client.call<Job[]>("GET /jobs", { query: named })).filter(
    ({ result }) => result !== null,
  );
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.map(({ id }) => id)).toEqual(ids.slice(-kept.length));
  expect(size()).toBeLessThan(30_000_000);
}, 180_000);

test("one id many times is sent as often, in little memory, while the server answers others", async () => {
  const id = await read(1400);
  await client.waitForJob(id);
  const one = JSON.stringify(await client.call(`GET /jobs/${id}`));
  expect(one.length).toBeGreaterThan(1_000_000);
  const path = `GET /jobs/${Array(TIMES).fill(id).join(";")}`;
  const rss = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${server.pid}/status`).text())?.[1]) * 1024;
  const before = await rss();
  const answer = await client.open(path, { query: { fields: "result", include_fields: true } });
  let bytes = 0;
  let most = 0;
  let answered = 0;
  for await (const chunk of answer.body!) {
    bytes += chunk.length;
    most = Math.max(most, await rss());
    if ((await fetch(`${server.url}/livez`)).ok) answered++;
  }
  expect(bytes).toBeGreaterThan((TIMES - 1) * one.length);
  expect(answered).toBeGreaterThan(10);
  // The answer is more than 300 MB.
  expect(most - before).toBeLessThan(120_000_000);
  const pretty = await client.open(`GET /jobs/${id}`, { query: { pretty: true } });
  expect((await pretty.text()).startsWith('[\n  {\n    "id"')).toBe(true);
}, 180_000);

test("a client that leaves in the middle, or asks for the head alone, costs nothing", async () => {
  const id = await read(1400);
  await client.waitForJob(id);
  const answer = await client.open(
    `GET /jobs/${Array(50).fill(id).join(";")}?fields=result&include_fields=1`,
  );
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
  expect((await fetch(`${server.url}/jobs/${id}`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
}, 180_000);
