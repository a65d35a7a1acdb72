// Series of versions: committed with their version or not at all, read in pages, gone with it.
import { beforeEach, expect, test } from "bun:test";
import { removeModels } from "../../../src/store/bin/models.ts";
import { type NewSeriesFit, removeUnusedFits, type SeriesFits } from "../../../src/store/fleets/fit-sets.ts";
import {
  countSeriesFits,
  findSeriesFits,
  listSeriesFits,
  loadSeriesFits,
  saveSeriesFit,
} from "../../../src/store/fleets/version-series.ts";
import { submitJobs } from "../../../src/store/jobs/jobs.ts";
import { recoverJobs } from "../../../src/store/jobs/recovery.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import {
  createTrainedModel,
  finishTraining,
  listVersions,
  restoreVersion,
} from "../../../src/store/versions.ts";
import { aModel } from "../../support/builders.ts";
import { bytes, codeOf, dump, execute, expectUndone, rows, useStore } from "../temporary.ts";
import { aFit, aVersion, train } from "./builders.ts";

const store = useStore();
beforeEach(() => createModel(store, { name: "m", settings: aModel() }, 1));

const hosts = (count: number) =>
  Array.from({ length: count }, (_, i) => aFit(`host-${String(i).padStart(4, "0")}`));
const first = { model: "m", version: "00" };
const load = async (ref = first, keys?: readonly string[]) => {
  const pages = [];
  for await (const page of loadSeriesFits(store, ref, keys))
    pages.push(page.map(({ packed: _, ...fit }) => fit));
  return pages;
};
const commit = (series: SeriesFits, owner = "me") =>
  finishTraining(store, { id: "t0", owner, at: 7 }, aVersion({ series }));
function* interrupted(): Generator<NewSeriesFit> {
  yield* hosts(100);
  throw new Error("no memory");
}
const countOf = async (table: string) => (await rows(store, `select count(*) from ${table}`))[0]![0];

test("a training ends with its series, in pages by key", async () => {
  const fits = hosts(200);
  expect(await train(store, "t1", aVersion({ series: fits.toReversed() }))).toBe("00");
  const pages = await load();
  expect(pages.flat()).toEqual(fits.map((fit) => ({ ...fit, fittedAt: 7 })));
  expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(100);
  expect(await countSeriesFits(store, first)).toBe(200);
  const { parameters: _, ...listed } = fits[150]!;
  expect(await listSeriesFits(store, first, { page: { offset: 150, limit: 1 } })).toEqual([
    { ...listed, fittedAt: 7 },
  ]);
});

test("some series are loaded by their keys; unknown ones are left out", async () => {
  await train(store, "t1", aVersion({ series: hosts(150) }));
  const keys = hosts(150).map(({ key }) => key);
  expect((await load(first, [...keys, '["other"]'])).flat()).toHaveLength(150);
  expect((await load(first, [keys[7]!, '["other"]'])).flat()).toMatchObject([{ key: keys[7] }]);
  expect(await load(first, [])).toEqual([]);
});

test("series of a version are found by a part of a value, in either order, or by their keys", async () => {
  await train(store, "t1", aVersion({ series: hosts(150) }));
  const page = { offset: 0, limit: 3 };
  const hostsOf = async (query: object) =>
    (await listSeriesFits(store, first, { page, ...query })).map(({ tags }) => tags.host);
  expect(await hostsOf({ q: "-014" })).toEqual(["host-0140", "host-0141", "host-0142"]);
  expect(await hostsOf({ descending: true })).toEqual(["host-0149", "host-0148", "host-0147"]);
  expect(await countSeriesFits(store, first, "HOST-014")).toBe(10);
  const { key } = hosts(150)[7]!;
  const found = await findSeriesFits(store, first, [key, '["other"]']);
  expect([...found]).toEqual([[key, expect.objectContaining({ tags: { host: "host-0007" } })]]);
});

test("a version without series has none; an unknown version is not found", async () => {
  await train(store, "t1", aVersion());
  expect(await load()).toEqual([]);
  expect(await countSeriesFits(store, first)).toBe(0);
  const unknown = { model: "m", version: "07" };
  expect(await codeOf(load(unknown))).toBe("not_found");
  expect(await codeOf(countSeriesFits(store, unknown))).toBe("not_found");
});

