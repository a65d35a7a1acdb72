// What a start above an anomaly would have changed.
import { expect, test } from "bun:test";
import { effectOf } from "../../../../src/ui/lib/anomalies/verdict-effect.ts";

const anomaly = (peak_score: number, verdict?: boolean) => ({
  peak_score,
  ...(verdict !== undefined && { feedback: { anomaly: verdict, at: 1 } }),
});

test("counts what would not have been raised, and the confirmed ones among it", () => {
  const list = [anomaly(60), anomaly(70, false), anomaly(70, true), anomaly(71, true), anomaly(100)];
  expect(effectOf(list, anomaly(70))).toEqual({ above: 70, silenced: 3, total: 5, missed: 1, confirmed: 2 });
});

test("no start lies above the highest score", () => {
  expect(effectOf([anomaly(100)], anomaly(100))).toBeUndefined();
});
