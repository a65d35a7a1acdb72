// SQL of models: settings, generation, deletion with their active jobs.
import { beforeEach, expect, test } from "bun:test";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { removeModels } from "../../src/store/bin/models.ts";
import { claimJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { loadJob } from "../../src/store/jobs/rows.ts";
import { createModel, listModels, loadModel, patchModels } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { codeOf, dump, expectUndone, useStore } from "./temporary.ts";

const store = useStore();
beforeEach(async () => {
  for (const name of ["b", "a"]) await createModel(store, { name, settings: aModel({ name, span: 5 }) }, 10);
});

const submit = (id: string, model: string, type: "training" | "forecast" = "training") =>
  submitJobs(store, [{ id, type, model, input: {} }], { at: 20, maxWaiting: 10 });

test("a new model is untrained; a second of that name is refused", async () => {
  expect(await loadModel(store, "a")).toEqual({
    name: "a",
    generation: 1,
    activeVersion: null,
    lastTraining: null,
    createdAt: 10,
    updatedAt: 10,
    settings: aModel({ name: "a", span: 5 }),
    version: null,
    training: null,
  });
  expect(await codeOf(createModel(store, { name: "a", settings: aModel() }, 11))).toBe("already_exists");
});

test("lists by name, with the training submitted last", async () => {
  await submit("t1", "b");
  expect((await listModels(store)).map(({ name, training }) => [name, training])).toEqual([
    ["a", null],
    ["b", { id: "t1", state: "waiting" }],
  ]);
});

test("patch gets the current settings and raises the generation", async () => {
  await patchModels(store, ["a", "a"], {
    at: 30,
    change: (old, name) => ({ ...old, name, span: (old.span as number) + 1 }),
  });
  expect(await loadModel(store, "a")).toMatchObject({ generation: 3, updatedAt: 30, settings: { span: 7 } });
});

test("a patch whose change throws for one of the names changes none", async () => {
  const before = await dump(store);
  const change = (old: ModelSettings, name: string) => {
    if (name === "b") throw new Error("refused");
    return { ...old, span: 9 };
  };
  await expect(patchModels(store, ["a", "b"], { at: 30, change })).rejects.toThrow("refused");
  await expect(patchModels(store, ["a", "x"], { at: 30, change })).rejects.toThrow("model x does not exist");
  expect(await dump(store)).toBe(before);
});

test("promise 11: remove cancels what waits and runs, and a model made anew starts afresh", async () => {
  await submit("t1", "a");
  await claimJob(store, ["training"], { owner: "me", at: 21 });
  await submit("f1", "a", "forecast");
  await submit("t2", "b");
  expect([...(await removeModels(store, ["a"], 40)).canceled].sort()).toEqual(["f1", "t1"]);
  expect(await loadJob(store, "t1")).toMatchObject({ state: "canceled", owner: null, endedAt: 40 });
  expect(await loadJob(store, "t2")).toMatchObject({ state: "waiting" });
  await createModel(store, { name: "a", settings: aModel() }, 50);
  expect(await loadModel(store, "a")).toMatchObject({ training: null, version: null });
});

test("promise 3: remove that fails in the middle, or names an unknown model, changes nothing", async () => {
  await submit("t1", "a");
  const before = await dump(store);
  await expect(removeModels(store, ["a", "x"], 40)).rejects.toThrow("model x does not exist");
  await expectUndone(store, ["delete on models"], () => removeModels(store, ["a"], 40));
  const change = (old: ModelSettings) => ({ ...old, span: 8 });
  const patch = () => patchModels(store, ["a", "b"], { at: 40, change });
  await expectUndone(store, ["update on models", "old.name = 'b'"], patch);
  expect(await dump(store)).toBe(before);
});
