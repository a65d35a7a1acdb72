// Sentences about features: how far off a value is, or what is odd about one that lies in the band.
import { expect, test } from "bun:test";
import { still } from "../../../../src/models/detectors/kinds/still.ts";
import { tellFeature } from "../../../../src/ui/lib/anomalies/sentence.ts";
import { enScreens, en as list } from "../../../../src/ui/texts/en.ts";

const en = { ...list, ...enScreens };
const stuck = { explanation: still.explanation, contributions: { still: 1 } };

function tell(observed: number, more = {}): string {
  const report = { type: "high", score: 90, observed, predicted: 20, lower: 18, upper: 22, ...more } as const;
  return tellFeature("temperature", report, { seen: `${observed} °C`, expected: "20 °C" }, en);
}

test("a value outside of the band is too high, whatever found it", () => {
  expect(tell(30)).toBe("temperature too high: 30 °C, not 20 °C");
  expect(tell(30, stuck)).toBe(tell(30));
  expect(tell(10, { type: "low" })).toBe("temperature too low: 10 °C, not 20 °C");
});

test("one in the band is not: a sensor that is stuck", () => {
  expect(tell(21, stuck)).toBe(`temperature: 21 °C (${still.explanation})`);
  expect(tell(21)).toBe("temperature too high: 21 °C, not 20 °C");
});
