// An anomaly that moved before the others, as its page says.
import { expect, test } from "bun:test";
import { isFirstMover } from "../../../../src/ui/lib/anomalies/first-mover.ts";

const anomaly = { confidence: 0.5 };

test.each([
  ["all moved later", [{ confidence: 0.4, lead: -60 }, { confidence: 0.1 }], true],
  [
    "one moved at once",
    [
      { confidence: 0.4, lead: -60 },
      { confidence: 0.1, lead: 0 },
    ],
    false,
  ],
  ["one moved before", [{ confidence: 0.4, lead: 120 }], false],
  ["another is the more probable cause", [{ confidence: 0.6, lead: -60 }], false],
  ["none moved", [], false],
])("%s", (_, related, isFirst) => expect(isFirstMover({ anomaly, related })).toBe(isFirst));

test("without a confidence nothing is said", () =>
  expect(isFirstMover({ related: [{ confidence: 0.4, lead: -60 }] })).toBe(false));
