// Related series of an anomaly and of a range, from recorded deviations and scores.
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { Deviation } from "../../../src/core/related/deviation.ts";
import { groupKeyOf } from "../../../src/core/series/grouped-grid.ts";
import { Related } from "../../../src/resources/related/index.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { recordScores } from "../../../src/store/anomalies/scores.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { startLive } from "../../../src/store/live.ts";
import { createModel } from "../../../src/store/models.ts";
import { useStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const store = useStore();
const MINUTE = 60_000;
const DAY = 1440;
const NOW = 40 * DAY;
let keepsScores = true;
const related = () =>
  new Related({
    ...{ store, clock: { now: () => NOW * MINUTE }, keepsScores: () => keepsScores },
    onError: (what, error) => expect([what, error]).toBe([]),
  });

async function putModel(
  name: string,
  tags: Readonly<Record<string, string>>,
  own: object = {},
): Promise<void> {
  const match_all = Object.entries(tags).map(([tag, value]) => ({ tag, value }));
  const features = [{ name: "latency", metric: "avg", field: "latency", match_all }];
  await createModel(store, { name, settings: aModel({ name, features, ...own }) }, 1);
  const ending = { reason: "stopped", describe: () => undefined };
  const start = { model: name, options: { detect: true }, untrained: true, state: { run: "r" } };
  await startLive(store, [start], { at: 0, ending });
}

/** Scores of one interval per minute, of 10 before the deviation and within it; `rise` of them were raised before it. */
async function deviate(
  model: string,
  minute: number,
  { peak = 8, rise = 0, series }: { peak?: number; rise?: number; series?: string } = {},
): Promise<void> {
  const values = Array.from({ length: 12 }, (_, i) => [1, 0, 2, i < 10 - rise ? 5 : i < 10 ? 35 : 90]).flat();
  const deviation: Deviation = {
    ...{ startAt: minute * MINUTE, endAt: (minute + 2) * MINUTE, intervalMs: MINUTE },
    ...{ peak, feature: "latency", type: "high" },
  };
  const run = {
    ...{ version: "01", intervalMs: MINUTE, features: ["latency"], startAt: (minute - 10) * MINUTE },
    ...{ values: Float32Array.from(values), deviations: [deviation] },
  };
  await write(store, (tx) => recordScores(tx, { model, ...(series && { series }) }, run));
}

const report = { type: "high", score: 90, observed: 9, predicted: 5, lower: 4, upper: 6, rarity: 8 } as const;
function raise(id: string, model: string, minute: number, own: object = {}): Promise<void> {
  const content = { features: { latency: report }, peak: { latency: report }, severity: "info" as const };
  const episode = { id, model, startAt: minute * MINUTE, peakScore: 90, ...content, ...own };
  return write(store, (tx) => changeEpisodes(tx, [{ change: "open", episode }]));
}

beforeEach(async () => {
  keepsScores = true;
  for (const [name, host] of [
    ["web", "a"],
    ["db", "a"],
    ["mail", "b"],
    ["log", "c"],
  ] as const)
    await putModel(name, { host });
  // A month of quiet, with a few deviations of each.
  for (const [i, name] of ["web", "db", "mail", "log"].entries())
    for (let day = 5; day < 38; day += 8) await deviate(name, day * DAY + 100 * i, { peak: 3 });
});

describe("of an anomaly", () => {
  const START = 39 * DAY;

  test("the series that moved before it, with its onset, lead, tags in common, and its own anomaly", async () => {
    await deviate("web", START);
    await deviate("db", START - 3, { rise: 2 });
    await deviate("mail", START - 40, { peak: 2.6 });
    await raise("e1", "web", START);
    await raise("e2", "db", START - 3);
    const answer = await related().ofAnomaly("e1", {});
    expect(answer).toMatchObject({
      watched: 4,
      moved: 3,
      anomaly: { id: "e1", model: "web", onset: START * 60 },
    });
    expect(answer.related).toHaveLength(1);
    expect(answer.related[0]).toMatchObject({
      ...{ model: "db", feature: "latency", type: "high", start: (START - 3) * 60, onset: (START - 5) * 60 },
      ...{ lead: 300, rarity: 8, shared: { host: "a" }, past: { times: 0 }, anomaly: "e2" },
    });
    expect(answer.related[0]!.reasons).toEqual([
      "moved 5 min before it",
      "shares host=a",
      "never deviated this much in 30 days before",
    ]);
    expect(answer.summary).toStartWith("The most probable cause is latency of db");
    expect(answer.related[0]!.confidence).toBeGreaterThan(answer.anomaly!.confidence);
  });

  test("in as many transactions, however many series moved", async () => {
    await deviate("web", START);
    await raise("e1", "web", START);
    const count = async () => {
      const reads = spyOn(store.engine, "read");
      const { moved } = await related().ofAnomaly("e1", {});
      const transactions = reads.mock.calls.length;
      reads.mockRestore();
      return { moved, transactions };
    };
    await deviate("db", START - 3);
    const two = await count();
    for (const name of ["mail", "log"]) await deviate(name, START - 4);
    expect(await count()).toEqual({ ...two, moved: two.moved + 2 });
  });

  test("the second of two incidents within an hour is explained by what moved then", async () => {
    await deviate("web", START - 30);
    await deviate("db", START - 33);
    await deviate("web", START);
    await deviate("db", START - 3, { peak: 7.5 });
    await raise("e1", "web", START);
    const answer = await related().ofAnomaly("e1", {});
    expect(answer.anomaly).toMatchObject({ onset: START * 60 });
    expect(answer.related).toMatchObject([{ model: "db", start: (START - 3) * 60, lead: 180 }]);
  });

  test("nothing where nothing else moved, which is said", async () => {
    await deviate("web", START);
    await deviate("mail", START - 50);
    await raise("e1", "web", START);
    const answer = await related().ofAnomaly("e1", {});
    expect(answer.related).toEqual([]);
    expect(answer.summary).toBe(
      "Nothing else moved unusually: of 4 series 2 deviated around this time, as by chance.",
    );
  });

  test("of a series of a fleet: the others of the fleet by their tags", async () => {
    await putModel("fleet", {}, { group_by: ["host", "disk"] });
    const [one, two] = [groupKeyOf(["x", "1"]), groupKeyOf(["x", "2"])];
    await deviate("fleet", START, { series: one });
    await deviate("fleet", START - 2, { series: two });
    await raise("e1", "fleet", START, { series: { host: "x", disk: "1" } });
    const { anomaly, related: found } = await related().ofAnomaly("e1", {});
    expect(anomaly).toMatchObject({ series: { host: "x", disk: "1" } });
    expect(found).toMatchObject([
      { model: "fleet", series: { host: "x", disk: "2" }, shared: { host: "x" } },
    ]);
  });

  test("found by an evaluation, or of a deleted model: by its start and peak", async () => {
    await deviate("db", START - 3);
    await deviate("web", START - 2);
    await raise("e1", "gone", START);
    const { anomaly, related: found } = await related().ofAnomaly("e1", {});
    expect(anomaly).toMatchObject({ model: "gone", onset: START * 60, confidence: expect.any(Number) });
    expect(found.map(({ model, confidence }) => [model, confidence > 0])).toEqual([
      ["db", true],
      ["web", true],
    ]);
  });

  test("refused are unknown anomalies and lengths", async () => {
    await raise("e1", "web", START);
    await expect(related().ofAnomaly("no", {})).rejects.toThrow("there is no anomaly no");
    await expect(related().ofAnomaly("e1", { limit: 0 })).rejects.toThrow("limit: must be");
  });
});

describe("in a range", () => {
  test("what moved together, with these tags only if asked", async () => {
    const start = 39 * DAY;
    await deviate("web", start + 2);
    await deviate("db", start);
    await deviate("log", start + 1);
    const range = { from: start * 60 - 600, to: start * 60 + 1200 };
    const all = await related().inRange(range);
    expect(all.related.map(({ model }) => model)[0]).toBe("db");
    expect(all.anomaly).toBeUndefined();
    const some = await related().inRange({ ...range, tags: "host:a" });
    expect(some.related.map(({ model }) => model).sort()).toEqual(["db", "web"]);
    expect(some.moved).toBe(2);
  });

  test("says where nothing moved, and where no series has the tags", async () => {
    const range = { from: 38 * DAY * 60, to: 38 * DAY * 60 + 3600 };
    const none = await related().inRange(range);
    expect(none.summary).toBe("Nothing moved unusually: of 4 series none deviated in this range.");
    const unknown = await related().inRange({ ...range, tags: "host:nowhere" });
    expect([unknown.watched, unknown.summary]).toEqual([
      0,
      "There was no series to look at: check the tags, the range and what is live.",
    ]);
  });

  test("refused where no scores are recorded, rather than told that nothing moved", async () => {
    keepsScores = false;
    await expect(related().inRange({ from: "now-1h" })).rejects.toThrow("set server.history");
  });

  test("refused without a start, and where too long", async () => {
    await expect(related().inRange({})).rejects.toThrow("from: is required");
    await expect(related().inRange({ from: "now-1h", bucket: "metrics" })).rejects.toThrow(
      "bucket: is of a scan",
    );
    await expect(related().inRange({ from: "now+1h", to: "now+2h" })).rejects.toThrow(
      "from: must be before now",
    );
    await expect(related().inRange({ from: "now-8d" })).rejects.toThrow(
      "from: the range must not be longer than 7 days",
    );
  });
});
