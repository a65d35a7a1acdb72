// Noise of models: verdicts counted, and the models of most noise.
import { expect, test } from "bun:test";
import { countVerdicts, findNoisiest } from "../../../src/core/report/noise.ts";

const alarm = (model: string, anomaly?: boolean) => ({
  model,
  feedback: anomaly === undefined ? null : { anomaly },
});

test("alarms by verdict", () => {
  expect(countVerdicts([alarm("a", true), alarm("a", false), alarm("b"), alarm("b")])).toEqual({
    ...{ total: 4, confirmed: 1, dismissed: 1, unjudged: 2 },
  });
});

test.each([
  [
    "a dismissed alarm counts as two without a verdict",
    [alarm("a"), alarm("b", false), alarm("c"), alarm("c")],
    "bc",
  ],
  ["confirmed ones are none", [alarm("a", true), alarm("a", true), alarm("b")], "b"],
  ["of equal ones by name", [alarm("b"), alarm("a"), alarm("c")], "ab"],
])("%s", (_, alarms, models) => {
  expect(
    findNoisiest(alarms, 2)
      .map(([model]) => model)
      .join(""),
  ).toBe(models);
});
