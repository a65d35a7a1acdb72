// Reports: incidents, verdicts beside the range before, proposals, what is silent, changes, and what is refused.
import { expect, test } from "bun:test";
import { useStore } from "../../store/temporary.ts";
import {
  DAY,
  feature,
  HOUR,
  MINUTE,
  makeReports,
  NOW,
  putAnomaly,
  putBudget,
  putChange,
  putModel,
  putOutlook,
} from "./reports.ts";

const store = useStore();
const read = (params = {}) => makeReports(store).read(params);

test("an empty server has nothing to tell", async () => {
  const none = { total: 0, list: [] };
  const verdicts = { total: 0, confirmed: 0, dismissed: 0, unjudged: 0 };
  const report = await read();
  expect(report).toMatchObject({
    ...{ at: NOW / 1000, from: (NOW - 7 * DAY) / 1000, to: NOW / 1000, incidents: none, noisiest: [] },
    alarms: { ...verdicts, before: verdicts, by_severity: { info: 0, warning: 0, critical: 0 } },
    ...{ sources: [], failing: none, silent: none, silent_series: [], capacity: none, budgets: none },
    changes: { total: 0, good: 0, followed: [] },
  });
  expect(report.alarms.days).toHaveLength(7);
  expect(report).not.toHaveProperty("truncated");
});

test("anomalies of a host at the same time are one incident, in words, the worst first", async () => {
  await putAnomaly(store, { model: "mem", startAt: NOW - HOUR, endAt: null });
  const id = await putAnomaly(store, {
    model: "cpu",
    startAt: NOW - HOUR + MINUTE,
    severity: "critical",
    anomaly: true,
  });
  const other = { f: { ...feature, tags: { host: "web-2" } } };
  await putAnomaly(store, { startAt: NOW - HOUR, features: other, severity: "warning", anomaly: false });
  const { incidents } = await read();
  expect(incidents).toEqual({
    total: 2,
    list: [
      {
        ...{ start: (NOW - HOUR) / 1000, end: null, severity: "critical", id, tag: "host=web-1" },
        ...{ summary: "web-1 load too high: 9, not 5", models: ["cpu", "mem"], anomalies: 2 },
        worst: { model: "cpu", peak: { f: expect.objectContaining({ observed: 9, predicted: 5 }) } },
      },
      {
        ...{ start: (NOW - HOUR) / 1000, end: (NOW - HOUR + 10 * MINUTE) / 1000, severity: "warning" },
        ...{ id: expect.any(String), summary: "web-2 load too high: 9, not 5", models: ["m"], anomalies: 1 },
        worst: { model: "m", peak: { f: expect.objectContaining(other.f) } },
        anomaly: false,
      },
    ],
  });
});

test("of a whole fleet the share is told, of several features the strongest", async () => {
  const features = { f: feature, g: { ...feature, score: feature.score + 1 } };
  await putAnomaly(store, { startAt: NOW - HOUR, features, scope: "fleet", share: 0.4 });
  const [incident] = (await read()).incidents.list;
  expect(incident).toMatchObject({
    summary: "40 % of the series of m",
    worst: { scope: "fleet", share: 0.4 },
  });
  expect(Object.keys(incident!.worst.peak)).toEqual(["g"]);
});

test("alarms count where they started, those of backtests nowhere", async () => {
  await putAnomaly(store, { startAt: NOW - 2 * DAY + HOUR, anomaly: true, severity: "critical" });
  await putAnomaly(store, { startAt: NOW - 2 * DAY + HOUR });
  await putAnomaly(store, { startAt: NOW - 8 * DAY, endAt: NOW - 6 * DAY, anomaly: false });
  const tried = await putAnomaly(store, { startAt: NOW - DAY });
  store.sqlite.run("update episodes set origin = 'backtest' where id = ?", [tried]);
  const { alarms, incidents } = await read();
  expect(alarms).toMatchObject({
    ...{ total: 2, confirmed: 1, dismissed: 0, unjudged: 1, by_severity: { critical: 1, info: 1 } },
    before: { total: 1, confirmed: 0, dismissed: 1, unjudged: 0 },
  });
  expect([alarms.days[5]!.total, alarms.hours[1]]).toEqual([2, 2]);
  expect(incidents.total).toBe(3);
});

