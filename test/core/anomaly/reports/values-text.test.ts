// Observed and expected values in words.
import { expect, test } from "bun:test";
import { describeValues } from "../../../../src/core/anomaly/reports/values-text.ts";

const band = { predicted: 10, lower: 8, upper: 12 };

test.each([
  [{ observed: 93.4, unit: "%" }, "93.4 %, not 10 %"],
  [{ observed: 93.4 }, "93.4, not 10"],
  [{ observed: 10.02 }, "10.02, not 10"],
  [{ observed: null, unit: "GB" }, "nothing, not 10 GB"],
  [{ observed: 0.000_387, unit: "ms" }, "0 s, not 10 ms"],
])("%j is %s", (values, text) => expect(describeValues({ ...band, ...values })).toBe(text));
