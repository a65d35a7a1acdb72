// Commands of jobs and scheduled jobs.
import { beforeAll, expect, test } from "bun:test";
import { trainWeb } from "../load-series.ts";
import { useSession } from "../session.ts";

const TEST_MS = 180_000;
const session = useSession();
const { torus, ok, json } = session;
beforeAll(() => trainWeb(session), TEST_MS);

test("list-jobs, show-job, cancel-job", async () => {
  const jobs = await json<{ id: string; type: string; state: string }[]>("list-jobs");
  expect(new Set(jobs.map(({ type }) => type))).toContain("training");
  const { id } = jobs.find(({ state }) => state === "done")!;
  expect(await ok(`show-job ${id}`)).toContain(`id: ${id}`);
  const again = await torus(`cancel-job ${id}`);
  expect([again.code, again.err]).toEqual([4, "torus: job is already stopped (state = done)\n"]);
  const retried = await torus(`retry-job ${id}`);
  expect([retried.code, retried.err]).toEqual([4, expect.stringContaining("it is done, not failed")]);
  expect(await ok("list-jobs -i")).toMatch(/^ID +TYPE/);
  const trainings = await json<{ type: string }[]>("list-jobs --type training --state done --since now-1d");
  expect(new Set(trainings.map(({ type }) => type))).toEqual(new Set(["training"]));
  expect(await json<unknown[]>("list-jobs --limit 2")).toEqual(jobs.slice(0, 2));
  const wrong = await torus("list-jobs --state ended");
  expect([wrong.code, wrong.err]).toEqual([4, expect.stringContaining("must be one of waiting, running")]);
  expect(await json("list-jobs --model nobody")).toEqual([]);
  const [training] = await json<{ model: string }[]>("list-jobs --type training");
  const running = await ok(`train-model ${training!.model} --from now-90d --detach`);
  const started = /[0-9a-f-]{36}/.exec(running)![0];
  // There are no points in its range.
  expect((await torus(`show-job --wait ${started}`)).code).toBe(1);
  const [anew] = await json<string[]>(`retry-job ${started}`);
  expect(anew).toMatch(/^[0-9a-f-]{36}$/);
  expect(anew).not.toBe(started);
});

test("scheduled jobs: create, list, show, delete", async () => {
  const job = `name: retrain nightly
method: post
relative_url: /models/web/_train
params: {from: now-90d}
every: {unit: day, at: "03:30"}
`;
  await ok("create-scheduled-job -", { input: job });
  expect((await torus("create-scheduled-job -", { input: job })).err).toContain("--force replaces it");
  await ok("create-scheduled-job - -f", { input: job });
  expect(await ok("list-scheduled-jobs")).toMatch(
    /^retrain nightly +day at 03:30 +POST \/models\/web\/_train +- +\d{4}-.* 03:30:00 +-$/m,
  );
  expect(await ok("show-scheduled-job 'retrain nightly'")).toContain("name: retrain nightly");
  await ok("pause-scheduled-job 'retrain nightly'");
  expect(await ok("list-scheduled-jobs")).toContain("paused");
  await ok("resume-scheduled-job 'retrain nightly'");
  await ok("run-scheduled-job 'retrain nightly'");
  await ok("delete-scheduled-job 'retrain nightly'");
  expect(await json("list-scheduled-jobs")).toEqual([]);
});
