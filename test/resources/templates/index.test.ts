// Templates: create, list with parameters, fill in, delete.
import { beforeEach, expect, test } from "bun:test";
import { codeOf, dump } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const settings = aModel({ name: "{{name}}", features: [{ name: "f", metric: "{{metric}}", field: "x" }] });
beforeEach(async () => {
  await world.buckets.put({ name: "b", type: "local" });
  for (const name of ["t", "s"]) await world.templates.create(name, settings);
});

test("lists by name, gets in the order asked for, with the parameters found", async () => {
  const view = (name: string) => ({ name, settings, params: ["metric", "name"] });
  expect((await world.templates.list()).entries).toEqual([view("s"), view("t")]);
  expect(await world.templates.get(["t", "s", "t"])).toEqual([view("t"), view("s"), view("t")]);
  expect(await world.templates.get(["t"], { fields: "params", include_fields: "true" })).toEqual([
    { params: ["metric", "name"] },
  ]);
  await expect(world.templates.get(["t", "x"])).rejects.toThrow("template x does not exist");
});

test("a refused request changes nothing", async () => {
  const before = await dump(world.store);
  expect(await codeOf(world.templates.create("t", settings))).toBe("already_exists");
  expect(await codeOf(world.templates.create("u", { ...settings, spam: "{{x}}" }))).toBe("invalid");
  expect(await codeOf(world.templates.remove(["t", "x"]))).toBe("not_found");
  expect(await codeOf(world.templates.fill("x", {}))).toBe("not_found");
  await expect(world.templates.fill("t", { name: "m" })).rejects.toThrow("metric: is missing");
  expect(await dump(world.store)).toBe(before);
});

test("a filled template is checked as any model, and outlives its template", async () => {
  const create = async (params: object) => world.models.create(await world.templates.fill("t", params));
  await expect(create({ name: "m", metric: "avgg" })).rejects.toThrow("features.0.metric");
  await expect(create({ name: "a b", metric: "avg" })).rejects.toThrow("name: must be");
  await create({ name: "m", metric: "avg" });
  await world.templates.remove(["t"]);
  expect((await world.models.get(["m"])).entries).toMatchObject([
    { settings: { name: "m", features: [{ metric: "avg" }] } },
  ]);
});
