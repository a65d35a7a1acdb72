// SQL of hooks: by model and name, replaced in place, deleted with their model.
import { beforeEach, expect, test } from "bun:test";
import type { HookContent } from "../../src/store/anomalies/deliveries.ts";
import { removeModels } from "../../src/store/bin/models.ts";
import { listHooks, loadHook, putHook, removeHook } from "../../src/store/hooks.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { codeOf, dump, expectUndone, useStore } from "./temporary.ts";

const store = useStore();
beforeEach(async () => {
  for (const name of ["m", "n"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
});

const content = (n: number): HookContent => ({ kind: "mail", config: { n } });
const put = (model: string, name: string, n = 1, at = 1) =>
  putHook(store, { model, name }, { at, change: () => content(n) });

test("put creates, then replaces what it was shown", async () => {
  const seen: unknown[] = [];
  const change = (old: HookContent | undefined) => {
    seen.push(old?.config);
    return content(seen.length);
  };
  await putHook(store, { model: "m", name: "h" }, { at: 1, change });
  await putHook(store, { model: "m", name: "h" }, { at: 2, change });
  expect(seen).toEqual([undefined, { n: 1 }]);
  expect(await loadHook(store, { model: "m", name: "h" })).toEqual({
    model: "m",
    name: "h",
    kind: "mail",
    receiver: null,
    createdAt: 1,
    options: {},
    updatedAt: 2,
    config: { n: 2 },
  });
});

test("each model has its own, by name", async () => {
  await put("m", "b");
  await put("m", "a");
  await put("n", "a", 2);
  expect((await listHooks(store, "m")).map(({ name }) => name)).toEqual(["a", "b"]);
  await removeHook(store, { model: "m", name: "a" });
  expect((await loadHook(store, { model: "n", name: "a" })).config).toEqual({ n: 2 });
});

test("an unknown model or hook is not found, and says which", async () => {
  await expect(listHooks(store, "x")).rejects.toThrow("model x does not exist");
  await expect(put("x", "h")).rejects.toThrow("model x does not exist");
  await expect(loadHook(store, { model: "x", name: "h" })).rejects.toThrow("model x does not exist");
  await expect(loadHook(store, { model: "m", name: "h" })).rejects.toThrow("model m has no hook h");
  expect(await codeOf(removeHook(store, { model: "m", name: "h" }))).toBe("not_found");
});

test("hooks go with their model", async () => {
  await put("m", "h");
  await put("n", "h");
  await removeModels(store, ["m"], 2);
  await createModel(store, { name: "m", settings: aModel() }, 3);
  expect(await listHooks(store, "m")).toEqual([]);
  expect(await listHooks(store, "n")).toHaveLength(1);
});

test("promise 3: a change that throws, and a write that fails, change nothing", async () => {
  await put("m", "h");
  const before = await dump(store);
  const change = () => {
    throw new Error("refused");
  };
  await expect(putHook(store, { model: "m", name: "h" }, { at: 2, change })).rejects.toThrow("refused");
  await expectUndone(store, ["update on hooks"], () => put("m", "h", 2));
  expect(await dump(store)).toBe(before);
});
