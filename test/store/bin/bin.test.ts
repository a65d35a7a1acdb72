// SQL of the bin: what is deleted comes back to the letter, all or none; bounds, expiry, and names that are taken.
import { beforeEach, expect, test } from "bun:test";
import { checkScheduledJob } from "../../../src/core/time/scheduled-job.ts";
import { insertLabel } from "../../../src/store/anomalies/labels.ts";
import { appendScores } from "../../../src/store/anomalies/scores.ts";
import { countBin, expireBin, listBin, removeFromBin } from "../../../src/store/bin/entries.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { type RestoreOptions, restoreFromBin } from "../../../src/store/bin/restore.ts";
import { ensureBucket, hasHadPoints, keepPoints, removeBuckets } from "../../../src/store/buckets.ts";
import { putCalendar, removeCalendars } from "../../../src/store/calendars.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { removeUnusedFits } from "../../../src/store/fleets/fit-sets.ts";
import { putHook, removeHook } from "../../../src/store/hooks.ts";
import { loadLive } from "../../../src/store/live.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import {
  clearScheduledJobs,
  putScheduledJob,
  removeScheduledJobs,
} from "../../../src/store/scheduled-jobs.ts";
import { createTemplate, removeTemplates } from "../../../src/store/templates.ts";
import { aBucket, aModel } from "../../support/builders.ts";
import { aFit, aVersion, start, train } from "../fleets/builders.ts";
import { codeOf, dump, execute, expectUndone, rows, useStore } from "../temporary.ts";

const store = useStore();
const deletion = { at: 50, by: "ops" };
const ending = { reason: "the model was deleted", describe: () => undefined };
const placed: string[] = [];
const options: RestoreOptions = {
  at: 60,
  sinceAt: 10,
  kindsWithFiles: ["local"],
  startState: () => ({ run: "again" }),
  placeFile: (entry, name) => void placed.push(`${entry.name} ${name}`),
};
const restore = (ids: readonly string[], own: Partial<RestoreOptions> = {}) =>
  restoreFromBin(store, ids, { ...options, ...own });
const remove = async (name = "m") => (await removeModels(store, [name], 50, { deletion, ending })).binned;
const listed = () => listBin(store, { sinceAt: 0, from: 0, to: 100 });
const countOf = async (table: string) => Number((await rows(store, `select count(*) from ${table}`))[0]![0]);

/** A fleet with two versions and all that belongs to a model. */
beforeEach(async () => {
  placed.length = 0;
  const week = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";
  await putCalendar(store, "c", {
    at: 1,
    change: () => ({ settings: { name: "c" }, nextAt: null, ical: week }),
  });
  const settings = aModel({ name: "m", holidays: { calendar: "c" } } as never);
  await createModel(store, { name: "m", settings }, 1);
  await train(store, "t1", aVersion({ settings, series: [aFit("a"), aFit("b")] }));
  await train(store, "t2", aVersion({ settings, weights: new Float32Array([1, Number.NaN, -0]) }));
  const change = () => ({ kind: "webhook", receiver: "h", config: { url: "http://h" } });
  await putHook(store, { model: "m", name: "h" }, { at: 2, change });
  await putHook(store, { model: null, name: "g" }, { at: 2, change });
  await insertLabel(store, { id: "l", model: "m", fromAt: 1, toAt: 2, anomaly: true, at: 9 });
  const values = new Float32Array(8);
  await write(store, async (tx) => {
    await appendScores(
      tx,
      { model: "m" },
      { version: "00", intervalMs: 60, features: ["v"], startAt: 0, values },
    );
  });
});

test("a model comes back to the letter with versions, series, hooks, labels and scores", async () => {
  const scores = () => rows(store, "select model, start_at, version, features, data from scores");
  const before = [await dump(store), await scores()];
  const [id] = await remove();
  for (const table of ["models", "versions", "hooks", "labels", "scores"])
    expect(await countOf(table)).toBe(0);
  await removeUnusedFits(store);
  expect(await listed()).toMatchObject([
    { id, kind: "model", name: "m", model: null, deletedAt: 50, deletedBy: "ops", hasPoints: false },
  ]);
  expect((await listed())[0]!.bytes).toBeGreaterThan(500);
  expect(await restore([id!])).toMatchObject([{ name: "m", isLive: false }]);
  expect([await dump(store), await scores()]).toEqual(before);
});

test("a model that was live is live again, with its options and a new state", async () => {
  await start(store, "m");
  const { options: before } = (await loadLive(store, "m"))!;
  const [id] = await remove();
  expect(await countOf("live")).toBe(0);
  expect(await restore([id!])).toMatchObject([{ isLive: true }]);
  expect(await loadLive(store, "m")).toMatchObject({
    options: before,
    startedAt: 60,
    state: { run: "again" },
  });
});

test("a deletion and a restoring that fail on the way change nothing", async () => {
  await start(store, "m");
  for (const event of ["insert on bin_rows", "update on fit_sets", "delete on live", "delete on models"])
    await expectUndone(store, [event], () => remove());
  const [id] = await remove();
  for (const event of ["insert on versions", "update on fit_sets", "insert on live", "delete on bin"])
    await expectUndone(store, [event], () => restore([id!]));
  await restore([id!]);
  expect((await loadModel(store, "m")).activeVersion).toBe("01");
});

