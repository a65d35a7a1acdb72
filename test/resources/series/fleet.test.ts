// Series of fleets: lists of live and stopped models, one series with what was found, refusals.
import { beforeEach, expect, test } from "bun:test";
import { WEEK_MS } from "../../../src/core/time/time.ts";
import { FleetSeries } from "../../../src/resources/series/fleet.ts";
import { liveSeries } from "../../../src/store/db/schema.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { MINUTE, NOON, useLiveWorld } from "../../live/world.ts";
import { codeOf } from "../../store/temporary.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

const fleet = () => new FleetSeries(world);
const list = (params: object = {}, model = "m") => fleet().list(model, { ...params });
const hosts = async (params: object = {}) =>
  ((await list(params)).entries as { tags: { host: string } }[]).map(({ tags }) => tags.host);

/** Host `a` is anomalous, `b` is not, `c` is new. */
async function startFleet(): Promise<void> {
  await world.makeFleet("m", ["a", "b"]);
  world.addHost("c");
  world.bucket.hosts
    .get("a")!
    .set(NOON, 95)
    .set(NOON + MINUTE, 80);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
}

test("a live fleet lists the series that it watches, with points of their fits and anomalies", async () => {
  await startFleet();
  const [a, b, c] = (await list()).entries;
  const [episode] = await world.episodes();
  const since = NOON / 1000;
  expect(a).toEqual({
    tags: { host: "a" },
    state: "anomalous",
    score: 80,
    first_seen: expect.any(Number),
    newest_point: since + 120,
    last_window: since + 120,
    fitted: 5000,
    anomaly: episode!.id,
  });
  expect(b).toMatchObject({ state: "watched", score: 10, fitted: 5000 });
  expect(b).not.toHaveProperty("anomaly");
  expect(c).toMatchObject({ tags: { host: "c" }, state: "new", score: null, fitted: null });
});

test("filters, orders and pages, with totals and numbers by state", async () => {
  await startFleet();
  expect(await hosts({ sort: "score:-1" })).toEqual(["a", "b", "c"]);
  expect(await hosts({ sort: "tags:-1" })).toEqual(["c", "b", "a"]);
  expect(await hosts({ state: "watched" })).toEqual(["b"]);
  expect(await hosts({ state: "stopped" })).toEqual([]);
  expect(await hosts({ q: "B" })).toEqual(["b"]);
  const page = await list({ page: 1, per_page: 2, fields: "tags", include_fields: true });
  expect(page).toMatchObject({ entries: [{ tags: { host: "c" } }], total: 3 });
  const found = await list({ state: "new" });
  expect(found.total).toBe(1);
  expect(Object.fromEntries(found.states!)).toEqual({
    anomalous: 1,
    watched: 1,
    new: 1,
  });
});

test.each([
  [{ state: "odd" }, "state: must be one of new, watched, anomalous, silent, stopped"],
  [{ sort: "fitted:1" }, "sort: must be by tags, score, newest_point"],
  [{ q: ["a"] }, "q: must be a text"],
  [{ per_page: 101 }, "per_page"],
])("%j is refused", async (params, message) => {
  await world.makeFleet("m", ["a"]);
  await expect(list(params)).rejects.toThrow(message);
});

test("a fleet that is not live lists the series of its active version; untrained, none", async () => {
  await world.makeUntrained("m", { group_by: ["host"] });
  expect((await list()).entries).toEqual([]);
  expect(await codeOf(fleet().get("m", "host:a"))).toBe("not_found");
  await world.makeFleet("k", ["a", "b"]);
  const { entries: stopped, states } = await list({ sort: "tags:-1" }, "k");
  expect(stopped).toMatchObject([{ tags: { host: "b" } }, { tags: { host: "a" } }]);
  expect(stopped[0]).toMatchObject({ state: "stopped", fitted: 5000, score: null, first_seen: null });
  expect((await list({ q: "a" }, "k")).total).toBe(1);
  expect([...states!]).toEqual([["stopped", 2]]);
  expect((await list({ state: "watched" }, "k")).entries).toEqual([]);
  expect(await fleet().get("k", "host:a")).toEqual(stopped[1] as never);
});

test("one series shows what live detection has found", async () => {
  await startFleet();
  const [episode] = await world.episodes();
  const found = await fleet().get("m", "host:a");
  expect(found).toMatchObject({ state: "anomalous", anomaly: episode!.id });
  expect(found.live).toMatchObject({
    lag: expect.any(Number),
    anomaly: { id: episode!.id, start: NOON / 1000, peak_score: 95, features: { f: { type: "high" } } },
  });
  expect(found.live).not.toHaveProperty("learning");
  expect((await fleet().get("m", "host:c")).live?.learning).toMatchObject({ needed: expect.any(Number) });
});

test("a series that has been live for two weeks shows its own false alarms", async () => {
  await startFleet();
  expect(await fleet().get("m", "host:a")).not.toHaveProperty("false_alarms");
  const firstSeenAt = NOON - 2 * WEEK_MS;
  await write(world.store, (tx) => tx.update(liveSeries).set({ firstSeenAt }).run());
  const rest = { asked: 0.636, judged_true: 0, judged_false: 0, weeks: 2 };
  expect(await fleet().get("m", "host:a")).toMatchObject({ false_alarms: { ...rest, seen: 0.5 } });
  expect(await fleet().get("m", "host:b")).toMatchObject({ false_alarms: { ...rest, seen: 0 } });
});

test("unknown series and models, missing tags, and models of one series are refused", async () => {
  await startFleet();
  await world.makeModel("one");
  await expect(fleet().get("m", "host:x")).rejects.toThrow("GET /models/m/series lists those there are");
  expect(await codeOf(fleet().get("m", "host:x"))).toBe("not_found");
  await expect(fleet().get("m", "rack:1")).rejects.toThrow("no tag rack");
  expect(await codeOf(list({}, "nothing"))).toBe("not_found");
  for (const attempt of [() => list({}, "one"), () => fleet().get("one", "host:a")])
    await expect(attempt()).rejects.toThrow("set group_by");
  expect(await codeOf(list({}, "one"))).toBe("not_supported");
});

test("one series shows its watched forecasts", async () => {
  const watch_forecast = [{ feature: "f", above: 95, within: "7d", every: "1h" }];
  await world.makeFleet("m", ["a"], { watch_forecast });
  await world.start(["m"]);
  await world.pass(3 * MINUTE);
  const { live } = await fleet().get("m", "host:a");
  expect(live?.forecasts).toMatchObject([{ feature: "f", type: "high", threshold: 95 }]);
});

test("the tags are those that the active version was trained with", async () => {
  await world.makeFleet("m", ["a"]);
  await world.patch("m", { group_by: ["host", "cpu"] });
  expect(await hosts()).toEqual(["a"]);
  expect(await fleet().get("m", "host:a")).toMatchObject({ tags: { host: "a" } });
  await expect(fleet().get("m", "host:a,cpu:0")).rejects.toThrow("no tag cpu");
});
