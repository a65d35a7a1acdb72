// SQL of migrations: what a fleet takes over from single models, in one transaction.
import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { HookContent } from "../../../src/store/anomalies/deliveries.ts";
import {
  changeEpisodes,
  listEpisodes,
  listOwnEpisodes,
  saveFeedback,
} from "../../../src/store/anomalies/episodes.ts";
import { insertLabel, listLabels } from "../../../src/store/anomalies/labels.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { episodes, labels } from "../../../src/store/db/schema.ts";
import { read, write } from "../../../src/store/db/transaction.ts";
import { migrateModels, previewMigration } from "../../../src/store/fleets/migration.ts";
import { listHooks, putHook } from "../../../src/store/hooks.ts";
import { loadLive } from "../../../src/store/live.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { codeOf, execute, expectUndone, useStore } from "../temporary.ts";
import { start } from "./builders.ts";

const store = useStore();
const models = ["a", "b", "c"];
const members = models.map((model) => ({ model, series: { host: model } }));
const report = { type: "high" as const, score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };

beforeEach(async () => {
  for (const [i, name] of models.entries())
    await createModel(store, { name, settings: aModel({ name }) }, 1000 + i);
});

const open = (model: string, id: string, startAt: number) =>
  write(store, async (tx) => {
    const features = { v: report };
    const episode = {
      id,
      model,
      startAt,
      peakScore: 80,
      features,
      peak: features,
      severity: "info" as const,
    };
    await changeEpisodes(tx, [{ change: "open", episode }]);
  });
const close = (id: string, endAt: number) =>
  write(store, (tx) => changeEpisodes(tx, [{ change: "close", id, endAt, closedBy: "test" }]));
const put = (model: string, name: string, content: Partial<HookContent> = {}) =>
  putHook(
    store,
    { model, name },
    { at: 1, change: () => ({ kind: "mail", config: { to: "ops" }, ...content }) },
  );
const migrate = ({ deletes = false, kept = [] as string[] } = {}) =>
  migrateModels(store, {
    plan: () => ({
      fleet: { name: "fleet", settings: aModel({ name: "fleet" }) },
      members,
      kept: new Set(kept),
    }),
    deletes,
    at: 9000,
    ending: { reason: "it became a series", describe: () => undefined },
  });
/** Every row of the tables that a migration changes, but for settings. */
const rowsOf = (table: typeof episodes | typeof labels, model: string) =>
  read(store, (db) => db.select().from(table).where(eq(table.model, model)).all());
const existing = async () => {
  const known = ["fleet", ...models].map((name) => codeOf(loadModel(store, name)));
  return (await Promise.all(known)).map((code) => code === "nothing thrown");
};

test("anomalies are copied with feedback, under ids of their own", async () => {
  await open("a", "e1", 2000);
  await close("e1", 3000);
  await saveFeedback(store, { model: "a", id: "e1" }, { anomaly: false, at: 4000 });
  expect(await migrate()).toMatchObject({ anomalies: 1, labels: 0, deleted: [], live: [] });
  const [source] = await rowsOf(episodes, "a");
  const [copy] = await rowsOf(episodes, "fleet");
  expect(copy as object).toEqual({
    ...source,
    id: expect.any(String),
    model: "fleet",
    series: { host: "a" },
  });
  expect(copy!.id).not.toBe("e1");
  const own = { model: "fleet", leadMs: 0, fromAt: 0, toAt: 9000, series: { host: "a" } };
  expect(await listOwnEpisodes(store, own)).toMatchObject([{ feedback: { anomaly: false } }]);
});

test("a second migration, after its fleet was deleted, doubles nothing", async () => {
  await open("a", "e1", 2000);
  await close("e1", 3000);
  await migrate();
  await removeModels(store, ["fleet"], 9000);
  await migrate();
  expect((await listEpisodes(store, { model: "fleet" })).length).toBe(1);
});

test("labels are copied with the series they are of", async () => {
  const label = { model: "b", fromAt: 1, toAt: 2, anomaly: true, note: "outage", at: 5 };
  await insertLabel(store, { id: "l1", ...label });
  expect(await migrate()).toMatchObject({ labels: 1 });
  const [copy] = await rowsOf(labels, "fleet");
  const [source] = await rowsOf(labels, "b");
  expect(copy as object).toEqual({
    ...source,
    id: expect.any(String),
    model: "fleet",
    series: { host: "b" },
  });
});