test("every kind comes back to the letter", async () => {
  await ensureBucket(store, { name: "b", kind: "local", settings: aBucket({ name: "b", type: "local" }) }, 1);
  await keepPoints(store, "b");
  await createTemplate(store, { name: "t", settings: { type: "donut" } }, 2);
  const job = { name: "j", method: "post", relative_url: "/x", every: { unit: "day" } };
  const creator = { id: "1", name: "ops", scope: "run" } as const;
  await putScheduledJob(store, { definition: checkScheduledJob(job), origin: "api", creator, at: 1 });
  await createModel(store, { name: "n", settings: aModel({ name: "n" }) }, 1);
  await putHook(store, { model: "n", name: "h" }, { at: 2, change: () => ({ kind: "mail", config: {} }) });
  await putCalendar(store, "d", {
    at: 1,
    change: () => ({ settings: { name: "d" }, nextAt: 3, ical: null }),
  });
  const before = await dump(store);
  const [bucket] = await removeBuckets(store, ["b"], deletion, () => 4096);
  expect(await hasHadPoints(store, "b")).toBe(false);
  const ids = [
    ...(await removeHook(store, { model: "n", name: "h" }, deletion)),
    ...(await removeHook(store, { model: null, name: "g" }, deletion)),
    ...(await removeCalendars(store, ["d"], deletion)),
    ...(await removeTemplates(store, ["t"], deletion)),
    ...(await removeScheduledJobs(store, ["j", "x"], deletion)),
    ...(await remove("n")),
    bucket!.binned!,
  ];
  expect((await listed()).find(({ kind }) => kind === "bucket")).toMatchObject({ hasPoints: true });
  // The model before its hook, whatever the order of the ids.
  await restore(ids);
  expect(await dump(store)).toBe(before);
  expect(placed).toEqual(["b b"]);
  expect(await clearScheduledJobs(store, deletion)).toHaveLength(1);
});

test("a taken name is refused with a way out; another name goes through all rows", async () => {
  const [id] = await remove();
  await createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 70);
  await expect(restore([id!])).rejects.toThrow("model m exists: delete it first, or restore");
  expect(await codeOf(restore([id!]))).toBe("already_exists");
  await restore([id!], { name: "old" });
  const { settings, version } = await loadModel(store, "old");
  expect(settings.name).toBe("old");
  expect(version).toMatchObject({ name: "01", settings: { name: "old" } });
  for (const table of ["hooks", "labels", "scores", "fit_sets"])
    expect(await rows(store, `select distinct model from ${table}`)).toEqual([["old"]]);
});

test("what a resource refers to has to be there", async () => {
  const [hook] = await removeHook(store, { model: "m", name: "h" }, deletion);
  const [model] = await remove();
  await expect(restore([hook!])).rejects.toThrow(
    "model m of the hook does not exist: restore the model first",
  );
  const [calendar] = await removeCalendars(store, ["c"], deletion);
  expect(await codeOf(restore([model!]))).toBe("invalid");
  await restore([hook!, model!, calendar!]);
  expect(await countOf("hooks")).toBe(1);
});

test("an entry that is unknown, expired or restored is not found, and nothing is restored", async () => {
  const [id] = await remove();
  const [hook] = await removeHook(store, { model: null, name: "g" }, { at: 55 });
  expect(await codeOf(restore([hook!, "x"]))).toBe("not_found");
  expect(await codeOf(restore([id!], { sinceAt: 51 }))).toBe("not_found");
  expect(await codeOf(removeFromBin(store, [hook!, "x"], 0))).toBe("not_found");
  expect(await countBin(store, 51)).toBe(1);
  await restore([hook!]);
  expect(await codeOf(restore([hook!]))).toBe("not_found");
  expect((await listed()).map((entry) => entry.id)).toEqual([id!]);
});

test("expired entries go with their rows and their series", async () => {
  await remove();
  expect(await expireBin(store, 50)).toBe(0);
  await removeUnusedFits(store);
  expect(await countOf("version_series")).toBe(2);
  expect(await expireBin(store, 51)).toBe(1);
  await removeUnusedFits(store);
  for (const table of ["bin", "bin_rows", "fit_sets", "version_series"]) expect(await countOf(table)).toBe(0);
});

test("beyond the bounds the oldest go first, and the newest stays, however large", async () => {
  const ids: string[] = [];
  for (const at of [51, 52, 53]) {
    await createModel(store, { name: "n", settings: aModel({ name: "n" }) }, 1);
    ids.push(...(await removeModels(store, ["n"], at, { deletion: { at } })).binned);
  }
  await execute(store, `update bin set bytes = 3000000000 where id in ('${ids[1]}', '${ids[2]}')`);
  await removeHook(store, { model: null, name: "g" }, { at: 54 });
  expect((await listed()).map(({ kind, deletedAt }) => [kind, deletedAt])).toEqual([
    ["hook", 54],
    ["model", 53],
  ]);
  await ensureBucket(store, { name: "b", kind: "local", settings: aBucket({ name: "b" }) }, 1);
  await keepPoints(store, "b");
  await removeBuckets(store, ["b"], { at: 55 }, () => 5_000_000_000);
  expect((await listed()).map(({ kind }) => kind)).toEqual(["bucket"]);
});