test("the noisiest models have a request that would have spared alarms, and no confirmed one of three months", async () => {
  const settings = { max_threshold: 60 };
  for (const model of ["loud", "right"]) {
    await putModel(store, model, settings);
    for (let i = 0; i < 3; i++)
      await putAnomaly(store, { model, startAt: NOW - DAY + i * HOUR, peakScore: 70 + i });
  }
  await putAnomaly(store, { model: "loud", startAt: NOW - DAY, peakScore: 90, anomaly: true });
  await putAnomaly(store, { model: "right", startAt: NOW - 80 * DAY, peakScore: 70, anomaly: true });
  await putModel(store, "rare", settings);
  for (const model of ["gone", "rare"]) await putAnomaly(store, { model, startAt: NOW - DAY });
  await putAnomaly(store, { model: "right", startAt: NOW - DAY, peakScore: 55 });
  await putModel(store, "raised", { max_threshold: 80 });
  for (const peakScore of [70, 90])
    await putAnomaly(store, { model: "raised", startAt: NOW - DAY, peakScore });
  expect((await read()).noisiest).toEqual([
    {
      ...{ model: "right", total: 4, confirmed: 0, dismissed: 0, unjudged: 4 },
      no_proposal: expect.stringMatching(/^no higher threshold .*: min_deviation or min_duration may$/),
      no_proposal_code: "none_spares_half",
    },
    {
      ...{ model: "loud", total: 4, confirmed: 1, dismissed: 0, unjudged: 3 },
      proposal: {
        summary: "max_threshold 71 instead of 60: would have spared 2 of 4, 0 of 1 confirmed",
        ...{ method: "PATCH", path: "/models/loud", body: { max_threshold: 71 }, silenced: 2 },
      },
    },
    {
      ...{ model: "raised", total: 2, confirmed: 0, dismissed: 0, unjudged: 2 },
      no_proposal: "the settings in force would have spared 1 of 2",
      ...{ no_proposal_code: "spared_by_settings", spared: 1 },
    },
    {
      ...{ model: "gone", total: 1, confirmed: 0, dismissed: 0, unjudged: 1 },
      ...{ no_proposal: "the model is deleted", no_proposal_code: "model_deleted" },
    },
    {
      ...{ model: "rare", total: 1, confirmed: 0, dismissed: 0, unjudged: 1 },
      no_proposal: "fewer than 3 alarms that are not confirmed are no pattern",
      no_proposal_code: "too_few_alarms",
    },
  ]);
});

test("false alarms of one hour are muted beside the windows there are", async () => {
  const mute = [{ from: "12:00", to: "13:00" }];
  await putModel(store, "cron job", { mute });
  for (const day of [1, 2, 3])
    await putAnomaly(store, {
      ...{
        model: "cron job",
        startAt: NOW - day * DAY + 2 * HOUR + 5 * MINUTE,
        peakScore: 100,
        anomaly: false,
      },
    });
  expect((await read()).noisiest[0]!.proposal).toEqual({
    summary: "mute 02:00 to 03:00: would have spared 3 of 3",
    ...{ method: "PATCH", path: "/models/cron%20job", silenced: 3 },
    body: { mute: [...mute, { from: "02:00", to: "03:00" }] },
  });
});

test("changes that incidents followed, and how many none did", async () => {
  await putModel(store, "m");
  await putChange(store, "web 1", NOW - DAY - 4 * MINUTE);
  await putChange(store, "web 2", NOW - 2 * DAY);
  await putAnomaly(store, { startAt: NOW - DAY });
  const { changes, incidents } = await read();
  expect(incidents.list[0]!.change).toMatchObject({ title: "web 1", delay: 240 });
  expect(changes).toEqual({
    ...{ total: 2, good: 1 },
    followed: [
      {
        ...{ id: "web 1", kind: "deploy", title: "web 1", at: (NOW - DAY - 4 * MINUTE) / 1000, incidents: 1 },
        summary: "web-1 load too high: 9, not 5",
        worst: incidents.list[0]!.worst,
      },
    ],
  });
});

test("what runs full first", async () => {
  for (let i = 0; i < 6; i++) await putOutlook(store, `disk-${i}`);
  const { capacity } = await read();
  expect([capacity.total, capacity.list.length]).toEqual([6, 5]);
  expect(capacity.list[0]).toMatchObject({ feature: "used", date: (NOW + 12 * DAY) / 1000 });
});

test("error budgets with the least left first", async () => {
  for (let i = 1; i <= 6; i++) await putBudget(store, `web-${i}`, i / 10);
  const { budgets } = await read();
  expect([budgets.total, budgets.list.length]).toEqual([6, 5]);
  expect(budgets.list[0]).toMatchObject({ model: "web-1", remaining: 0.1 });
});

test("lists are cut", async () => {
  for (let i = 0; i < 21; i++) await putAnomaly(store, { startAt: NOW - DAY + i * HOUR });
  const { incidents } = await read();
  expect([incidents.total, incidents.list.length]).toEqual([21, 20]);
});

test("a range of its own", async () => {
  await putAnomaly(store, { startAt: NOW - 20 * DAY });
  const { alarms, from, to } = await read({ from: "now-21d", to: "now-14d" });
  expect([from, to]).toEqual([(NOW - 21 * DAY) / 1000, (NOW - 14 * DAY) / 1000]);
  expect(alarms.total).toBe(1);
  expect((await read({ to: "now-14d" })).from).toBe(from);
});

test.each([
  [{ from: "now+1h", to: "now+2h" }, "from: must be before now"],
  [{ from: "now-93d" }, "from: must be at most 92 days before to"],
  [{ from: "now+1d" }, "from: must not be after to"],
  [{ to: "soon" }, "to: "],
])("refused: %j", async (params, message) => {
  await expect(read(params)).rejects.toThrow(message);
});
