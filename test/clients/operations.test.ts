// Every operation, called once by each client against a live server, in the order of the examples.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Api } from "../../.ci/clients/api.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { apart, makePoints, quickSettings, STEP_S, steps } from "../http/docs/steps.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { listCalls, writePythonCalls, writeTypescriptCalls } from "./calls.ts";
import { compileClient, hasPython, readOwnApi, startPython, writePythonClient } from "./generated.ts";

setDefaultTimeout(180_000);
/** Enough for the model of the examples. */
const DAYS = 8;

/** Operations whose answers are described in part: the API document, the tree of a query. */
const open = /openapi\.json|parse_query/;

/** What came of a call. */
interface Outcome {
  /** 200 for every good answer. */
  readonly status: number;
  readonly type?: string;
  /** An answer that is a text, or the token in it. */
  readonly told?: string | null;
  /** Keys of the answer that the client has no name for. */
  readonly unknown?: readonly string[];
  readonly message?: string;
}

interface Asked {
  readonly key: string;
  readonly url: string;
  readonly token?: string;
  readonly job: string;
}

interface Caller {
  call(asked: Asked): Promise<Outcome>;
  stop?(): Promise<void>;
}

interface CompiledClient {
  readonly Torus: new (options: { url: string; token?: string | undefined }) => object;
  readonly TorusError: new () => Error & { readonly status: number };
}
type Calls = Readonly<Record<string, (torus: object, job: string) => Promise<unknown>>>;

let api: Api;
beforeAll(async () => {
  api = await readOwnApi();
});

test("there is a call of every operation", () => {
  const called = listCalls(api).map(({ operation }) => operation.id);
  expect(called.sort()).toEqual(api.operations.map(({ id }) => id).sort());
});

async function startTypescript(): Promise<Caller> {
  const folder = await compileClient(api, { "src/calls.ts": writeTypescriptCalls(listCalls(api)) });
  const { Torus, TorusError } = (await import(join(folder, "index.js"))) as CompiledClient;
  const { calls } = (await import(join(folder, "calls.js"))) as { readonly calls: Calls };
  return {
    call: async ({ key, url, token, job }) => {
      try {
        const answer = await calls[key]!(new Torus({ url, token }), job);
        const told =
          typeof answer === "string" ? answer : ((answer as { token?: string } | undefined)?.token ?? null);
        return { status: 200, told };
      } catch (error) {
        if (!(error instanceof TorusError)) throw error;
        return { status: error.status, message: error.message };
      }
    },
  };
}

async function startPythonCalls(): Promise<Caller> {
  const python = startPython(writePythonClient(api), writePythonCalls(listCalls(api)));
  return { call: async (asked) => JSON.parse(await python.ask(asked)) as Outcome, stop: python.stop };
}

describe.each([
  ["TypeScript", startTypescript, true],
  ["Python", startPythonCalls, hasPython()],
] as const)("the %s client", (_language, start, canRun) => {
  if (!canRun) return;
  let server: ServerProcess;
  let caller: Caller;
  let jobId = "";
  const called: string[] = [];

  const call = async (key: string, token?: string): Promise<Outcome> => {
    called.push(key);
    const outcome = await caller.call({ key, url: server.url, job: jobId, ...(token && { token }) });
    if (!open.test(key)) expect([key, outcome.unknown ?? []]).toEqual([key, []]);
    return outcome;
  };
  const succeed = async (key: string, token?: string): Promise<string> => {
    const { status, message = "", told } = await call(key, token);
    expect([key, status, message]).toEqual([key, 200, ""]);
    return told ?? "";
  };

  beforeAll(async () => {
    const dir = temporaryFolder();
    await Bun.write(join(dir, "torus.yml"), quickSettings);
    server = await startServer({ dataDir: join(dir, "data"), args: ["--config", join(dir, "torus.yml")] });
    caller = await start();
  });
  afterAll(async () => {
    await caller?.stop?.();
    await server?.stop();
  });

  test("calls every operation", async () => {
    const cli = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) });
    const run = async (key: string) => expect((await cli.waitForJob(await succeed(key))).state).toBe("done");
    await succeed("POST /buckets");
    await cli.waitForJob(await cli.write("metrics", makePoints(DAYS)));
    await succeed("POST /models");
    await cli.call("PATCH /models/load", { body: { max_evals: 1, bucket_interval: STEP_S }, status: 204 });
    jobId = await succeed("POST /models/:names/_train");
    await cli.waitForJob(jobId);
    for (const [key, needs] of steps) {
      const { status, message = "" } = await call(key);
      expect([key, status, needs?.status ? "" : message]).toEqual([key, needs?.status ?? 200, ""]);
    }
    await run("POST /models/:names/_backtest");
    await succeed("PATCH /models/:names");
    jobId = await succeed("POST /models/:names/_train");
    await succeed("POST /jobs/:names/_cancel");
    await succeed("POST /jobs/:names/_retry");
    for (const key of [
      "PATCH /buckets/:names",
      "POST /buckets/:names/_clear",
      "DELETE /models/:names",
      "DELETE /buckets/:names",
      "GET /tokens",
    ])
      await succeed(key);
    await succeed("DELETE /tokens/:names", await succeed("POST /tokens"));
    expect([...new Set(called)].sort()).toEqual([...steps.map(([key]) => key), ...apart].sort());
  });
});
