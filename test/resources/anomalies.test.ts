// Anomalies: filters, pages, lanes, one with its deliveries, feedback and its withdrawal.
import { beforeEach, expect, test } from "bun:test";
import type { FeatureReport } from "../../src/core/anomaly/event.ts";
import { Anomalies } from "../../src/resources/anomalies.ts";
import { changeEpisodes } from "../../src/store/anomalies/episodes.ts";
import { recordChanges } from "../../src/store/changes/changes.ts";
import { outbox } from "../../src/store/db/schema.ts";
import { write } from "../../src/store/db/transaction.ts";
import { createModel } from "../../src/store/models.ts";
import { codeOf, useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const report: FeatureReport = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 };
const store = useStore();
beforeEach(async () => {
  await write(store, async (tx) => {
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
      await changeEpisodes(tx, [{ change: "open", episode }]);
      if (i < 4) await changeEpisodes(tx, [{ change: "close", id: episode.id, endAt: i * 1000 + 500 }]);
    }
  });
});

const anomalies = () => new Anomalies({ store, clock: { now: () => 10_000 } });
const list = (params: object) => anomalies().list({ ...params });
const idsOf = async (params: object) =>
  ((await list(params)).entries as { id: string }[]).map(({ id }) => id);

test.each([
  [{}, ["e4", "e3", "e2", "e1"]],
  [{ limit: "1" }, ["e4"]],
  [{ page: "1", per_page: "3" }, ["e1"]],
  [{ state: "open" }, ["e4"]],
  [{ state: "closed", limit: 2 }, ["e3", "e2"]],
  [{ min_score: "80" }, ["e4", "e3", "e2"]],
  [{ min_score: 85, state: "closed" }, ["e3"]],
  [{ judged: "false" }, ["e4", "e3", "e2", "e1"]],
  [{ judged: true }, []],
  [{ model: "m;x", limit: 1 }, ["e4"]],
  [{ model: "x" }, []],
  [{ limit: "", state: "", min_score: "", sort: "x" }, ["e4", "e3", "e2", "e1"]],
])("%j", async (params, expected) => {
  expect(await idsOf(params)).toEqual(expected);
});

test("a page or a limit reports the total by the same filters", async () => {
  expect((await list({ limit: 1 })).total).toBe(4);
  expect((await list({ per_page: 1, state: "closed" })).total).toBe(3);
  expect((await list({})).total).toBeUndefined();
});

test.each([
  [{ limit: 0 }, "limit: must be at least 1"],
  [{ limit: "x" }, "limit: must be a whole number"],
  [{ limit: 1, page: 0 }, "limit: must not be given beside page"],
  [{ state: "over" }, "state: must be one of open, closed"],
  [{ min_score: 101 }, "min_score: must be at most 100"],
  [{ judged: "perhaps" }, "judged: must be"],
  [{ model: ["m"] }, "model: must be names separated by ;"],
  [{ model: "a;;b" }, "model: must be"],
])("%j is refused", async (params, message) => {
  await expect(list(params)).rejects.toThrow(message);
});

test("the rarity of the peak ranks anomalies of the same score", async () => {
  await write(store, async (tx) => {
    const peak = { f: { ...report, rarity: 7.5 }, g: { ...report, rarity: 9.25 }, h: report };
    const features = { f: report };
    const episode = { id: "r", model: "m", startAt: 9000, peakScore: 100, features, peak, severity: null };
    await changeEpisodes(tx, [{ change: "open", episode }]);
  });
  const [newest, older] = (await list({})).entries;
  expect(newest).toMatchObject({ id: "r", peak_score: 100, peak_rarity: 9.25 });
  expect(older).not.toHaveProperty("peak_rarity");
});

test("severity is the stored one; without one, that of start or peak", async () => {
  const rare = { ...report, score: 100, rarity: 7, factor: 9 };
  await write(store, async (tx) => {
    const stored = [
      ["kept", "info", rare, rare],
      ["by its peak", null, report, rare],
      ["by its start", null, { ...report, rarity: 5.5 }, { ...report, score: 81 }],
    ] as const;
    for (const [i, [id, severity, start, peak]] of stored.entries()) {
      const [features, peaked] = [{ f: start }, { f: peak }];
      const episode = { id, model: "n", startAt: i, peakScore: 99, features, peak: peaked, severity };
      await changeEpisodes(tx, [
        { change: "open", episode },
        { change: "close", id, endAt: i },
      ]);
    }
  });
  const found = (await list({})).entries as { id: string; severity: string; model: string }[];
  expect(found.filter(({ model }) => model === "n").map(({ id, severity }) => [id, severity])).toEqual([
    ["by its start", "warning"],
    ["by its peak", "critical"],
    ["kept", "info"],
  ]);
});

test("one anomaly shows the change before it", async () => {
  const change = { id: "c", at: 3500, endAt: null, kind: "flag", title: "dark", url: null, tags: {} };
  await recordChanges(store, [change], { at: 1 });
  expect((await anomalies().get("e4")).changes).toEqual([
    {
      ...{ id: "c", kind: "flag", title: "dark", at: 3.5, delay: 0.5 },
      ...{ shared: {}, history: { followed: 0, of: 0 } },
    },
  ]);
});

