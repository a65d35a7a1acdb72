// A season beside the days, as a job every 35 or 50 hours: known in every cycle, and odd where it fails.
import { expect, test } from "bun:test";
import { wave } from "../../models/stateless/support.ts";
import { DAY, detect, pointsAt } from "./posted-series.ts";

const HOUR = DAY / 24;
const instants = Array.from({ length: 1100 }, (_, i) => Date.UTC(2026, 0, 5) + i * HOUR);

test.each([
  ["every 35 hours, weaker than the day", { cycle: 35, day: 4, job: 25 }],
  ["every 35 hours, as strong as the day", { cycle: 35, day: 1, job: 40 }],
  ["every 50 hours, weaker than the day", { cycle: 50, day: 4, job: 25 }],
  ["every 50 hours, stronger than the day", { cycle: 50, day: 1, job: 40 }],
])("a job %s", async (_name, { cycle, day, job }) => {
  const missing = 14 * cycle;
  const extra = missing + 12;
  const series = (change: boolean) =>
    pointsAt(instants, (i) => {
      const isOn = change && i === extra ? true : i % cycle < 2 && !(change && i === missing);
      return 100 + day * wave(i, 24) + Math.sin(i * i) + (isOn ? job : 0);
    });
  const usual = await detect({ series: series(false) });
  expect(usual).toMatchObject({ period: 24 });
  expect(usual.isAnomaly.filter(Boolean)).toEqual([]);
  const { isAnomaly } = await detect({ series: series(true) });
  expect([...isAnomaly.keys()].filter((i) => isAnomaly[i])).toEqual([missing, extra]);
});

test("a period of the request is the only one", async () => {
  const series = pointsAt(instants, (i) => 100 + wave(i, 24) + Math.sin(i * i) + (i % 35 < 2 ? 40 : 0));
  expect(await detect({ series, period: 35 })).toMatchObject({ period: 35 });
});
