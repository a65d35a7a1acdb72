// A server that keeps two versions per model: trainings, restores and restarts as a client sees them.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const HOUR = 3600;
const LENGTH = 24 * 14;
setDefaultTimeout(90_000);

const features = [{ name: "load", metric: "avg", field: "load" }];
const model = aModel({ name: "web", default_bucket: "points", bucket_interval: HOUR, span: 12, features });

let dataDir: string;
let server: ServerProcess;
let client: Client;

beforeEach(async () => {
  dataDir = temporaryFolder();
  await start({ TORUS_SERVER_VERSIONS_KEPT: "2" });
});

afterEach(() => server.kill());

async function start(env: Record<string, string>): Promise<void> {
  server = await startServer({ dataDir, env });
  client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) });
}

/** A daily rhythm. */
function makePoints(): object[] {
  return Array.from({ length: LENGTH }, (_, i) => {
    return { timestamp: i * HOUR, load: 100 + 40 * Math.sin((2 * Math.PI * i) / 24) };
  });
}

async function train(): Promise<void> {
  await client.waitForJob(await client.train("web", { from: 0, to: LENGTH * HOUR, max_evals: 1, epochs: 1 }));
}

/** Names of the versions, the one that answers marked. */
async function versions(): Promise<string[]> {
  type View = { readonly version: { readonly name: string; readonly active: boolean } };
  const views = await client.call<View[]>("GET /models/web/versions");
  return views.map(({ version: { name, active } }) => (active ? `${name} active` : name));
}

/** @returns status and, of a refusal, its code */
async function restore(version: string): Promise<unknown[]> {
  const answer = await fetch(`${server.url}/models/web/_restore?version=${version}`, { method: "POST" });
  return answer.ok ? [answer.status] : [answer.status, ((await answer.json()) as { code: string }).code];
}

test("the newest two stay and one of them answers; names go on over restarts and settings", async () => {
  await client.putBucket({ name: "points", type: "local" });
  await client.waitForJob(await client.write("points", makePoints()));
  await client.createModel(model);
  for (let i = 0; i < 3; i++) await train();
  expect(await versions()).toEqual(["01", "02 active"]);
  expect(await restore("00")).toEqual([404, "not_found"]);
  expect(await restore("01")).toEqual([204]);
  expect(await versions()).toEqual(["01 active", "02"]);

  await train();
  expect(await versions()).toEqual(["02", "03 active"]);
  const range = { from: 24 * HOUR, to: 48 * HOUR };
  expect((await client.evaluate("web", range)).timestamps).toHaveLength(24);

  expect(await server.stop()).toBe(0);
  await start({ TORUS_SERVER_VERSIONS_KEPT: "1" });
  expect(await versions()).toEqual(["02", "03 active"]);
  await train();
  expect(await versions()).toEqual(["04 active"]);
  expect((await client.evaluate("web", range)).timestamps).toHaveLength(24);
});
