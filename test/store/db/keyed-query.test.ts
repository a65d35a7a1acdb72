// Rows by key, on both engines: each asker gets its own, however many ask at the same time.
import { expect, test } from "bun:test";
import type { Engine } from "../../../src/store/db/engine.ts";
import { loadDue, loadLive, startLive } from "../../../src/store/live.ts";
import { createModel, loadModel, patchModels } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { execute, useStore } from "../temporary.ts";

const store = useStore();
const COUNT = 150;
const names = Array.from({ length: COUNT }, (_, i) => `m${i}`);
const ending = { reason: "", describe: () => undefined };

async function createAll(): Promise<void> {
  for (const name of names) await createModel(store, { name, settings: aModel({ name }) }, 1);
  await execute(store, "update models set active_version = '00'");
  const start = (model: string) => ({ model, options: { detect: true }, state: { run: `of ${model}` } });
  await startLive(store, names.slice(1).map(start), { at: 1, ending });
}

test("each of many askers gets its own row, and none where there is none", async () => {
  await createAll();
  const asked = [...names, "m3", "m3"];
  expect((await Promise.all(asked.map((name) => loadModel(store, name)))).map(({ name }) => name)).toEqual(
    asked,
  );
  const live = await Promise.all(names.map((name) => loadLive(store, name)));
  const due = await Promise.all(names.map((name) => loadDue(store, name)));
  const runs = [undefined, ...names.slice(1).map((name) => `of ${name}`)];
  expect(live.map((row) => row?.state.run)).toEqual(runs);
  expect(due.map((row) => row?.row.state.run)).toEqual(runs);
  await expect(loadModel(store, "other")).rejects.toThrow("model other does not exist");
});

test("where nodes share the store, rows asked for at the same time come by few statements", async () => {
  await createAll();
  let statements = 0;
  const readOne: Engine["readOne"] = (work) => {
    statements++;
    return store.engine.readOne(work);
  };
  const engine = { isShared: true, readOne } as Engine;
  const due = await Promise.all(names.map((name) => loadDue({ ...store, engine }, name)));
  expect(due.filter((row) => row !== undefined)).toHaveLength(COUNT - 1);
  expect(statements).toBe(Math.ceil(COUNT / 64));
});

test("an answer is never older than its request", async () => {
  await createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 1);
  for (let i = 1; i <= 20; i++) {
    const early = Array.from({ length: 5 }, () => loadModel(store, "m"));
    await patchModels(store, ["m"], { at: i, change: (old) => ({ ...old, max_threshold: i }) });
    expect((await loadModel(store, "m")).settings.max_threshold).toBe(i);
    await Promise.all(early);
  }
});
