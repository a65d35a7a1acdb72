// Promise 9, on a real process: compute workers die in every way there is while clients go on asking.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, type Job } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, type StartOptions, startServer } from "../support/server-process.ts";
import { putSmallModel } from "../support/small-model.ts";

const REQUEST_EVERY_MS = 20;
setDefaultTimeout(90_000);
/** Below what the runtime of a compute worker reserves, and above what else a server takes. */
const SPARE_BYTES = 1_500_000_000;
const training = { from: 0, to: 18_000, max_evals: 1, epochs: 2 };

let dataDir: string;
let server: ServerProcess | undefined;
let client: Client;

beforeEach(async () => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

async function start(options: Partial<StartOptions> = {}): Promise<void> {
  server = await startServer({ dataDir, args: ["--workers", "1"], ...options });
  client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(REQUEST_EVERY_MS) });
  await putSmallModel(client);
}

/** The training as it ended, well or not. */
async function train(): Promise<Job> {
  const id = await client.train("m", training);
  await client.waitForJob(id).catch(() => {});
  return client.getJob(id);
}

/** Fifty requests a second, reads and writes, for as long as the work takes. @returns those that failed */
async function askDuring(work: () => Promise<void>): Promise<unknown[]> {
  const { url } = server!;
  const answers: Promise<unknown>[] = [];
  const asks = [
    () => fetch(`${url}/models/m`),
    () => fetch(`${url}/write?db=b&precision=s`, { method: "POST", body: `p x=1 ${answers.length}` }),
    () => fetch(`${url}/jobs?per_page=5`),
    () => fetch(`${url}/livez`),
  ];
  const ask = async (n: number) => {
    const response = await asks[n % asks.length]!();
    await response.arrayBuffer();
    return response.ok ? undefined : `${response.url} answered ${response.status}`;
  };
  const timer = setInterval(() => {
    answers.push(ask(answers.length).catch((error) => error));
  }, REQUEST_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  expect(answers.length).toBeGreaterThan(0);
  return (await Promise.all(answers)).filter((failure) => failure !== undefined);
}

/** Moves the limit of the process's private memory; without `bytes` there is none. */
function limitData(pid: number, bytes?: number): void {
  const limit = `--data=${bytes === undefined ? "unlimited" : Math.round(bytes)}:unlimited`;
  const { exitCode, stderr } = Bun.spawnSync(["prlimit", "--pid", String(pid), limit]);
  if (exitCode !== 0) throw new Error(`prlimit: ${stderr}`);
}

function dataBytes(pid: number): number {
  return Number(/VmData:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
}

const reason = whyNoLimits();
if (reason) console.warn(`promise 9, memory: skipped, ${reason}`);

function whyNoLimits(): string | undefined {
  if (process.platform !== "linux") return "limits of memory are set as Linux has them";
  return Bun.which("prlimit") ? undefined : "there is no prlimit here";
}

test("promise 9: each death of a worker fails its training alone: none of fifty requests a second does", async () => {
  const deaths = ["throw", "reject", "exit", ...(reason ? [] : ["memory"])];
  const preload = join(import.meta.dir, "../support/mortal-workers.ts");
  const env = { BUN_OPTIONS: `--preload=${preload}`, MORTAL_TRAININGS: deaths.join(",") };
  // A compiled server takes no preloaded files.
  await start({ env, program: "" });
  const failures = await askDuring(async () => {
    for (const death of deaths) {
      if (death === "memory") limitData(server!.pid, dataBytes(server!.pid) + 6e9);
      expect([death, await train()]).toMatchObject([death, { state: "failed", code: "worker_crashed" }]);
    }
    expect(await train()).toMatchObject({ state: "done" });
  });
  expect(failures).toEqual([]);
  expect(server!.lines.filter((line) => line.includes("compute worker crashed"))).toHaveLength(deaths.length);
});

test.skipIf(reason !== undefined)(
  "promise 9: a worker whose runtime gets no memory fails its training, and the next one is done when there is some",
  async () => {
    await start();
    const { pid } = server!;
    const failures = await askDuring(async () => {
      limitData(pid, dataBytes(pid) + SPARE_BYTES);
      const failed = await train();
      expect(failed).toMatchObject({ state: "failed", code: "worker_crashed" });
      expect(failed.error).toContain("emory");
      limitData(pid);
      expect(await train()).toMatchObject({ state: "done" });
    });
    expect(failures).toEqual([]);
    expect((await client.forecast("m", { from: 18_000, to: 18_600 })).predicted.x).toHaveLength(10);
  },
);
