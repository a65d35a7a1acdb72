// Outages of a posted series, and runs at another level: anomalies as a whole, and alone.
import { describe, expect, test } from "bun:test";
import { wave } from "../../models/stateless/support.ts";
import { DAY, detect, pointsAt } from "./posted-series.ts";

const HOUR = DAY / 24;
const hours = Array.from({ length: 9 * 24 }, (_, i) => Date.UTC(2026, 0, 5) + i * HOUR);
const [FROM, TO] = [130, 160];
const isDown = (i: number) => i >= FROM && i < TO;

describe.each([
  ["30 hours of 0", () => 0],
  ["30 hours at a lower level", (i: number) => 50 + 5 * Math.sin(i * i + 1)],
  ["30 hours at a higher level", (i: number) => 600 + 5 * Math.sin(i * i + 1)],
])("%s", (_, odd) => {
  const series = pointsAt(hours, (i) => (isDown(i) ? odd(i) : 300 + 20 * wave(i, 24) + 5 * Math.sin(i * i)));

  test("are all anomalies, and no other is; the day is found", async () => {
    const { isAnomaly, ...answer } = await detect({ series });
    expect(answer).toMatchObject({ period: 24 });
    expect([...isAnomaly.keys()].filter((i) => isAnomaly[i])).toEqual([...hours.keys()].filter(isDown));
  });

  test.each([1, 2, 3, 4, 5])("value %i after them is none", async (after) => {
    const answer = await detect({ series: series.slice(0, TO + after), mode: "last" });
    expect(answer).toMatchObject({ isAnomaly: false, period: 24 });
  });
});
