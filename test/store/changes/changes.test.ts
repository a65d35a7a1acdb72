// Recorded changes in the store: replaced by id, found by range, kind and tags, the newest kept.
import { beforeEach, expect, test } from "bun:test";
import {
  type ChangeQuery,
  countChanges,
  listChanges,
  recordChanges,
  removeChange,
} from "../../../src/store/changes/changes.ts";
import { codeOf, expectUndone, useStore } from "../temporary.ts";

const store = useStore();

const aChange = (id: string, at: number, own: object = {}) => ({
  ...{ id, at, endAt: null, kind: "deploy", title: `title of ${id}`, url: null, tags: {} },
  ...own,
});
const idsOf = async (query: ChangeQuery = {}) => (await listChanges(store, query)).map(({ id }) => id);

beforeEach(async () => {
  const web = { tags: { service: "web", environment: "production" } };
  await recordChanges(
    store,
    [
      aChange("b", 200, { endAt: 260, ...web }),
      aChange("a", 100, { kind: "flag" }),
      aChange("c", 300, { tags: { service: "db" } }),
    ],
    { at: 9 },
  );
});

test.each<[query: ChangeQuery, ids: string[]]>([
  [{}, ["c", "b", "a"]],
  [{ fromAt: 200 }, ["c", "b"]],
  [{ fromAt: 260 }, ["c", "b"]],
  [{ fromAt: 261 }, ["c"]],
  [{ toAt: 200 }, ["a"]],
  [{ fromAt: 101, toAt: 300 }, ["b"]],
  [{ kind: "flag" }, ["a"]],
  [{ tags: { service: "web" } }, ["b"]],
  [{ tags: { service: "web", environment: "test" } }, []],
])("%j", async (query, ids) => {
  expect(await idsOf(query)).toEqual(ids);
  expect(await countChanges(store, query)).toBe(ids.length);
});

test("one with a known id replaces it, and keeps when it was recorded first", async () => {
  const replaced = aChange("a", 400, { title: "again" });
  const { rows, added } = await recordChanges(store, [replaced, aChange("d", 1)], { at: 10 });
  expect(added).toBe(1);
  expect(rows).toEqual([
    { ...replaced, createdAt: 9 },
    { ...aChange("d", 1), createdAt: 10 },
  ]);
  expect(await idsOf()).toEqual(["a", "c", "b", "d"]);
});

test("the newest stay, of one instant those with the last ids", async () => {
  await recordChanges(store, [aChange("d", 200)], { at: 10, keep: 2 });
  expect(await idsOf()).toEqual(["c", "d"]);
});

test("a page has some of them", async () => {
  expect((await listChanges(store, {}, { from: 1, to: 2 })).map(({ id }) => id)).toEqual(["b"]);
});

test("all are recorded or none", async () => {
  await expectUndone(store, ["insert on recorded_changes", "new.id = 'e'"], () =>
    recordChanges(store, [aChange("d", 1), aChange("e", 2)], { at: 10 }),
  );
});

test("one is deleted once", async () => {
  await removeChange(store, "a");
  expect(await codeOf(removeChange(store, "a"))).toBe("not_found");
  expect(await idsOf()).toEqual(["c", "b"]);
});