test("promise 3: a training of series that fails or comes too late leaves nothing", async () => {
  await submitJobs(store, [{ id: "t0", type: "training", model: "m", input: {} }], { at: 5, maxWaiting: 9 });
  await execute(store, "update jobs set state = 'running', owner = 'me' where id = 't0'");
  const statements = [
    ["insert on versions"],
    ["insert on version_series"],
    ["update on fit_sets", "new.model is not null"],
  ] as const;
  for (const statement of statements) await expectUndone(store, statement, () => commit(hosts(100)));
  const before = await dump(store);
  expect(await commit(hosts(100), "somebody")).toBeUndefined();
  await expect(commit(interrupted())).rejects.toThrow("no memory");
  expect(await dump(store)).toBe(before);
});

test("series that a dead server staged are removed at the next start", async () => {
  await train(store, "t1", aVersion({ series: hosts(2) }));
  await execute(store, "insert into fit_sets (id, is_staged) values (99, 1)");
  await execute(store, `insert into version_series values (99, 'k', '{}', 1, 1, ${bytes("00")})`);
  await removeUnusedFits(store);
  expect([await countOf("fit_sets"), await countOf("version_series")]).toEqual([2, 3]);
  await recoverJobs(store, 10);
  await removeUnusedFits(store);
  expect([await countOf("fit_sets"), await countOf("version_series")]).toEqual([1, 2]);
});

test("a series can be fitted later, or again; not to a version that is gone", async () => {
  await train(store, "t1", aVersion());
  const late = { ...first, ...aFit("late"), at: 50 };
  expect(await saveSeriesFit(store, late)).toBe(true);
  expect(await saveSeriesFit(store, { ...late, points: 90, parameters: { mean: 2 }, at: 60 })).toBe(true);
  expect((await load()).flat()).toEqual([
    { ...aFit("late"), points: 90, parameters: { mean: 2 }, fittedAt: 60 },
  ]);
  expect(await saveSeriesFit(store, { ...late, version: "01" })).toBe(false);
  expect(await countOf("fit_sets")).toBe(1);
});

test("damaged parameters are named", async () => {
  await train(store, "t1", aVersion({ series: hosts(1) }));
  await execute(store, "update version_series set parameters = substr(parameters, 1, 9)");
  expect(await codeOf(load())).toBe("weights_corrupt");
});

test("series go with their version, by retention or with the model", async () => {
  const retention = { keep: 1, versionsIn: () => [] };
  await train(store, "t1", aVersion({ series: hosts(3) }));
  await train(store, "t2", { ...aVersion({ series: hosts(2) }), retention });
  expect((await listVersions(store, "m")).map(({ name }) => name)).toEqual(["01"]);
  await removeUnusedFits(store);
  expect([await countOf("fit_sets"), await countOf("version_series")]).toEqual([1, 2]);
  await removeModels(store, ["m"], 60);
  await removeUnusedFits(store);
  expect([await countOf("fit_sets"), await countOf("version_series")]).toEqual([0, 0]);
});

test("a restored version has its own series", async () => {
  await train(store, "t1", aVersion({ series: hosts(3) }));
  await train(store, "t2", aVersion({ series: hosts(2) }));
  await restoreVersion(store, first, 50);
  const { activeVersion } = await loadModel(store, "m");
  expect(await countSeriesFits(store, { model: "m", version: activeVersion! })).toBe(3);
});

test("a version that was trained elsewhere comes with its series, or not at all", async () => {
  const { model: _, ...version } = aVersion({ series: hosts(3) });
  const model = { name: "n", settings: aModel({ name: "n" }) };
  await createTrainedModel(store, { model, version }, 9);
  expect((await load({ model: "n", version: "00" })).flat()).toHaveLength(3);
  const before = await dump(store);
  expect(await codeOf(createTrainedModel(store, { model, version }, 9))).toBe("already_exists");
  expect(await dump(store)).toBe(before);
});

test("many series that are gone are removed in parts, those of a new model of the name stay", async () => {
  await train(store, "t1", aVersion({ series: hosts(1200) }));
  await removeModels(store, ["m"], 60);
  await createModel(store, { name: "m", settings: aModel() }, 61);
  await train(store, "t2", aVersion({ series: hosts(4) }));
  expect(await countSeriesFits(store, first)).toBe(4);
  await removeUnusedFits(store);
  expect([await countOf("fit_sets"), await countOf("version_series")]).toEqual([1, 4]);
});
