// False alarms of live detection: rates of the last weeks with their feedback, bounded, of a model or one series.
import { expect, test } from "bun:test";
import { WEEK_MS } from "../../../src/core/time/time.ts";
import { storedSettings } from "../../../src/live/stored-settings.ts";
import { readFalseAlarms } from "../../../src/resources/live/false-alarms.ts";
import { changeEpisodes, type EpisodeChange, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { useStore } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const store = useStore();

const NOW = 100 * WEEK_MS;
const settings = storedSettings({ settings: aModel({ bucket_interval: "1h" }), version: null });
const model = { model: "m", sinceAt: NOW - 8 * WEEK_MS, untilAt: NOW, count: 1 };

/** Anomalies that started this many weeks ago. */
async function raise(weeksAgo: readonly number[], series?: Readonly<Record<string, string>>): Promise<void> {
  const opened = weeksAgo.map((weeks): EpisodeChange => {
    const startAt = NOW - weeks * WEEK_MS;
    const id = `${weeks}${series?.host ?? ""}`;
    const rest = { model: "m", peakScore: 80, features: {}, peak: {}, severity: "info" } as const;
    return { change: "open", episode: { id, startAt, ...rest, ...(series && { series }) } };
  });
  await write(store, (tx) => changeEpisodes(tx, opened));
}

test("nothing before two weeks of live detection", async () => {
  const young = { ...model, sinceAt: NOW - 1.9 * WEEK_MS };
  expect(await readFalseAlarms(store, young, settings)).toBeUndefined();
});

test("the last four weeks, those judged apart", async () => {
  await raise([0.5, 1, 2, 3, 3.9, 4.1, 7]);
  for (const id of ["1", "2", "4.1"])
    await saveFeedback(store, { model: "m", id }, { anomaly: false, at: 1 });
  await saveFeedback(store, { model: "m", id: "3" }, { anomaly: true, at: 1 });
  const expected = { asked: 0.998, seen: 1.25, judged_true: 0.25, judged_false: 0.5, weeks: 4 };
  expect(await readFalseAlarms(store, model, settings)).toEqual(expected);
});

test("a shorter past counts by its own length", async () => {
  await raise([0.5, 1, 2]);
  const young = { ...model, sinceAt: NOW - 2.5 * WEEK_MS };
  expect(await readFalseAlarms(store, young, settings)).toMatchObject({ seen: 1.2, weeks: 2.5 });
});

test("a series of a fleet has its own, a fleet asks for as many as its series together", async () => {
  await raise([1, 2], { host: "a" });
  await raise([1], { host: "b" });
  const ofSeries = await readFalseAlarms(store, { ...model, series: { host: "a" } }, settings);
  expect(ofSeries).toMatchObject({ asked: 0.998, seen: 0.5 });
  expect(await readFalseAlarms(store, { ...model, count: 2 }, settings)).toMatchObject({
    asked: 2,
    seen: 0.75,
  });
});

test("beyond 1000 anomalies the time since the first that counts", async () => {
  await raise(Array.from({ length: 1100 }, (_, i) => (i + 1) / 1000));
  expect(await readFalseAlarms(store, model, settings)).toMatchObject({ seen: 1000, weeks: 1 });
});
