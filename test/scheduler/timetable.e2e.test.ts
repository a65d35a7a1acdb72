// Scheduled jobs in a whole server: run at their times, with their outcomes.
import { expect, setDefaultTimeout, test } from "bun:test";
import { useTestServer } from "../contract/server.ts";

const DEADLINE_MS = 10_000;
setDefaultTimeout(DEADLINE_MS);
const server = useTestServer();

async function schedule(name: string, job: object): Promise<void> {
  const response = await fetch(`${server.url}/scheduled_jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, every: { unit: "second" }, ...job }),
  });
  expect(response.status).toBe(201);
}

/** The job's view, once it has run. */
async function outcomeOf(name: string): Promise<Record<string, unknown>> {
  const until = Date.now() + DEADLINE_MS;
  while (Date.now() < until) {
    const [view] = (await (await fetch(`${server.url}/scheduled_jobs/${name}`)).json()) as [
      Record<string, unknown>,
    ];
    if (view.last_run_timestamp !== undefined) return view;
    await Bun.sleep(50);
  }
  throw new Error(`${name} has not run`);
}

test("a job that works is ok", async () => {
  await schedule("works", {
    method: "post",
    relative_url: "/buckets",
    json: { name: "made", type: "local" },
  });
  expect(await outcomeOf("works")).toMatchObject({ ok: true, status_code: 201 });
  expect((await fetch(`${server.url}/buckets/made`)).status).toBe(200);
});

test("a job that fails says why, and goes on", async () => {
  await schedule("fails", {
    method: "post",
    relative_url: "/models/none/_forecast",
    params: { from: "now", to: "now+1h" },
  });
  const first = await outcomeOf("fails");
  expect(first).toMatchObject({ ok: false, status_code: 404, error: expect.stringContaining("none") });
  expect(first.next_run_timestamp as number).toBeGreaterThan(first.last_run_timestamp as number);
});
