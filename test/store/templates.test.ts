// SQL of templates: create, list, delete, all or nothing.
import { beforeEach, expect, test } from "bun:test";
import { createTemplate, listTemplates, loadTemplate, removeTemplates } from "../../src/store/templates.ts";
import { codeOf, dump, expectUndone, useStore } from "./temporary.ts";

const store = useStore();
beforeEach(async () => {
  for (const name of ["b", "a"]) await createTemplate(store, { name, settings: { name: "{{x}}" } }, 1);
});

test("lists by name; an unknown one is not found, a second one of a name refused", async () => {
  expect((await listTemplates(store)).map(({ name }) => name)).toEqual(["a", "b"]);
  expect(await loadTemplate(store, "a")).toEqual({ name: "a", createdAt: 1, settings: { name: "{{x}}" } });
  expect(await codeOf(loadTemplate(store, "c"))).toBe("not_found");
  expect(await codeOf(createTemplate(store, { name: "a", settings: {} }, 2))).toBe("already_exists");
});

test("promise 3: remove is all or nothing", async () => {
  const before = await dump(store);
  await expect(removeTemplates(store, ["a", "x", "y"])).rejects.toThrow("template x does not exist");
  await expectUndone(store, ["delete on templates", "old.name = 'b'"], () =>
    removeTemplates(store, ["a", "b"]),
  );
  expect(await dump(store)).toBe(before);
  await removeTemplates(store, ["a", "a"]);
  expect((await listTemplates(store)).map(({ name }) => name)).toEqual(["b"]);
});
