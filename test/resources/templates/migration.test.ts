// Migration of a template's models: the plan, what is copied and stopped, and what is refused.
import { beforeEach, expect, test } from "bun:test";
import { advance } from "../../../src/live/episodes/episode-tracker.ts";
import { freshState } from "../../../src/live/state.ts";
import { checkModel } from "../../../src/resources/models/settings.ts";
import { TemplateMigration } from "../../../src/resources/templates/migration.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { startLive } from "../../../src/store/live.ts";
import { createTrainedModel } from "../../../src/store/versions.ts";
import { aVersion } from "../../store/fleets/builders.ts";
import { codeOf, dump, recordEvents } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;
const night = { from: "22:00", to: "06:00" };
const world = useWorld();
let migration: TemplateMigration;
let changed: string[][];
let followed: string[][];

const settings = aModel({
  name: "load_{{host}}",
  features: [{ name: "v", metric: "avg", field: "v", match_all: [{ tag: "host", value: "{{host}}" }] }],
});

beforeEach(async () => {
  const { store, clock, buckets, templates, models, queue } = world;
  clock.at = NOON;
  [changed, followed] = [[], []];
  const live = { follow: async (names: readonly string[]) => void followed.push([...names]) };
  const onChange = async (names: readonly string[]) => void changed.push([...names]);
  migration = new TemplateMigration({ store, clock, queue, live, onEvents: () => {}, onChange });
  await buckets.put({ name: "b", type: "local" });
  await templates.create("load", settings);
  for (const host of ["a", "b", "c"]) await models.create(await templates.fill("load", { host }));
});

const plain = { name: "v", metric: "avg", field: "v" };
const series = ["a", "b", "c"].map((host) => ({ model: `load_${host}`, series: { host } }));
const namesOf = async () =>
  ((await world.models.list()).entries as { settings: { name: string } }[]).map(
    ({ settings }) => settings.name,
  );

test("models of a template become a fleet and stay, stopped", async () => {
  const answer = await migration.migrate("load", null);
  expect(answer).toEqual({
    model: "load",
    dry_run: false,
    settings: aModel({
      name: "load",
      group_by: ["host"],
      expected_false_alarms_per: "series",
      features: [plain],
    }),
    group_by: ["host"],
    series,
    left: [],
    anomalies: 0,
    labels: 0,
    hooks: [],
    not_copied: [],
    live: 0,
    deleted: 0,
    next: "train it: POST /models/load/_train?from=now-30d, then start it: POST /models/load/_start",
  });
  expect((await world.models.get(["load"])).entries).toMatchObject([{ settings: answer.settings }]);
  expect(await namesOf()).toEqual(["load", "load_a", "load_b", "load_c"]);
  expect([changed, followed]).toEqual([[["load"]], [[]]]);
});

test("a plan answers what would be done, and changes nothing", async () => {
  await world.hooks.put("load_a", { name: "ops", type: "webhook", config: { url: "https://example.org" } });
  const before = await dump(world.store);
  const request = { name: "cpu", delete: true };
  const plan = await migration.migrate("load", { ...request, dry_run: true });
  expect(await dump(world.store)).toBe(before);
  expect(plan).toMatchObject({ dry_run: true, deleted: 2 });
  expect(plan.not_copied).toEqual([{ model: "load_a", what: "hook ops", reason: "not all models have it" }]);
  expect(await migration.migrate("load", request)).toEqual({ ...plan, dry_run: false });
});

test("models that differ stay as they are, with a reason", async () => {
  await world.models.patch(["load_b"], { bucket_interval: "5m" });
  const { left } = await migration.migrate("load", { delete: true });
  expect(left).toEqual([{ model: "load_b", reason: "differs from the others in bucket_interval" }]);
  expect(await namesOf()).toEqual(["load", "load_b"]);
  expect(changed).toEqual([["load", "load_a", "load_c"]]);
});

test("a list of models and tags decides instead of the template", async () => {
  const other = aModel({ name: "x", features: [{ ...plain, match_all: [{ tag: "host", value: "x" }] }] });
  await world.models.create(other);
  const answer = await migration.migrate("load", { models: ["x", "load_a"], group_by: ["host"] });
  expect(answer.series.map(({ model }) => model)).toEqual(["load_a", "x"]);
});

test("the training starts where the earliest of the models did", async () => {
  for (const [host, hours] of [
    ["d", 2],
    ["e", 3],
  ] as const) {
    const name = `load_${host}`;
    const own = checkModel(await world.templates.fill("load", { host }), new Map());
    const { model: _, ...version } = aVersion({ fromAt: NOON - hours * HOUR_MS, toAt: NOON });
    await createTrainedModel(world.store, { model: { name, settings: own }, version }, NOON);
  }
  const { train_from, next } = await migration.migrate("load", {});
  expect(train_from).toBe((NOON - 3 * HOUR_MS) / 1000);
  expect(next).toStartWith("train it: POST /models/load/_train?from=2026-01-01T09:00:00");
});

test("live models are stopped, and hooks hear of the end of their anomalies", async () => {
  const { store } = world;
  const queued = recordEvents(store);
  const v = { type: "high" as const, score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };
  const point = { at: NOON - 60_000, score: 80, features: { v } };
  const rules = { min: 50, max: 70, gracePeriodMs: 0, minDuration: 1 };
  const context = { model: "load_a", mutedUntil: () => undefined, newId: () => "e1", rules };
  const { state, episodes } = advance(freshState("run"), [point], context);
  const starts = [{ model: "load_a", options: { detect: true }, untrained: true, state }];
  await startLive(store, starts, { at: NOON, ending: { reason: "", describe: () => undefined } });
  await write(store, (tx) => changeEpisodes(tx, episodes));
  expect(await migration.migrate("load", { delete: true })).toMatchObject({ live: 1, anomalies: 1 });
  const closedBy = "the model became a series of a fleet";
  expect(queued()).toMatchObject([{ kind: "anomaly_end", model: "load_a", episode: "e1", closedBy }]);
  expect(followed).toEqual([["load_a"]]);
});

test("mute windows of some models become windows of their series", async () => {
  await world.models.patch(["load_a"], { mute: [night] });
  const answer = await migration.migrate("load", {});
  expect(answer.settings.mute).toEqual([{ ...night, series: { host: "a" } }]);
});

const refusals: readonly [string, string, object, string, string | RegExp][] = [
  ["an unknown template", "spam", {}, "not_found", "template spam does not exist"],
  ["a template without models", "other", {}, "not_found", "there are no models of template other: list them"],
  ["an unknown model", "load", { models: ["load_a", "x"] }, "not_found", "model x does not exist"],
  ["a name that is taken", "load", { name: "load_a" }, "already_exists", "choose another name"],
  ["a tag of no model", "load", { group_by: ["rack"] }, "invalid", /none has rack, they have host/],
  ["an unknown key", "load", { groupby: ["host"] }, "invalid", "did you mean group_by?"],
  ["models of which none fits", "load", { models: ["load_a", "odd"] }, "invalid", /odd differs/],
];
test.each(refusals)("%s is refused and changes nothing", async (_name, template, body, code, message) => {
  await world.templates.create("other", { ...settings, name: "other_{{host}}" });
  const match_all = [{ tag: "host", value: "odd" }];
  await world.models.create(aModel({ name: "odd", features: [{ ...plain, metric: "max", match_all }] }));
  const before = await dump(world.store);
  expect(await codeOf(migration.migrate(template, body))).toBe(code);
  await expect(migration.migrate(template, body)).rejects.toThrow(message);
  expect(await dump(world.store)).toBe(before);
});