test("more labels than a model may have are refused", async () => {
  await execute(
    store,
    "insert into labels (id, model, from_at, to_at, anomaly, created_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i <= 10000) " +
      "select 'l' || i, case when i % 2 = 1 then 'a' else 'b' end, i, i + 1, 1, 1 from n",
  );
  await expect(previewMigration(store, members)).rejects.toThrow("must not have 10001 labels together");
  await expect(migrate()).rejects.toThrow("delete some, or name fewer models");
  expect(await existing()).toEqual([false, true, true, true]);
});

test("hooks that all models have with equal settings are the fleet's", async () => {
  for (const model of models) {
    await put(model, "ops", { config: { to: "ops", via: { host: "m", port: 1 } } });
    await put(model, "other", { config: { to: model } });
  }
  await put("a", "pager");
  await put("b", "ops", { config: { via: { port: 1, host: "m" }, to: "ops" } });
  const { hooks, uncopiedHooks } = await migrate();
  expect(hooks).toEqual(["ops"]);
  expect(uncopiedHooks).toEqual([
    ...models.map((model) => ({ model, hook: "other", reason: "differs between the models" })),
    { model: "a", hook: "pager", reason: "not all models have it" },
  ]);
  expect(await listHooks(store, "fleet")).toMatchObject([{ name: "ops", kind: "mail", createdAt: 9000 }]);
});

test("live models are stopped, and their anomalies in progress closed before they are copied", async () => {
  for (const model of ["a", "b"]) await start(store, model);
  await open("a", "e1", 2000);
  expect(await migrate()).toMatchObject({ live: ["a", "b"], anomalies: 1 });
  expect(await loadLive(store, "a")).toBeUndefined();
  const closed = { endAt: 9000, closedBy: "it became a series" };
  expect(await listEpisodes(store, { model: "a" })).toMatchObject([closed]);
  expect(await listEpisodes(store, { model: "fleet" })).toMatchObject([closed]);
});

test("anomalies of deleted models move with their ids", async () => {
  await open("a", "e1", 2000);
  await close("e1", 3000);
  expect(await migrate({ deletes: true })).toMatchObject({ anomalies: 1, deleted: models });
  expect(await listEpisodes(store, {})).toMatchObject([{ id: "e1", model: "fleet", series: { host: "a" } }]);
  expect(await existing()).toEqual([true, false, false, false]);
});

test("models with something that was not copied are not deleted", async () => {
  await put("a", "pager");
  await open("a", "e1", 2000);
  expect(await migrate({ deletes: true, kept: ["b"] })).toMatchObject({ deleted: ["c"] });
  expect(await existing()).toEqual([true, true, true, false]);
  expect((await listEpisodes(store, { model: "a" })).length).toBe(1);
});

test("a preview counts what a migration copies, and changes nothing", async () => {
  await start(store, "a");
  await open("a", "e1", 2000);
  await put("a", "pager");
  await insertLabel(store, { id: "l1", model: "b", fromAt: 1, toAt: 2, anomaly: true, at: 5 });
  const preview = await previewMigration(store, members);
  expect(await existing()).toEqual([false, true, true, true]);
  const { planned: _, deleted: _deleted, canceled: _canceled, ...migrated } = await migrate();
  expect(preview).toEqual(migrated);
});

test.each([
  "insert on models",
  "update on models",
  "delete on live",
  "update on episodes",
  "insert on labels",
  "insert on hooks",
  "delete on models",
])("a crash at %p undoes all of it", async (statement) => {
  await start(store, "a");
  await open("a", "e1", 2000);
  for (const model of models) await put(model, "ops");
  await insertLabel(store, { id: "l1", model: "b", fromAt: 1, toAt: 2, anomaly: true, at: 5 });
  await expectUndone(store, [statement], () => migrate({ deletes: true }));
  expect(await loadLive(store, "a")).toBeDefined();
  expect(await listEpisodes(store, {})).toMatchObject([{ id: "e1", model: "a", endAt: null }]);
  expect((await listLabels(store, { model: "b" })).length).toBe(1);
  expect(await migrate({ deletes: true })).toMatchObject({ anomalies: 1, labels: 1, hooks: ["ops"] });
});
