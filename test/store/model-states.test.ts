// Models by state: every state, worst first, filters, pages, counts.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { modelStates } from "../../src/core/model/model-state.ts";
import { submitJobs } from "../../src/store/jobs/jobs.ts";
import { countModelStates, findModels, type ModelFilter } from "../../src/store/model-states.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { openTemporary, type TemporaryStore } from "./temporary.ts";

let store: TemporaryStore;
beforeEach(async () => {
  store = openTemporary();
  for (const name of modelStates) await createModel(store, { name, settings: aModel({ name }) }, 1);
  const { sqlite } = store;
  const trained = ["anomaly", "failing", "no_data", "training", "live", "stopped"];
  for (const name of trained) {
    sqlite.run(
      `insert into versions (model, number, name, checksum, created_at, from_at, to_at, settings, summary, parameters, weights)
       values (?, 0, '00', '', 1, 0, 1, '{}', '{}', '{}', x'')`,
      [name],
    );
    sqlite.run("update models set active_version = '00' where name = ?", [name]);
  }
  const live = [
    ["anomaly", 3, '{"run":"r","episode":{"id":"e"}}'],
    ["failing", 1, '{"run":"r"}'],
    ["no_data", 0, '{"run":"r","quiet":{"isSilent":true}}'],
    ["training", 0, '{"run":"r"}'],
    ["learning", 0, '{"run":"r"}'],
    ["live", 0, '{"run":"r"}'],
  ] as const;
  for (const [name, failures, state] of live)
    sqlite.run("insert into live (model, started_at, options, failures, state) values (?, 1, '{}', ?, ?)", [
      name,
      failures,
      state,
    ]);
  const job = { id: crypto.randomUUID(), type: "training", model: "training", input: {} } as const;
  await submitJobs(store, [job], { at: 1, maxWaiting: 10 });
});
afterEach(() => store.remove());

const all = { offset: 0, limit: -1, descending: false };
const find = async (filter: ModelFilter, order = {}) =>
  (await findModels(store, filter, { ...all, ...order })).map(({ name }) => name);

test("worst first, or last; by name without an order by state", async () => {
  expect(await find({}, { byState: true })).toEqual([...modelStates]);
  expect(await find({}, { byState: true, descending: true })).toEqual(modelStates.toReversed());
  expect(await find({})).toEqual(modelStates.toSorted());
  expect(await find({}, { byState: true, offset: 1, limit: 2 })).toEqual(["failing", "no_data"]);
});

test("a fleet with an anomalous series is an anomaly, whatever else it is", async () => {
  const setState = (state: object) =>
    store.sqlite.run("update live set state = ? where model = 'failing'", [JSON.stringify(state)]);
  setState({ run: "r", fleet: { anomalous: 2 } });
  expect(await find({ states: ["anomaly"] })).toEqual(["anomaly", "failing"]);
  setState({ run: "r", fleet: { anomalous: 0 } });
  expect(await find({ states: ["anomaly"] })).toEqual(["anomaly"]);
});

test("a fleet without a series that has points has no data", async () => {
  const setState = (fleet: object) =>
    store.sqlite.run("update live set state = ? where model = 'live'", [JSON.stringify({ run: "r", fleet })]);
  setState({ new: 0, watched: 0, anomalous: 0, silent: 3 });
  expect(await find({ states: ["no_data"] })).toEqual(["live", "no_data"]);
  setState({ new: 0, watched: 1, anomalous: 0, silent: 2 });
  expect(await find({ states: ["no_data"] })).toEqual(["no_data"]);
});

test("a silence that a former version has stored is no data", async () => {
  const state = { run: "r", quiet: { sinceAt: 1 }, conditions: { silence: { id: "i" } } };
  store.sqlite.run("update live set state = ? where model = 'live'", [JSON.stringify(state)]);
  expect(await find({ states: ["no_data"] })).toEqual(["live", "no_data"]);
});

test("rows are those of other lists", async () => {
  const [row] = await findModels(store, { states: ["training"] }, all);
  expect(row).toMatchObject({ name: "training", version: { name: "00" }, training: { state: "waiting" } });
});

test("by state and by a part of the name, in any case, read literally", async () => {
  expect(await find({ states: ["live", "anomaly"] })).toEqual(["anomaly", "live"]);
  expect(await find({ text: "TRAIN" })).toEqual(["training", "untrained"]);
  expect(await find({ text: "train", states: ["untrained"] })).toEqual(["untrained"]);
  expect(await find({ text: "%" })).toEqual([]);
});

test("counts are of all states, whatever the filter by state", async () => {
  expect(new Map(await countModelStates(store, {}))).toEqual(new Map(modelStates.map((name) => [name, 1])));
  expect([...(await countModelStates(store, { text: "train" }))]).toEqual([
    ["training", 1],
    ["untrained", 1],
  ]);
});
