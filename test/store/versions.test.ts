// SQL of versions: commit of a training, checksums, restore.
import { beforeEach, expect, test } from "bun:test";
import { removeModels } from "../../src/store/bin/models.ts";
import { cancelJobs, claimJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { loadJob } from "../../src/store/jobs/rows.ts";
import { createModel, loadModel } from "../../src/store/models.ts";
import {
  createTrainedModel,
  finishTraining,
  listVersions,
  loadVersion,
  restoreVersion,
} from "../../src/store/versions.ts";
import { aModel } from "../support/builders.ts";
import { bytes, codeOf, dump, execute, expectUndone, rows, useStore } from "./temporary.ts";

const store = useStore();
beforeEach(async () => {
  await createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 1);
});

const trained = {
  model: "m",
  fromAt: 100,
  toAt: 200,
  summary: { loss: 0.5 },
  settings: aModel({ span: 3 }),
  parameters: { features: { f: { window: 3 } } },
  weights: new Float32Array([1.5, -2, 0.25]),
};

async function claimTraining(id: string): Promise<{ id: string; owner: string; at: number }> {
  await submitJobs(store, [{ id, type: "training", model: "m", input: {} }], { at: 5, maxWaiting: 10 });
  await claimJob(store, ["training"], { owner: "me", at: 6 });
  return { id, owner: "me", at: 7 };
}

test("promise 11: a training ends with its version, active at once, and the job done", async () => {
  const claim = await claimTraining("t1");
  expect(await finishTraining(store, claim, trained)).toBe("00");
  expect(await finishTraining(store, await claimTraining("t2"), trained)).toBe("01");
  expect(await loadJob(store, "t1")).toMatchObject({ state: "done", result: null, endedAt: 7 });
  expect(await loadModel(store, "m")).toMatchObject({
    activeVersion: "01",
    generation: 3,
    version: { name: "01", fromAt: 100, toAt: 200, summary: { loss: 0.5 }, settings: aModel({ span: 3 }) },
    training: { id: "t2", state: "done" },
  });
  expect((await listVersions(store, "m")).map(({ name }) => name)).toEqual(["00", "01"]);
  expect(await loadVersion(store, "m", "00")).toEqual({ ...trained, name: "00", createdAt: 7 });
});

test("a slice of a larger array is stored as the slice", async () => {
  const weights = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
  await finishTraining(store, await claimTraining("t1"), { ...trained, weights });
  expect((await loadVersion(store, "m", "00")).weights).toEqual(new Float32Array([1, 2]));
});

test("a late result of a canceled job, of another claim or of a deleted model is dropped", async () => {
  const claim = await claimTraining("t1");
  expect(await finishTraining(store, { ...claim, owner: "somebody" }, trained)).toBeUndefined();
  await cancelJobs(store, ["t1"], 8);
  const before = await dump(store);
  expect(await finishTraining(store, claim, trained)).toBeUndefined();
  expect(await dump(store)).toBe(before);
  const second = await claimTraining("t2");
  await removeModels(store, ["m"], 9);
  await createModel(store, { name: "m", settings: aModel() }, 10);
  expect(await finishTraining(store, second, trained)).toBeUndefined();
  expect(await loadModel(store, "m")).toMatchObject({ version: null });
});

test("promise 3: a training whose commit fails at any statement changes nothing", async () => {
  const claim = await claimTraining("t1");
  for (const event of ["insert on versions", "update on models", "update on jobs"]) {
    await expectUndone(store, [event], () => finishTraining(store, claim, trained));
  }
  expect(await finishTraining(store, claim, trained)).toBe("00");
});

test("promise 5: weights that were changed are refused", async () => {
  await finishTraining(store, await claimTraining("t1"), trained);
  await execute(store, `update versions set weights = ${bytes("00".repeat(12))}`);
  expect(await codeOf(loadVersion(store, "m", "00"))).toBe("weights_corrupt");
  await execute(store, "update versions set weights = substr(weights, 1, 7)");
  expect(await codeOf(loadVersion(store, "m", "00"))).toBe("weights_corrupt");
  expect(await loadModel(store, "m")).toMatchObject({ activeVersion: "00" });
});

test("restore makes an older version the active one; unknown ones are not found", async () => {
  await finishTraining(store, await claimTraining("t1"), trained);
  await finishTraining(store, await claimTraining("t2"), trained);
  await restoreVersion(store, { model: "m", version: "00" }, 50);
  expect(await loadModel(store, "m")).toMatchObject({ activeVersion: "00", generation: 4, updatedAt: 50 });
  expect(await codeOf(restoreVersion(store, { model: "m", version: "07" }, 51))).toBe("not_found");
  expect(await codeOf(restoreVersion(store, { model: "x", version: "00" }, 51))).toBe("not_found");
  expect(await codeOf(loadVersion(store, "m", "07"))).toBe("not_found");
  expect(await codeOf(listVersions(store, "x"))).toBe("not_found");
});

test("versions go with their model", async () => {
  await finishTraining(store, await claimTraining("t1"), trained);
  await removeModels(store, ["m"], 60);
  expect(await rows(store, "select count(*) from versions")).toEqual([[0]]);
});

test("a model can come with its version, active at once", async () => {
  const { model: _, ...version } = trained;
  const model = { name: "n", settings: aModel({ name: "n" }) };
  expect(await createTrainedModel(store, { model, version }, 9)).toBe("00");
  expect(await loadModel(store, "n")).toMatchObject({ activeVersion: "00", createdAt: 9, generation: 1 });
  expect(await loadVersion(store, "n", "00")).toEqual({ ...version, model: "n", name: "00", createdAt: 9 });
});

test("promise 3: a model comes with its version or not at all", async () => {
  const { model: _, ...version } = trained;
  const taken = { model: { name: "m", settings: aModel() }, version };
  const before = await dump(store);
  expect(await codeOf(createTrainedModel(store, taken, 9))).toBe("already_exists");
  expect(await dump(store)).toBe(before);
  const free = { model: { name: "n", settings: aModel() }, version };
  for (const event of ["insert on models", "insert on versions", "update on models"]) {
    await expectUndone(store, [event], () => createTrainedModel(store, free, 9));
  }
});
