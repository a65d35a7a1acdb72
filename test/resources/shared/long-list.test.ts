// Long lists: whole ones in pages, sorted and cut ones as short lists are.
import { beforeEach, expect, test } from "bun:test";
import { JsonPages, pagePieces } from "../../../src/core/formats/json-pieces.ts";
import { MAX_AT_ONCE } from "../../../src/resources/shared/long-list.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const COUNT = MAX_AT_ONCE + 7;
const names = Array.from({ length: COUNT }, (_, i) => `m${String(i).padStart(5, "0")}`);

// Thousands of commits, which may be lost.
beforeEach(() => void world.store.sqlite.run("PRAGMA synchronous = OFF"));

async function parse(list: object): Promise<object[]> {
  if (!(list instanceof JsonPages)) return list as object[];
  let text = "";
  for await (const piece of pagePieces(list)) text += piece;
  return JSON.parse(text);
}

test("all models, in the order of their names and against it, with the fields that are asked for", async () => {
  for (const name of names) await createModel(world.store, { name, settings: aModel({ name }) }, 0);
  const namesOf = async (params: object) =>
    ((await parse((await world.models.list({ ...params })).entries)) as { settings: { name: string } }[]).map(
      ({ settings }) => settings.name,
    );
  expect((await world.models.list()).entries).toBeInstanceOf(JsonPages);
  expect(await namesOf({})).toEqual(names);
  expect(await namesOf({ sort: "name:-1" })).toEqual(names.toReversed());
  expect(await namesOf({ sort: "settings.span:-1" })).toEqual(names);
  const projected = await parse((await world.models.list({ fields: "state", include_fields: true })).entries);
  expect(projected).toEqual(names.map(() => ({ state: { trained: false } })));
  const page = await world.models.list({ sort: "settings.span:1", page: 1, per_page: 3 });
  expect(await namesOf({ sort: "settings.span:1", page: 1, per_page: 3 })).toEqual(names.slice(3, 6));
  expect(page.total).toBe(COUNT);
});

test("all scheduled jobs, and pages of them", async () => {
  const every = { unit: "day", at: "03:00" };
  for (const name of names)
    await world.scheduledJobs.put({ name, method: "get", relative_url: "/jobs", every });
  const namesOf = async (params: object) =>
    ((await parse((await world.scheduledJobs.list({ ...params })).entries)) as { name: string }[]).map(
      ({ name }) => name,
    );
  expect((await world.scheduledJobs.list()).entries).toBeInstanceOf(JsonPages);
  expect(await namesOf({})).toEqual(names);
  expect(await namesOf({ sort: "name:-1" })).toEqual(names.toReversed());
  expect(await namesOf({ page: 2, per_page: 4 })).toEqual(names.slice(8, 12));
  expect(await namesOf({ page: 0, per_page: 2, sort: "name:-1" })).toEqual(names.slice(-2).toReversed());
  expect(await namesOf({ page: 0, per_page: 2, sort: "next_run_timestamp:1" })).toEqual(names.slice(0, 2));
  for (const sort of ["name:1", "next_run_timestamp:1"])
    expect((await world.scheduledJobs.list({ page: 0, sort })).total).toBe(COUNT);
});
