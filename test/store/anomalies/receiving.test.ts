// SQL of the hooks that get an event: which, in which order, and what the deletion of a global hook drops.
import { beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import type { HookSelector } from "../../../src/core/anomaly/hook-selector.ts";
import { markSent } from "../../../src/store/anomalies/delivery-outcomes.ts";
import { listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import { enqueueEvent } from "../../../src/store/anomalies/outbox.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { mapInOrder } from "../../../src/store/db/in-order.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { listHooks, loadHook, putHook, removeHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { makeEnd, makeStart } from "../../hooks/events.ts";
import { aModel } from "../../support/builders.ts";
import { codeOf, makeDir, rows, useStore } from "../temporary.ts";

const store = useStore();
const features = (host: string) => [
  { name: "f", metric: "avg", field: "x", match_all: [{ tag: "host", value: host }] },
];
beforeEach(async () => {
  for (const host of ["web-1", "db-1"])
    await createModel(store, { name: `cpu-${host}`, settings: aModel({ features: features(host) }) }, 1);
});

const global = (name: string) => ({ model: null, name });
const put = (name: string, selector: HookSelector = {}, config: Record<string, unknown> = {}) =>
  putHook(store, global(name), {
    at: 1,
    change: () => ({ kind: "webhook", receiver: "r", selector, config }),
  });
const happen = (...events: HookEvent[]) =>
  write(store, (tx) => mapInOrder(events, (event) => enqueueEvent(tx, event, { at: 10 })));
const due = async () => {
  const query = { at: 100, limit: 100 };
  const rows = [...(await listDue(store, { ...query, retries: false }))];
  return rows.map(({ id }) => id);
};
const start = (model: string, episode = "e") => makeStart({ model, episode });
const end = (model: string, episode = "e") => makeEnd({ model, episode });

test("an event goes to the model's own hooks and to every global hook that selects the model", async () => {
  await put("all");
  await put("web", { tags: { host: "web-*" } });
  await put("db", { models: ["*-db-*"] });
  const change = () => ({ kind: "webhook", config: {} });
  await putHook(store, { model: "cpu-web-1", name: "all" }, { at: 1, change });
  expect(await happen(start("cpu-web-1", "a"), start("cpu-db-1", "b"))).toEqual([3, 2]);
  expect(await due()).toEqual([
    "a:start/all",
    "a:start/global/all",
    "a:start/global/web",
    "b:start/global/all",
    "b:start/global/db",
  ]);
});

test("start comes before end per model and hook; the same event again changes nothing", async () => {
  await put("all");
  const change = () => ({ kind: "webhook", config: {} });
  await putHook(store, { model: "cpu-web-1", name: "all" }, { at: 1, change });
  await happen(start("cpu-web-1"), start("cpu-web-1"), end("cpu-web-1"), start("cpu-db-1", "d"));
  expect(await due()).toEqual(["e:start/all", "e:start/global/all", "d:start/global/all"]);
  const [, row] = await listDue(store, { at: 100, limit: 100, retries: false });
  await markSent(store, [row!], { at: 20 });
  expect(await due()).toEqual(["e:start/all", "e:end/global/all", "d:start/global/all"]);
});

test("an end follows its start, also where the selector no longer matches the model, or the model was deleted", async () => {
  await put("web", { tags: { host: "web-*" } });
  await happen(start("cpu-web-1"), start("cpu-db-1", "d"));
  await put("web", { models: ["none"] });
  await removeModels(store, ["cpu-web-1"], 2);
  expect(await happen(end("cpu-web-1"), end("cpu-db-1", "d"))).toEqual([1, 0]);
});

test("a deleted hook drops what waits for it, and nothing of a model's hook of its name", async () => {
  await put("h");
  const change = () => ({ kind: "webhook", config: {} });
  await putHook(store, { model: "cpu-web-1", name: "h" }, { at: 1, change });
  await happen(start("cpu-web-1"));
  await removeHook(store, global("h"));
  expect(await due()).toEqual(["e:start/h"]);
  expect(await listHooks(store, null)).toEqual([]);
  expect(await codeOf(removeHook(store, global("h")))).toBe("not_found");
  expect(await codeOf(loadHook(store, global("h")))).toBe("not_found");
});

test("a replaced hook gets what waits, with its new settings", async () => {
  await put("h", {}, { url: "old" });
  await happen(start("cpu-web-1"));
  await put("h", {}, { url: "new" });
  expect(await listHooks(store, null)).toMatchObject([{ name: "h", createdAt: 1, config: { url: "new" } }]);
  expect(await listDue(store, { at: 100, limit: 1, retries: false })).toMatchObject([
    { config: { url: "new" }, isGlobal: true, model: "cpu-web-1" },
  ]);
});

test("a resend goes on until the end, and ends with the hook", async () => {
  await put("h");
  await happen(start("cpu-web-1"));
  const [row] = await listDue(store, { at: 100, limit: 1, retries: false });
  await markSent(store, [row!], { at: 20, resendAt: 30 });
  expect(await listDue(store, { at: 100, limit: 1, retries: false })).toMatchObject([{ resend: true }]);
  await happen(end("cpu-web-1"));
  expect(await due()).toEqual(["e:end/global/h"]);
  await happen(start("cpu-db-1", "d"));
  const [, other] = await listDue(store, { at: 100, limit: 2, retries: false });
  await removeHook(store, global("h"));
  await markSent(store, [other!], { at: 20, resendAt: 30 });
  expect(await due()).toEqual([]);
});

test("secrets are sealed in the hook and in the outbox, and open with the next key", async () => {
  const { dir, remove } = makeDir();
  const files = [1, 2].map((fill) => join(dir, `key${fill}`));
  for (const [i, file] of files.entries()) writeFileSync(file, Buffer.alloc(32, i + 1).toString("base64"));
  const secretsOf = () => ["secret"];
  const first = openStore({ dir, sealing: { secretsOf, file: files[0]! } });
  await createModel(first, { name: "m", settings: aModel({ features: [] }) }, 1);
  const content = { kind: "webhook", receiver: "r", selector: {}, config: { secret: "hunter2", url: "u" } };
  await putHook(first, global("h"), { at: 1, change: () => content });
  await write(first, (tx) => enqueueEvent(tx, start("m"), { at: 10 }));
  const kept = first.sqlite
    .query("select config from global_hooks union all select config from outbox")
    .all();
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain("hunter2");
  first.close();
  const second = openStore({ dir, sealing: { secretsOf, file: files[1]!, previousFile: files[0]! } });
  expect((await loadHook(second, global("h"))).config).toEqual(content.config);
  expect(await listDue(second, { at: 100, limit: 1, retries: false })).toMatchObject([
    { config: content.config },
  ]);
  second.close();
  remove();
});

test("a selector by tags matches those of the series, start and end alike", async () => {
  await put("fra", { tags: { dc: "fra" } });
  const series = { dc: "fra", host: "x" };
  const other = { series: { dc: "ams", host: "x" } };
  const model = "cpu-web-1";
  await happen(makeStart({ model, episode: "a", series }), makeStart({ model, episode: "b", ...other }));
  await happen(makeEnd({ model, episode: "a", series }), makeEnd({ model, episode: "b", ...other }));
  expect(await happen(start(model, "c"))).toEqual([0]);
  const ids = await rows(store, "select id from outbox order by seq");
  expect(ids.flat()).toEqual(["a:start/global/fra", "a:end/global/fra"]);
});
