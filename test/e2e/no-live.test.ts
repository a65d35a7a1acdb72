// A copy of a server that is started beside the original: it answers, and does nothing by itself.
import { expect, test } from "bun:test";
import { temporaryFolder } from "../support/folder.ts";
import { startServer } from "../support/server-process.ts";

const dir = temporaryFolder();

async function lastRun(url: string): Promise<number | undefined> {
  const [job] = (await (await fetch(`${url}/scheduled_jobs/tick`)).json()) as {
    last_run_timestamp?: number;
  }[];
  return job!.last_run_timestamp;
}

test("with --no-live scheduled jobs do not run, and the log says so", async () => {
  const original = await startServer({ dataDir: dir });
  const job = { name: "tick", method: "get", relative_url: "/livez", every: { unit: "second" } };
  const headers = { "content-type": "application/json" };
  await fetch(`${original.url}/scheduled_jobs`, { method: "POST", headers, body: JSON.stringify(job) });
  while ((await lastRun(original.url)) === undefined) await Bun.sleep(50);
  await original.stop();

  const copy = await startServer({ dataDir: dir, args: ["--no-live"] });
  const before = await lastRun(copy.url);
  const untilAt = Date.now() + 2500;
  // Two slots go by.
  while (Date.now() < untilAt) await Bun.sleep(100);
  expect(await lastRun(copy.url)).toBe(before);
  expect((await fetch(`${copy.url}/readyz`)).status).toBe(200);
  expect(copy.lines.join("\n")).toContain("live detection, hooks, scheduled jobs and subscriptions are off");
  await copy.stop();
}, 180_000);
