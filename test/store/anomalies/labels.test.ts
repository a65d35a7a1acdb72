// Labels of fleets: of all series, or of those with some tags.
import { expect, test } from "bun:test";
import { countLabels, insertLabel, listLabels } from "../../../src/store/anomalies/labels.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { useStore } from "../temporary.ts";

const store = useStore();

test("a label that says the same as another one is that one", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  const label = { model: "m", fromAt: 1, toAt: 2, anomaly: true, at: 9 } as const;
  const series = { host: "a", cpu: "0" };
  await insertLabel(store, { ...label, id: "first", series });
  const again = { ...label, at: 10, series: { cpu: "0", host: "a" } };
  expect(await insertLabel(store, { ...again, id: "again" })).toMatchObject({ id: "first", createdAt: 9 });
  for (const [id, other] of Object.entries({ verdict: { anomaly: false }, note: { note: "n" } }))
    expect(await insertLabel(store, { ...again, ...other, id })).toMatchObject({ id });
  expect(await countLabels(store, { model: "m" })).toBe(3);
});

test("a label concerns the series that have all of its tags", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  const put = (id: string, fromAt: number, series?: Record<string, string>) =>
    insertLabel(store, {
      id,
      model: "m",
      fromAt,
      toAt: 500,
      anomaly: true,
      at: 9,
      ...(series && { series }),
    });
  await put("all", 1);
  await put("host a", 2, { host: "a" });
  await put("one", 3, { host: "a", cpu: "0" });
  const idsOf = async (series?: Record<string, string>) =>
    (await listLabels(store, { model: "m", ...(series && { series }) })).map(({ id }) => id);
  expect(await idsOf()).toEqual(["all", "host a", "one"]);
  expect(await idsOf({ host: "a", cpu: "0" })).toEqual(["all", "host a", "one"]);
  expect(await idsOf({ host: "a", cpu: "1" })).toEqual(["all", "host a"]);
  expect(await idsOf({ host: "b", cpu: "0" })).toEqual(["all"]);
  expect(await countLabels(store, { model: "m", series: { host: "a", cpu: "1" } })).toBe(2);
  expect((await listLabels(store, { model: "m" })).map(({ series }) => series)).toEqual([
    null,
    { host: "a" },
    { host: "a", cpu: "0" },
  ]);
});
