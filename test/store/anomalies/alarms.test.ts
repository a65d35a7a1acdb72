// Alarms: those of live detection that overlap a range or started in it, newest first; whole episodes by id.
import { beforeEach, expect, test } from "bun:test";
import { type AlarmRow, listAlarms, loadEpisodes } from "../../../src/store/anomalies/alarms.ts";
import { changeEpisodes, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { useStore } from "../temporary.ts";

const store = useStore();
const features = { f: { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 } } as const;

function put(id: string, startAt: number, own: object = {}): Promise<void> {
  const content = { features, peak: features, severity: "info" as const };
  const episode = { id, model: "m", startAt, peakScore: 80, ...content, ...own };
  return write(store, (tx) =>
    changeEpisodes(tx, [
      { change: "open", episode },
      { change: "close", id, endAt: startAt + 100 },
    ]),
  );
}

beforeEach(async () => {
  await put("early", 950);
  await put("late", 1500, { severity: "critical" });
  await put("tried", 1500, { origin: "backtest" });
  await put("other", 1600, { model: "n" });
  await saveFeedback(store, { model: "m", id: "early" }, { anomaly: false, at: 1 });
});

const idsOf = (alarms: readonly AlarmRow[]) => alarms.map(({ id }) => id);

test.each([
  [{ fromAt: 1000, toAt: 2000 }, 9, ["other", "late", "early"]],
  [{ sinceAt: 1000, toAt: 2000 }, 9, ["other", "late"]],
  [{ fromAt: 1000, toAt: 1600 }, 9, ["late", "early"]],
  [{ toAt: 2000, models: ["m"], judged: true }, 9, ["early"]],
  [{ toAt: 2000 }, 1, ["other"]],
])("%j, at most %i", async (query, limit, ids) => {
  expect(idsOf(await listAlarms(store, query, limit))).toEqual(ids);
});

test("an alarm has its verdict and severity", async () => {
  const alarms = await listAlarms(store, { toAt: 1600 }, 9);
  expect(alarms).toMatchObject([
    {
      id: "late",
      model: "m",
      startAt: 1500,
      endAt: 1600,
      peakScore: 80,
      severity: "critical",
      feedback: null,
    },
    { id: "early", feedback: { anomaly: false }, scope: null },
  ]);
});

test("episodes by id are whole, and unknown ones left out", async () => {
  const found = await loadEpisodes(store, ["late", "unknown"]);
  expect(found).toMatchObject([{ id: "late", peak: features }]);
  expect(await loadEpisodes(store, [])).toEqual([]);
});
