// Recorded changes: bodies of one or many, filters, pages, and what is refused.
import { expect, test } from "bun:test";
import { Changes } from "../../src/resources/changes.ts";
import { codeOf, useStore } from "../store/temporary.ts";

const store = useStore();
const changes = () => new Changes({ store, clock: { now: () => 1_000_000 }, githubSecret: () => undefined });
const titlesOf = async (params: Record<string, unknown>) =>
  ((await changes().list(params)).entries as { title: string }[]).map(({ title }) => title);
const fill = () =>
  changes().record([
    { title: "web 1", at: 100, tags: { service: "web" } },
    { title: "dark", at: 200, kind: "flag" },
  ]);

test("a change is answered as it is listed and found by its id", async () => {
  const { views, added } = await changes().record({ title: "web 1.9.2", url: "https://ci.example.org/7" });
  expect(added).toBe(1);
  expect(views).toEqual([
    {
      ...{ id: expect.any(String), at: 1000, kind: "deploy", title: "web 1.9.2", tags: {} },
      ...{ url: "https://ci.example.org/7", created_timestamp: 1000 },
    },
  ]);
  expect((await changes().list({})).entries).toEqual(views);
  expect(await changes().get(views[0]!.id)).toEqual(views[0]!);
  expect(await changes().record(views)).toEqual({ views, added: 0 });
});

test("the same id is the same change", async () => {
  await changes().record({ id: "r-7", title: "web 1" });
  const again = await changes().record({ id: "r-7", title: "web 1.1", end: 1001 });
  expect(again).toMatchObject({ added: 0, views: [{ id: "r-7", title: "web 1.1", end: 1001 }] });
  expect(await titlesOf({})).toEqual(["web 1.1"]);
});

test("of several with the same id in one body the last is recorded, and answered", async () => {
  const { views, added } = await changes().record([
    { id: "r-7", title: "web 1" },
    { id: "r-8", title: "db 1" },
    { id: "r-7", title: "web 2" },
  ]);
  expect([added, views.map(({ id, title }) => [id, title])]).toEqual([
    2,
    [
      ["r-7", "web 2"],
      ["r-8", "db 1"],
    ],
  ]);
  expect((await titlesOf({})).toSorted()).toEqual(["db 1", "web 2"]);
});

test("of a list with a mistake none is recorded", async () => {
  await expect(changes().record([{ title: "a" }, { title: "b", kind: "?" }])).rejects.toThrow("1.kind: must");
  expect(await titlesOf({})).toEqual([]);
});

test.each([
  [{}, ["dark", "web 1"]],
  [{ from: 101 }, ["dark"]],
  [{ to: 200 }, ["web 1"]],
  [{ kind: "flag" }, ["dark"]],
  [{ tags: "service:web" }, ["web 1"]],
  [{ page: 1, per_page: 1 }, ["web 1"]],
])("%j", async (params, titles) => {
  await fill();
  expect(await titlesOf(params)).toEqual(titles);
});

test("fields are chosen, and the total is that of all pages", async () => {
  await fill();
  const page = await changes().list({ per_page: 1, fields: "title", include_fields: true });
  expect(page.entries).toEqual([{ title: "dark" }]);
  expect(page.total).toBe(2);
});

test("bodies of other systems are recorded; what is no change is none", async () => {
  const { views } = await changes().record({ text: "from Grafana", time: 1_790_000_000_000 });
  expect(views).toMatchObject([{ title: "from Grafana", at: 1_790_000_000 }]);
  expect(await changes().record({ zen: "Design for failure.", hook_id: 1 })).toEqual({ views: [], added: 0 });
});

test.each([
  [{ kind: "a b" }, "kind: must be a word"],
  [{ tags: "web" }, "tags: must be tags and values"],
  [{ from: 2, to: 1 }, "from: must not be after to"],
])("%j is refused", async (params, message) => {
  await expect(changes().list(params)).rejects.toThrow(message);
});

test("an unknown shape and an unknown id are refused", async () => {
  await expect(changes().record({ title: "a" }, { shape: "jira" })).rejects.toThrow(
    "shape: must be one of torus, alertmanager, github, grafana",
  );
  expect(await codeOf(changes().get("x"))).toBe("not_found");
  expect(await codeOf(changes().remove("x"))).toBe("not_found");
});
