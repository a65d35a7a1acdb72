// Servers of the benchmark of the API: one with many models and jobs, and a minimal one.
import { Database } from "bun:sqlite";
import { Elysia } from "elysia";
import { putBucket } from "../../src/store/buckets.ts";
import { openStore } from "../../src/store/db/open.ts";
import { claimJob, finishJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";

export const MODELS = 1000;
export const JOBS = 10_000;

const features = [{ name: "load", metric: "avg", field: "load" }];

interface Volume {
  readonly models?: number;
  readonly jobs?: number;
  /** Further settings of the models. */
  readonly settings?: object;
}

/** Fills a data directory. @returns the id of one of the jobs */
export async function seed(
  dir: string,
  { models = MODELS, jobs = JOBS, settings = {} }: Volume = {},
): Promise<string> {
  const store = openStore({ dir });
  // The data may be lost, so rows need not be synchronised to the disk.
  store.sqlite.run("PRAGMA synchronous = OFF");
  const bucket = { name: "b", kind: "local", settings: { name: "b", type: "local" } };
  await putBucket(store, bucket, Date.now());
  for (let i = 0; i < models; i++)
    await createModel(
      store,
      { name: `m${i}`, settings: aModel({ name: `m${i}`, features, ...settings }) },
      i,
    );
  let id = "";
  for (let i = 0; i < jobs; i++) {
    id = crypto.randomUUID();
    const input = { bucket: "b", points: [] };
    const at = Date.now();
    await submitJobs(store, [{ id, type: "write", model: null, input }], { at, maxWaiting: jobs });
    await claimJob(store, ["write"], { owner: "seed", at });
    await finishJob(store, { id, owner: "seed", at }, null);
  }
  store.close();
  return id;
}

/** Writes points and starts two long trainings. */
export async function train(url: string): Promise<void> {
  const post = async (path: string, body?: unknown) => {
    const sent = body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    };
    const response = await fetch(`${url}${path}`, { method: "POST", ...sent });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const points = Array.from({ length: 20_000 }, (_, i) => ({ timestamp: i * 60, load: Math.sin(i / 100) }));
  const job = await post("/buckets/b/_write", points);
  let state = "waiting";
  while (state !== "done") {
    const [shown] = (await (await fetch(`${url}/jobs/${job}`)).json()) as [{ state: string }];
    state = shown.state;
  }
  for (const name of ["m1", "m2"]) await post(`/models/${name}/_train?from=0&to=1200000&epochs=1000`);
}

/** Upper bound: a bare framework with one route and one database query. Prints its address. */
function serveBare(): void {
  const db = new Database(":memory:");
  db.run("create table jobs (id text primary key, result text)");
  const insert = db.query("insert into jobs values (?, ?)");
  for (let i = 0; i < JOBS; i++) insert.run(`${i}`, "done");
  const select = db.query("select * from jobs where id = ?");
  const app = new Elysia().get("/jobs/:id", ({ params }) => select.get(params.id));
  const { fetch } = app.get("/metrics", () => describeCpu(process.cpuUsage())).compile();
  console.log(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch }).url.href);
}

function describeCpu({ user, system }: { user: number; system: number }): string {
  return `process_cpu_seconds_total ${(user + system) / 1_000_000}`;
}

if (import.meta.main) serveBare();
