// Examples of the API documentation: each is sent to a server and answered as shown.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Client, createClient } from "../../../src/cli/client/client.ts";
import { examples } from "../../../src/http/docs/examples/index.ts";
import type { ApiDocument } from "../../../src/http/docs/openapi-document.ts";
import { findDeviations } from "../../support/api-check.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type ServerProcess, startServer } from "../../support/server-process.ts";
import { apart, makePoints, type Needs, paramsOf, quickSettings, STEP_S, steps } from "./steps.ts";

const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
let dir: string;
let server: ServerProcess;
let client: Client;
let api: ApiDocument;
let trainingId: string;

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends an example. */
async function send(
  operation: string,
  { params = {}, query = "", token, bytes, headers }: Needs & { readonly token?: string } = {},
): Promise<Sent> {
  const [method = "", pattern = ""] = operation.split(" ");
  const { request, accepts = "application/json" } = examples[operation]!;
  const known = paramsOf(pattern, { params, jobId: trainingId });
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => known[name]!);
  const text = request === undefined || typeof request === "string" ? request : JSON.stringify(request);
  const body = bytes ?? text;
  const response = await fetch(`${server.url}${path}${query && `?${query}`}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": accepts }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const answer = await response.text();
  const type = response.headers.get("content-type");
  expect(findDeviations(api, { request: `${method} ${path}`, status, type, text: answer })).toEqual([]);
  return { status, text: answer };
}

/** Sends an example whose answer is the id of a job, and waits for it. */
async function run(operation: string): Promise<string> {
  const { status, text } = await send(operation);
  expect([operation, status, text]).toEqual([
    operation,
    expect.any(Number),
    expect.stringMatching(/^"[\w-]+"$/),
  ]);
  const id = JSON.parse(text) as string;
  expect((await client.waitForJob(id)).state).toBe("done");
  return id;
}

beforeAll(async () => {
  dir = temporaryFolder();
  const config = join(dir, "torus.yml");
  await Bun.write(config, quickSettings);
  server = await startServer({ dataDir: join(dir, "data"), args: ["--config", config] });
  client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) });
  api = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
  expect((await send("POST /buckets")).status).toBe(201);
  await client.waitForJob(await client.write("metrics", makePoints()));
  expect((await send("POST /models")).status).toBe(201);
  await client.call("PATCH /models/load", { body: { max_evals: 1, bucket_interval: STEP_S }, status: 204 });
  trainingId = await run("POST /models/:names/_train");
}, TEST_MS);

afterAll(() => server?.stop());

test("every operation is tried", () => {
  expect([...steps.map(([operation]) => operation), ...apart].sort()).toEqual(Object.keys(examples).sort());
});

test.each(steps)("%s", async (operation, { status, ...more } = {}) => {
  const sent = await send(operation, more);
  if (status !== undefined) expect([sent.status, sent.text]).toEqual([status, expect.any(String)]);
  else expect([sent.status < 300, sent.status < 300 ? "" : sent.text]).toEqual([true, ""]);
});

test("what takes time, and what ends things", async () => {
  await run("POST /models/:names/_backtest");
  const { text } = await send("POST /models/:names/_train");
  trainingId = JSON.parse(text) as string;
  expect((await send("POST /jobs/:names/_cancel")).status).toBe(204);
  expect((await send("POST /jobs/:names/_retry")).status).toBe(200);
  const ends = ["PATCH /buckets/:names", "POST /buckets/:names/_clear", "DELETE /models/:names"];
  for (const operation of [...ends, "DELETE /buckets/:names"])
    expect([operation, (await send(operation)).status]).toEqual([operation, 204]);
  expect((await send("GET /tokens")).text).toBe("[]");
  const { token } = JSON.parse((await send("POST /tokens")).text) as { token: string };
  expect((await send("DELETE /tokens/:names", { params: { names: "ops" }, token })).status).toBe(204);
});