test("the list of one model ignores the filter by model", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  expect((await anomalies().list({ model: "x" }, "m")).entries).toHaveLength(4);
});

test("lanes of a range, by the filters of the list", async () => {
  expect(await anomalies().lanes({ from: 0, to: 8, cells: 4 })).toEqual({
    from: 0,
    step: 2,
    cells: 4,
    lanes: [{ model: "m", count: 4, peak_score: 100, peaks: [70, 90, 100, 100] }],
  });
  expect(await anomalies().lanes({ from: 0, to: 8, cells: 4, state: "closed", min_score: 75 })).toMatchObject(
    {
      lanes: [{ count: 2, peaks: [null, 90, null, null] }],
    },
  );
  expect(await anomalies().lanes({ from: 0, model: "x" })).toMatchObject({ cells: 10, lanes: [] });
});

test.each([
  [{}, "from: is required"],
  [{ from: 0, cells: 0 }, "cells: must be at least 1"],
  [{ from: 0, cells: 1001 }, "cells: must be at most 1000"],
])("lanes of %j are refused", async (params, message) => {
  await expect(anomalies().lanes(params)).rejects.toThrow(message);
});

test("one anomaly, with the deliveries about it alone", async () => {
  const event = { kind: "anomaly_start", episode: "e2", model: "m" };
  await write(store, async (tx) => {
    const row = {
      kind: "slack",
      state: "sent",
      createdAt: 1000,
      nextAt: 1000,
      config: { url: "secret" },
    } as const;
    await tx
      .insert(outbox)
      .values({ ...row, id: "a", model: "m", hook: "h", event })
      .run();
    await tx
      .insert(outbox)
      .values({ ...row, id: "b", model: "m", hook: "g", isGlobal: true, event })
      .run();
    await tx
      .insert(outbox)
      .values({ ...row, id: "c", model: "m", hook: "h", event: { ...event, episode: "e3" } })
      .run();
  });
  const found = await anomalies().get("e2");
  expect(found).toMatchObject({
    id: "e2",
    peak_score: 80,
    deliveries: [
      { id: "b", hook: "g", global: true, model: "m" },
      { id: "a", hook: "h", state: "sent", event: "anomaly_start" },
    ],
  });
  expect(JSON.stringify(found)).not.toContain("secret");
  expect(await codeOf(anomalies().get("e9"))).toBe("not_found");
});

test("feedback is withdrawn, also where there is none", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await anomalies().judge("m", "e1", { anomaly: true });
  expect(await idsOf({ judged: true })).toEqual(["e1"]);
  await anomalies().withdraw("m", "e1");
  await anomalies().withdraw("m", "e1");
  expect(await idsOf({ judged: true })).toEqual([]);
  expect(await codeOf(anomalies().withdraw("m", "e9"))).toBe("not_found");
  expect(await codeOf(anomalies().withdraw("x", "e1"))).toBe("not_found");
});

test("a tag that neither the fleet nor an anomaly of it has is refused, as a misspelt one", async () => {
  const features = [{ name: "f", metric: "avg", field: "x" }];
  const settings = aModel({ name: "hosts", features, group_by: ["host"] });
  await createModel(store, { name: "hosts", settings }, 0);
  const ofHosts = (series: string) => anomalies().list({ series }, "hosts");
  await expect(ofHosts("hos:b")).rejects.toThrow("series: has no tag hos: the model has host");
  expect((await ofHosts("host:b")).entries).toEqual([]);
  await write(store, async (tx) => {
    const content = { startAt: 9000, peakScore: 90, features: {}, peak: {}, severity: null };
    const episode = { id: "old", model: "hosts", ...content, series: { rack: "1" } };
    await changeEpisodes(tx, [{ change: "open", episode }]);
  });
  expect((await ofHosts("rack:1")).entries).toMatchObject([{ id: "old" }]);
});

test("anomalies of series are found by some of their tags, those of a fleet by their scope", async () => {
  await write(store, async (tx) => {
    const subjects = [
      ["own", { series: { host: "a,1", cpu: "0" } }],
      ["other", { series: { host: "b", cpu: "0" } }],
      ["all", { scope: "fleet", share: 0.6 }],
    ] as const;
    for (const [id, subject] of subjects) {
      const content = { startAt: 9000, peakScore: 90, features: {}, peak: {}, severity: null };
      await changeEpisodes(tx, [{ change: "open", episode: { id, model: "fleet", ...content, ...subject } }]);
    }
  });
  expect((await list({ series: "host:a\\,1" })).entries).toMatchObject([
    { id: "own", series: { host: "a,1", cpu: "0" } },
  ]);
  expect(await idsOf({ series: "cpu:0" })).toEqual(["own", "other"]);
  expect((await list({ scope: "fleet" })).entries).toMatchObject([{ id: "all", scope: "fleet", share: 0.6 }]);
  const { lanes } = await anomalies().lanes({ from: 0, series: "host:b" });
  expect(lanes).toMatchObject([{ model: "fleet", count: 1 }]);
  await expect(list({ series: "host" })).rejects.toThrow("as in host:a,cpu:0");
  expect((await list({ series: "hos:b" })).entries).toEqual([]);
  await expect(list({ scope: "series" })).rejects.toThrow("scope: must be fleet");
});
