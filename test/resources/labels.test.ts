// Labels of models: create, list by range and page, delete; they go with their model.
import { beforeEach, expect, test } from "bun:test";
import { Labels } from "../../src/resources/labels.ts";
import { listLabels } from "../../src/store/anomalies/labels.ts";
import { removeModels } from "../../src/store/bin/models.ts";
import { createModel } from "../../src/store/models.ts";
import { codeOf, useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const store = useStore();
const labels = () => new Labels({ store, clock: { now: () => 1_000_000 } });
const startsOf = async (params: object) =>
  ((await labels().list("m", { ...params })).entries as { from: number }[]).map(({ from }) => from);

beforeEach(async () => {
  for (const name of ["m", "k"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
  for (const from of [300, 100, 200])
    await labels().create("m", { from, to: from + 50, anomaly: from !== 200 });
});

test("a label is answered as it is listed, by start", async () => {
  const made = await labels().create("m", { from: 1, to: 2, anomaly: false, feature: "v", note: "n" });
  expect(made).toEqual({
    id: expect.any(String),
    from: 1,
    to: 2,
    anomaly: false,
    feature: "v",
    note: "n",
    created_timestamp: 1000,
  });
  expect((await labels().list("m")).entries[0]).toEqual(made);
  expect(await startsOf({})).toEqual([1, 100, 200, 300]);
  expect((await labels().list("k")).entries).toEqual([]);
});

test.each([
  [{ from: 150, to: 300 }, [200]],
  [{ from: 149 }, [100, 200, 300]],
  [{ to: 200 }, [100]],
  [{ page: 1, per_page: 2 }, [300]],
])("%j", async (params, expected) => {
  expect(await startsOf(params)).toEqual(expected);
});

test("a page reports the total; ends in disorder and unknown models are refused", async () => {
  expect((await labels().list("m", { per_page: 1 })).total).toBe(3);
  await expect(labels().list("m", { from: 2, to: 1 })).rejects.toThrow("from: must not be after to");
  expect(await codeOf(labels().list("x"))).toBe("not_found");
  expect(await codeOf(labels().create("x", { from: 1, to: 2, anomaly: true }))).toBe("not_found");
  await expect(labels().create("m", { from: 1, to: 2 })).rejects.toThrow("anomaly: is required");
});

test("a label is deleted once, by its model", async () => {
  const { id } = await labels().create("m", { from: 1, to: 2, anomaly: true });
  expect(await codeOf(labels().remove("k", id))).toBe("not_found");
  await labels().remove("m", id);
  expect(await codeOf(labels().remove("m", id))).toBe("not_found");
  await removeModels(store, ["m"], 2);
  expect(await listLabels(store, { model: "m" })).toEqual([]);
});

test("labels of one series are shown with its tags, and found with those of all series", async () => {
  await createModel(store, { name: "fleet", settings: aModel({ name: "fleet", group_by: ["host"] }) }, 1);
  const put = (from: number, series?: Record<string, string>) =>
    labels().create("fleet", { from, to: from + 1, anomaly: true, ...(series && { series }) });
  expect(await put(1, { host: "a" })).toMatchObject({ series: { host: "a" } });
  expect(await put(2, { host: "b" })).toMatchObject({ series: { host: "b" } });
  expect(await put(3)).not.toHaveProperty("series");
  expect((await labels().list("fleet", { series: "host:a" })).entries).toMatchObject([
    { from: 1 },
    { from: 3 },
  ]);
  await expect(labels().list("fleet", { series: "dc:a" })).rejects.toThrow("no tag dc");
  expect(await codeOf(labels().list("m", { series: "host:a" }))).toBe("not_supported");
});
