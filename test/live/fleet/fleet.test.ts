// Live fleets: one read and one record per evaluation, anomalies by series, series that are new, silent, failed or gone.
import { beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { seriesKeyOf } from "../../../src/core/model/fleet.ts";
import { toColumns } from "../../../src/core/series/score-run.ts";
import { stateOf } from "../../../src/live/state.ts";
import type { ModelKind } from "../../../src/models/kind.ts";
import { listScores } from "../../../src/store/anomalies/scores.ts";
import { loadLiveSeries } from "../../../src/store/fleets/live-series.ts";
import { loadSeriesFits } from "../../../src/store/fleets/version-series.ts";
import { drain } from "../../jobs/fakes.ts";
import { MINUTE, NOON, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

const at = (minute: number) => NOON + minute * MINUTE;

/** From this interval on (minutes after noon), what is observed of a host. */
function observe(host: string, fromMinute: number, values: readonly number[]): void {
  for (const [i, value] of values.entries()) world.bucket.hosts.get(host)!.set(at(fromMinute + i), value);
}

/** Nothing is observed of a host in these minutes. */
function empty(host: string, fromMinute: number, toMinute: number): void {
  observe(host, fromMinute, new Array(toMinute - fromMinute).fill(Number.NaN));
}

/** Stored series by host. */
async function series(model = "m") {
  const rows = (await Array.fromAsync(loadLiveSeries(world.store, model))).flat();
  return Object.fromEntries(rows.map((row) => [row.tags.host, row]));
}

const fleetState = async () => stateOf(await world.row()).fleet;
const steps = () => world.events.map(({ kind, series: tags }) => `${kind} ${tags?.host ?? "-"}`);

test("each series has anomalies of its own; one read and one record serve all", async () => {
  await world.makeFleet("m", ["a", "b", "c"]);
  observe("a", 1, [95, 80, 40]);
  observe("b", 2, [99, 99]);
  await world.start(["m"]);
  const reads = world.bucket.reads;
  await world.pass(MINUTE);
  expect(world.bucket.reads - reads).toBe(3);
  await world.pass(5 * MINUTE);
  expect(steps()).toEqual(["anomaly_start a", "anomaly_start b", "anomaly_end a", "anomaly_end b"]);
  expect(await world.episodes()).toMatchObject([
    { series: { host: "b" }, startAt: at(2), endAt: at(4), peakScore: 99 },
    { series: { host: "a" }, startAt: at(1), endAt: at(3), peakScore: 95 },
  ]);
  expect((await world.evaluations()).map(({ outcome }) => outcome)).toContain("ok");
  expect(await fleetState()).toEqual({
    new: 0,
    watched: 3,
    anomalous: 0,
    silent: 0,
    failed: 0,
    unwatched: 0,
  });
});

test("states, anomalies and windows survive a restart between every two steps", async () => {
  await world.makeFleet("m", ["a", "b"]);
  observe("a", 0, [10, 95, 80, 60, 40, 10, 99, 20]);
  observe("b", 0, [10, 10, 10, 99, 99, 10, 10, 10]);
  await world.start(["m"]);
  for (let minute = 0; minute < 10; minute++) {
    await world.restart();
    await world.pass(MINUTE);
  }
  const ofHost = (host: string) => steps().filter((step) => step.endsWith(host));
  const pair = (host: string) => [`anomaly_start ${host}`, `anomaly_end ${host}`];
  expect(ofHost("a")).toEqual([...pair("a"), ...pair("a")]);
  expect(ofHost("b")).toEqual(pair("b"));
  expect(await world.row()).toMatchObject({ missed: 0, failures: 0, lastWindowAt: at(10) });
});

test("a new series is seen at once, counted until it can be fitted, then watched", async () => {
  await world.makeFleet("m", ["a"]);
  world.addHost("b");
  empty("b", -5, 0);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  expect((await series()).b).toMatchObject({ status: "new", score: null });
  expect(await fleetState()).toMatchObject({ new: 1, watched: 1 });
  observe("b", 40, [95]);
  await world.pass(30 * MINUTE);
  const fits = (await Array.fromAsync(loadSeriesFits(world.store, { model: "m", version: "00" }))).flat();
  expect(fits.map(({ tags }) => tags.host)).toEqual(["a", "b"]);
  await world.pass(MINUTE);
  expect((await series()).b).toMatchObject({ status: "watched", score: 10 });
  await world.pass(10 * MINUTE);
  expect(steps()).toContain("anomaly_start b");
});

test("series beyond max_series are not watched, but counted; those that are watched stay", async () => {
  await world.makeFleet("m", ["b", "c"], { max_series: 2 });
  await world.start(["m"]);
  await world.pass(MINUTE);
  world.addHost("a");
  await world.pass(2 * MINUTE);
  expect(Object.keys(await series())).toEqual(["b", "c"]);
  expect(await fleetState()).toMatchObject({ watched: 2, unwatched: 1 });
});

test("a series that fails does not hold up the others, and keeps its state", async () => {
  await world.makeFleet("m", ["a", "b"]);
  observe("a", 1, [95, 95, 95]);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const { evaluate } = world.kind;
  world.kind.evaluate = async (model, input, context) => {
    if (input.grid.columns.f!.includes(95)) throw new TorusError("worker_crashed", "crashed");
    return evaluate(model, input, context);
  };
  await world.pass(MINUTE);
  expect(await fleetState()).toMatchObject({ failed: 1, anomalous: 1, watched: 1 });
  expect((await series()).b).toMatchObject({ score: 10, windowAt: at(3) });
  world.kind.evaluate = evaluate;
  await world.pass(6 * MINUTE);
  expect(steps()).toEqual(["anomaly_start a", "anomaly_end a"]);
});

test("silence is an event of each series", async () => {
  await world.makeFleet("m", ["a", "b"], { silence: "5m" });
  empty("a", 3, 20);
  await world.start(["m"]);
  await world.pass(12 * MINUTE);
  expect(steps()).toEqual(["silence_start a"]);
  expect(await fleetState()).toMatchObject({ silent: 1, watched: 1 });
  await world.pass(12 * MINUTE);
  expect(steps()).toEqual(["silence_start a", "silence_end a"]);
});

test("without the setting a series without points is silent, too, and nobody is notified", async () => {
  await world.makeFleet("m", ["a", "b"]);
  empty("a", 2, 12);
  await world.start(["m"]);
  await world.pass(12 * MINUTE);
  expect(steps()).toEqual([]);
  expect(await fleetState()).toMatchObject({ silent: 1, watched: 1 });
  expect((await series()).a).toMatchObject({ status: "silent" });
});

test("a silence before the first version ends with it, as each series has its own", async () => {
  const settings = await world.makeUntrained("m", { group_by: ["host"], detector: "auto", silence: "5m" });
  world.addHost("a");
  world.bucket.behaviour = "empty";
  await world.start(["m"]);
  await world.pass(10 * MINUTE);
  expect(steps()).toEqual(["silence_start -"]);
  world.bucket.behaviour = "well";
  const fit = {
    key: seriesKeyOf(["host"], { host: "a" }),
    tags: { host: "a" },
    points: 5000,
    parameters: {},
  };
  await world.train("m", settings, { points: 5000 }, [fit]);
  await world.pass(2 * MINUTE);
  expect(steps()).toEqual(["silence_start -", "silence_end -"]);
  expect(world.events.at(-1)).toMatchObject({
    closedBy: "the first version watches each series by itself",
  });
  expect(stateOf(await world.row())).not.toHaveProperty("quiet");
});

test("a series whose points stop during an anomaly is silent, and anomalous again once they are back", async () => {
  await world.makeFleet("m", ["a", "b"], { silence: "5m" });
  observe("a", 1, [95]);
  empty("a", 2, 12);
  observe("a", 12, [60, 60, 10]);
  await world.start(["m"]);
  await world.pass(11 * MINUTE);
  expect(steps()).toEqual(["anomaly_start a", "silence_start a"]);
  expect((await series()).a).toMatchObject({ status: "silent", state: { episode: expect.any(Object) } });
  expect(await fleetState()).toMatchObject({ silent: 1, anomalous: 0 });
  await world.pass(3 * MINUTE);
  expect((await series()).a).toMatchObject({ status: "anomalous" });
  await world.pass(3 * MINUTE);
  expect(steps().slice(2)).toEqual(["silence_end a", "anomaly_end a"]);
});

test("a series without points for series_ttl is forgotten, and what is in progress ends", async () => {
  await world.makeFleet("m", ["a", "b"], { series_ttl: "10m", silence: "5m" });
  observe("a", 1, [95]);
  empty("a", 2, 60);
  await world.start(["m"]);
  await world.pass(20 * MINUTE);
  expect(Object.keys(await series())).toEqual(["b"]);
  expect(steps()).toEqual(["anomaly_start a", "silence_start a", "anomaly_end a", "silence_end a"]);
  expect(await world.episodes()).toMatchObject([
    { endAt: at(13), closedBy: expect.stringContaining("no points") },
  ]);
  await world.pass(45 * MINUTE);
  expect(Object.keys(await series())).toEqual(["a", "b"]);
});

test("series are muted by their tags; the others are not", async () => {
  const mute = [{ from: "00:00", to: "24:00", series: { host: "db-*" } }];
  await world.makeFleet("m", ["db-1", "web-1"], { mute });
  for (const host of ["db-1", "web-1"]) observe(host, 1, [95, 10]);
  await world.start(["m"]);
  await world.pass(4 * MINUTE);
  expect(steps()).toEqual(["anomaly_start web-1", "anomaly_end web-1"]);
  expect((await world.episodes()).map(({ series: tags }) => tags?.host).sort()).toEqual(["db-1", "web-1"]);
});

test("a bucket that fails is one failure of the fleet, and no change of any series", async () => {
  await world.makeFleet("m", ["a", "b"]);
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const before = await series();
  world.bucket.behaviour = "refuse";
  await world.pass(2 * MINUTE);
  expect((await world.row()).failures).toBeGreaterThan(0);
  expect(await series()).toEqual(before);
  world.bucket.behaviour = "well";
  await world.pass(3 * MINUTE);
  expect(await world.row()).toMatchObject({ failures: 0, lastWindowAt: at(7) });
});

test("predictions of all series are one write, with the tags of each", async () => {
  await world.makeFleet("m", ["a", "b"]);
  await world.start(["m"], { detect: true, save: { bucket: "b" } });
  await world.pass(MINUTE);
  await drain();
  const tags = world.bucket.written.map((point) => (point.tags as Record<string, string>).host);
  expect(new Set(tags)).toEqual(new Set(["a", "b"]));
});

const tenHosts = Array.from({ length: 10 }, (_, i) => `h${i}`);

test("with peers, a move of most series is one anomaly of the fleet; one that goes on alone has its own", async () => {
  await world.makeFleet("m", tenHosts, { peers: true });
  for (const host of tenHosts.slice(0, 8)) observe(host, 2, [95, 95, 30]);
  observe("h9", 6, [95, 95]);
  await world.start(["m"]);
  await world.pass(10 * MINUTE);
  expect(steps()).toEqual(["anomaly_start -", "anomaly_end -", "anomaly_start h9", "anomaly_end h9"]);
  const [start] = world.events;
  expect(start).toMatchObject({ scope: "fleet", share: 0.8, score: 95 });
  expect((await world.episodes()).map(({ scope, series: tags, share }) => [scope, tags, share])).toEqual([
    [null, { host: "h9" }, null],
    ["fleet", null, 0.8],
  ]);
  expect(world.events[2]!.features.f).toMatchObject({ reason: "history" });
});

test("until the anomaly of a fleet ends, series that leave it later have none of their own", async () => {
  await world.makeFleet("m", tenHosts, { peers: true });
  for (const host of tenHosts.slice(0, 3)) observe(host, 2, [95, 95, 95, 10]);
  for (const host of tenHosts.slice(3, 8)) observe(host, 2, [95, 60, 60, 10]);
  await world.start(["m"]);
  await world.pass(3 * MINUTE);
  await world.restart();
  await world.pass(5 * MINUTE);
  expect(steps()).toEqual(["anomaly_start -", "anomaly_end -"]);
  expect(await world.episodes()).toMatchObject([{ scope: "fleet", startAt: at(2), endAt: at(5) }]);
});

test("without peers, the same move is an anomaly of each series", async () => {
  await world.makeFleet("m", tenHosts);
  for (const host of tenHosts) observe(host, 2, [95, 30]);
  await world.start(["m"]);
  await world.pass(5 * MINUTE);
  expect(steps().filter((step) => step.startsWith("anomaly_start"))).toHaveLength(10);
});

test("a series that stays behind while the others move is unlike its peers, within its own past", async () => {
  await world.makeFleet("m", tenHosts, { peers: true, max_threshold: 40, min_threshold: 30 });
  const wave = Array.from({ length: 90 }, (_, i) => 10 + (i % 5));
  for (const host of tenHosts) observe(host, -10, [...wave, 18, 18, 18]);
  observe("h3", 80, [10, 10, 10]);
  await world.start(["m"]);
  await world.pass(90 * MINUTE);
  expect(steps()).toEqual(["anomaly_start h3", "anomaly_end h3"]);
  expect(world.events[0]!.features.f).toMatchObject({
    type: "low",
    reason: "peers",
    peers: { expected: 18, distance: expect.any(Number) },
  });
});

test("scores of each series are kept where the settings ask for it", async () => {
  await world.makeFleet("m", ["a", "b"]);
  observe("a", 1, [95]);
  await world.start(["m"]);
  await world.pass(4 * MINUTE);
  const read = (host: string) => {
    const range = { fromAt: NOON, toAt: at(10), intervalMs: MINUTE };
    return listScores(world.store, { model: "m", series: seriesKeyOf(["host"], { host }), ...range });
  };
  const scoresOf = async (host: string) => {
    const runs = await read(host);
    const { score } = toColumns(runs, { feature: "f", startAt: NOON, intervalMs: MINUTE, length: 4 });
    return Array.from(score);
  };
  expect(await scoresOf("a")).toEqual([10, 95, 10, 10]);
  expect(await scoresOf("b")).toEqual([10, 10, 10, 10]);
});

test("bounds ahead are watched for each series, with an event of its own", async () => {
  const watch_forecast = [{ feature: "f", above: 60, within: "1h", every: "5m" }];
  await world.makeFleet("m", ["a", "b"], { watch_forecast });
  observe("a", -10, new Array(60).fill(40));
  Object.assign(world.kind, { forecastHistoryOf: () => 2, forecast: risingForecast });
  await world.start(["m"]);
  await world.pass(20 * MINUTE);
  expect(steps()).toEqual(["forecast_start a"]);
  expect((await series()).a!.memory).toMatchObject({ forecasts: expect.any(Object) });
  observe("a", 20, new Array(60).fill(10));
  await world.pass(30 * MINUTE);
  expect(steps()).toEqual(["forecast_start a", "forecast_end a"]);
});

test("forecasts of a fleet do not wait for those of other models, nor lose their turn to them", async () => {
  const watch_forecast = [{ feature: "f", above: 60, within: "1h", every: "5m" }];
  await world.makeModel("slow", { watch_forecast });
  await world.makeFleet("m", ["a"], { watch_forecast });
  observe("a", -10, new Array(60).fill(40));
  const letGo: (() => void)[] = [];
  const forecast: ModelKind["forecast"] = async (version, request, context) => {
    if (request.settings.name === "slow") await new Promise<void>((resolve) => letGo.push(resolve));
    return risingForecast(version, request, context);
  };
  Object.assign(world.kind, { forecastHistoryOf: () => 2, forecast });
  await world.start(["slow"]);
  await world.pass(MINUTE);
  expect(letGo).toHaveLength(1);
  await world.start(["m"]);
  await world.pass(3 * MINUTE);
  expect(letGo).toHaveLength(1);
  expect(steps()).toEqual(["forecast_start a"]);
  for (const go of letGo) go();
});

/** Rises by one per interval from the last value where that is above 20, else stays. */
const risingForecast: ModelKind["forecast"] = async (_, { history, horizon }) => {
  const last = history.columns.f!.at(-1)!;
  const startAt = history.startAt + history.length * history.intervalMs;
  const column = () => ({
    f: Float64Array.from({ length: horizon }, (_, i) => (last > 20 ? last + i : last)),
  });
  const grid = { startAt, intervalMs: history.intervalMs, length: horizon, columns: {} };
  return { grid, predicted: column(), lower: column(), upper: column(), bands: [] };
};
