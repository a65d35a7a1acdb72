// What is odd: in the language of the page by the detector that contributes most, else in the words of the server.
import { describe, expect, test } from "bun:test";
import { detectorKinds, detectorNames } from "../../../../src/models/detectors/kinds/index.ts";
import { explainJoint, JOINT } from "../../../../src/models/donut/joint/score.ts";
import { describeOddity } from "../../../../src/ui/lib/anomalies/oddity.ts";
import { de } from "../../../../src/ui/texts/de.ts";
import { enScreens } from "../../../../src/ui/texts/en.ts";

describe.each(detectorNames)("%s", (name) => {
  const { explanation, windows } = detectorKinds[name];
  const report = { contributions: { other: 0.4, [name]: 0.6 }, explanation };

  test("is odd in English as the API says it", () =>
    expect(describeOddity(report, enScreens.detail)).toBe(explanation));

  test("is odd in German, with its span", () => {
    const text = describeOddity(report, de.detail)!;
    expect(text).not.toBe(explanation);
    if (windows) expect(text).toContain(` ${windows.span} `);
  });
});

test("the joint detector names the features", () => {
  const of = (...beside: string[]) => {
    const report = { contributions: { [JOINT]: 1 }, explanation: explainJoint(beside), beside };
    return describeOddity(report, de.detail);
  };
  expect(of("load")).toBe("ungewöhnlich neben dem Wert von load");
  expect(of("load", "memory")).toBe("ungewöhnlich neben den Werten von load und memory");
});

test("detectors that the page does not know, and anomalies of older releases", () => {
  const explanation = "odd in a new way";
  for (const contributions of [{ tides: 1 }, { [JOINT]: 1 }, {}])
    expect(describeOddity({ contributions, explanation }, de.detail)).toBe(explanation);
  expect(describeOddity({}, de.detail)).toBeUndefined();
});
