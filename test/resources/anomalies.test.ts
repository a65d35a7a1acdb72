// The list of anomalies: limit, pages, state and score.
import { beforeEach, expect, test } from "bun:test";
import type { FeatureReport } from "../../src/core/anomaly/event.ts";
import { totalOf } from "../../src/core/input/listing.ts";
import { Anomalies } from "../../src/resources/anomalies.ts";
import { changeEpisodes } from "../../src/store/anomalies/episodes.ts";
import { write } from "../../src/store/db/transaction.ts";
import { useStore } from "../store/temporary.ts";

const report: FeatureReport = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };
const store = useStore();
beforeEach(async () => {
  await write(store, (tx) => {
    for (let i = 1; i <= 4; i++) {
      const features = { f: report };
      const episode = {
        id: `e${i}`,
        model: "m",
        startAt: i * 1000,
        peakScore: 60 + 10 * i,
        features,
        peak: features,
        severity: null,
      };
      changeEpisodes(tx, [{ change: "open", episode }]);
      if (i < 4) changeEpisodes(tx, [{ change: "close", id: episode.id, endAt: i * 1000 + 500 }]);
    }
  });
});

const list = (params: object) => new Anomalies({ store, clock: { now: () => 10_000 } }).list({ ...params });
const idsOf = async (params: object) => ((await list(params)) as { id: string }[]).map(({ id }) => id);

test.each([
  [{}, ["e4", "e3", "e2", "e1"]],
  [{ limit: "1" }, ["e4"]],
  [{ page: "1", per_page: "3" }, ["e1"]],
  [{ state: "open" }, ["e4"]],
  [{ state: "closed", limit: 2 }, ["e3", "e2"]],
  [{ min_score: "80" }, ["e4", "e3", "e2"]],
  [{ min_score: 85, state: "closed" }, ["e3"]],
  [{ limit: "", state: "", min_score: "", sort: "x" }, ["e4", "e3", "e2", "e1"]],
])("%j", async (params, expected) => {
  expect(await idsOf(params)).toEqual(expected);
});

test("a page or a limit reports the total by the same filters", async () => {
  expect(totalOf(await list({ limit: 1 }))).toBe(4);
  expect(totalOf(await list({ per_page: 1, state: "closed" }))).toBe(3);
  expect(totalOf(await list({}))).toBeUndefined();
});

test.each([
  [{ limit: 0 }, "limit: must be at least 1"],
  [{ limit: "x" }, "limit: must be a whole number"],
  [{ limit: 1, page: 0 }, "limit: must not be given beside page"],
  [{ state: "over" }, "state: must be one of open, closed"],
  [{ min_score: 101 }, "min_score: must be at most 100"],
])("%j is refused", async (params, message) => {
  await expect(list(params)).rejects.toThrow(message);
});

test("the rarity of the peak ranks anomalies of the same score", async () => {
  await write(store, (tx) => {
    const peak = { f: { ...report, rarity: 7.5 }, g: { ...report, rarity: 9.25 }, h: report };
    const features = { f: report };
    const episode = { id: "r", model: "m", startAt: 9000, peakScore: 100, features, peak, severity: null };
    changeEpisodes(tx, [{ change: "open", episode }]);
  });
  const [newest, older] = await list({});
  expect(newest).toMatchObject({ id: "r", peak_score: 100, peak_rarity: 9.25 });
  expect(older).not.toHaveProperty("peak_rarity");
});

test("severity is the stored one; without one, that of start or peak", async () => {
  const rare = { ...report, score: 100, rarity: 7, factor: 9 };
  await write(store, (tx) => {
    const stored = [
      ["kept", "info", rare, rare],
      ["by its peak", null, report, rare],
      ["by its start", null, { ...report, rarity: 5.5 }, { ...report, score: 81 }],
    ] as const;
    for (const [i, [id, severity, start, peak]] of stored.entries()) {
      const [features, peaked] = [{ f: start }, { f: peak }];
      const episode = { id, model: "n", startAt: i, peakScore: 99, features, peak: peaked, severity };
      changeEpisodes(tx, [
        { change: "open", episode },
        { change: "close", id, endAt: i },
      ]);
    }
  });
  const found = (await list({})) as { id: string; severity: string; model: string }[];
  expect(found.filter(({ model }) => model === "n").map(({ id, severity }) => [id, severity])).toEqual([
    ["by its start", "warning"],
    ["by its peak", "critical"],
    ["kept", "info"],
  ]);
});
