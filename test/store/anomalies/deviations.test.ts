// Deviations: grown with evaluations, listed by their start, removed by age and with their model.
import { beforeEach, expect, test } from "bun:test";
import type { Deviation } from "../../../src/core/related/deviation.ts";
import {
  appendDeviations,
  listDeviations,
  listDeviationsOf,
  removeDeviations,
} from "../../../src/store/anomalies/deviations.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { useStore } from "../temporary.ts";

const MINUTE = 60_000;
const store = useStore();
const at = (minute: number, peak = 3, length = 1): Deviation => ({
  ...{ startAt: minute * MINUTE, endAt: (minute + length) * MINUTE, intervalMs: MINUTE },
  ...{ peak, feature: "f", type: "high" },
});
const append = (found: readonly Deviation[], series?: string, model = "m") =>
  write(store, (tx) => appendDeviations(tx, { model, ...(series && { series }) }, found));
const all = { fromAt: 0, toAt: 1000 * MINUTE };
const list = async (limit = 100) =>
  (await listDeviations(store, all, limit)).map(({ series, startAt, endAt, peak }) => [
    ...[series, startAt / MINUTE, endAt / MINUTE, peak],
  ]);

beforeEach(async () => {
  for (const name of ["m", "other"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
});

test("one that goes on in the next window grows, with the greatest peak; after a pause another begins", async () => {
  await append([at(10)]);
  await append([at(11, 5)]);
  await append([at(14, 4)]);
  await append([at(19, 4)]);
  expect(await list()).toEqual([
    [null, 10, 15, 5],
    [null, 19, 20, 4],
  ]);
});

test("series have their own, and those of a subject are listed by their start", async () => {
  await append([at(10), at(20, 4)], '["a"]');
  await append([at(11, 6)], '["b"]');
  await append([at(12, 5)]);
  expect((await list(2)).map(([series]) => series)).toEqual(['["b"]', null]);
  const of = await listDeviationsOf(store, [{ model: "m", series: '["a"]' }, { model: "m" }], all);
  expect(of.map((own) => own.map(({ startAt }) => startAt / MINUTE))).toEqual([[10, 20], [12]]);
});

test("an interval of another length begins anew", async () => {
  await append([at(10)]);
  await append([{ ...at(11), intervalMs: 5 * MINUTE, endAt: 16 * MINUTE }]);
  expect(await list()).toHaveLength(2);
});

test("old ones are removed in slices; a deleted model takes its own along", async () => {
  await append([at(1), at(10), at(20)]);
  await append([at(2)], undefined, "other");
  expect(await removeDeviations(store, 11 * MINUTE, 2)).toBe(2);
  expect(await removeDeviations(store, 11 * MINUTE, 2)).toBe(1);
  await removeModels(store, ["m"], 1);
  expect(await list()).toEqual([]);
});
