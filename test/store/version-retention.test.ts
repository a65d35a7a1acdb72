// Version retention: surplus versions are removed, needed ones kept, names never reused.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { versionsIn } from "../../src/jobs/queue/input.ts";
import { openStore, type SqliteStore } from "../../src/store/db/open.ts";
import { cancelJobs, claimJob, finishJob, type NewJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { createModel, loadModel } from "../../src/store/models.ts";
import { finishTraining, listVersions, loadVersion, restoreVersion } from "../../src/store/versions.ts";
import { aModel } from "../support/builders.ts";
import { resultText } from "../support/result-text.ts";
import { codeOf, dump, execute, expectUndone, makeDir, rows } from "./temporary.ts";

const version = {
  fromAt: 100,
  toAt: 200,
  summary: { loss: 0.5 },
  settings: aModel({ span: 3 }),
  parameters: { features: {} },
  weights: new Float32Array([1.5, -2, 0.25]),
};

let place: ReturnType<typeof makeDir>;
let store: SqliteStore;
beforeEach(async () => {
  place = makeDir();
  store = openStore({ dir: place.dir });
  for (const name of ["m", "k"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
});
afterEach(() => {
  store.close();
  place.remove();
});

let jobs = 0;
async function claim(model: string): Promise<{ id: string; owner: string; at: number }> {
  const id = `t${++jobs}`;
  await submit({ id, type: "training", model, input: {} });
  await claimJob(store, ["training"], { owner: "me", at: 6 });
  return { id, owner: "me", at: 7 };
}
const submit = (job: NewJob) => submitJobs(store, [job], { at: 5, maxWaiting: 100 });
const retained = (model: string, keep: number) => ({ model, ...version, retention: { keep, versionsIn } });
const train = async (keep: number, model = "m") =>
  finishTraining(store, await claim(model), retained(model, keep));
const names = async (model = "m") => (await listVersions(store, model)).map(({ name }) => name);

test("the newest stay, of each model; the others are deleted with their weights", async () => {
  for (let i = 0; i < 3; i++) await train(10, "k");
  for (let i = 0; i < 5; i++) await train(2);
  expect(await names()).toEqual(["03", "04"]);
  expect(await names("k")).toEqual(["00", "01", "02"]);
  expect(await rows(store, "select count(*) from versions")).toEqual([[5]]);
  expect(await loadModel(store, "m")).toMatchObject({ activeVersion: "04", version: { name: "04" } });
  expect(await codeOf(loadVersion(store, "m", "02"))).toBe("not_found");
  expect(await codeOf(restoreVersion(store, { model: "m", version: "02" }, 9))).toBe("not_found");
});

test("names go on after a restart and are never given twice, also where an old version answers", async () => {
  const given: (string | undefined)[] = [];
  for (let i = 0; i < 4; i++) {
    given.push(await train(2), await train(1), await train(2));
    const [oldest] = await names();
    await restoreVersion(store, { model: "m", version: oldest! }, 8);
    store.close();
    store = openStore({ dir: place.dir });
  }
  expect(given).toEqual(Array.from({ length: 12 }, (_, i) => String(i).padStart(2, "0")));
  expect(await names()).toEqual(["10", "11"]);
});

test("a restored version answers until a training takes over; it goes when it is too old then", async () => {
  for (let i = 0; i < 3; i++) await train(3);
  await restoreVersion(store, { model: "m", version: "00" }, 8);
  const active = async () => (await listVersions(store, "m")).filter((row) => row.active);
  expect(await active()).toMatchObject([{ name: "00" }]);
  await train(3);
  expect(await names()).toEqual(["01", "02", "03"]);
  expect(await active()).toMatchObject([{ name: "03" }]);
});

test("what a job works with stays until the job has ended", async () => {
  await train(1);
  const input = { model: "m", version: "00" };
  await submit({ id: "waits", type: "forecast", model: "m", input });
  await train(1);
  await submit({ id: "runs", type: "prediction", model: "m", input: { model: "m", version: "01" } });
  await claimJob(store, ["prediction"], { owner: "me", at: 6 });
  await train(1);
  expect(await names()).toEqual(["00", "01", "02"]);
  await cancelJobs(store, ["waits"], 9);
  await finishJob(store, { id: "runs", owner: "me", at: 9 }, resultText({}));
  await train(1);
  expect(await names()).toEqual(["03"]);
});

test("what a training goes on from stays until it has ended", async () => {
  await train(1);
  const input = { overrides: { continueFrom: "00" } };
  await submit({ id: "goes on", type: "training", model: "m", input, versions: ["00"] });
  await claimJob(store, ["training"], { owner: "me", at: 6 });
  expect(await names()).toEqual(["00"]);
  await finishTraining(store, { id: "goes on", owner: "me", at: 7 }, retained("m", 1));
  expect(await names()).toEqual(["01"]);
});

test("a job that would use a deleted version is refused, and nothing is submitted", async () => {
  for (let i = 0; i < 2; i++) await train(1);
  const before = await dump(store);
  const job = { type: "forecast", model: "m", input: {} } as const;
  const list = [
    { ...job, id: "a", versions: ["01"] },
    { ...job, id: "b", versions: ["00"] },
  ];
  expect(await codeOf(submitJobs(store, list, { at: 5, maxWaiting: 100 }))).toBe("not_found");
  expect(await dump(store)).toBe(before);
});

test("promise 3: where the old ones cannot be removed, the new one is not saved", async () => {
  for (let i = 0; i < 2; i++) await train(2);
  const claimed = await claim("m");
  await expectUndone(store, ["delete on versions"], () => finishTraining(store, claimed, retained("m", 2)));
  expect(await finishTraining(store, claimed, retained("m", 2))).toBe("02");
});

test("those of an older server, more than one statement takes parameters for, go too", async () => {
  await train(1);
  await execute(
    store,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
    insert into versions (model, number, name, created_at, from_at, to_at, checksum, summary, settings, parameters, weights)
    select 'm', i, printf('%02d', i), 7, 0, 1, '', '{}', '{}', '{}', x'' from n`,
  );
  expect(await train(39_500)).toBe("40001");
  const left = await names();
  expect([left.length, left[0], left.at(-1)]).toEqual([39_500, "502", "40001"]);
});
