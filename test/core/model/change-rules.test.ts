// Rules of settings that a request sets or changes; those of before stay as they are.
import { expect, test } from "bun:test";
import { checkChanged } from "../../../src/core/model/change-rules.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { aModel } from "../../support/builders.ts";

const model = (rest: object) => aModel({ bucket_interval: "5m", ...rest }) as ModelSettings;
const shortSilence = "silence: must not be shorter than bucket_interval";

test.each<[object, string]>([
  [{ interval: "1ms" }, "interval: must be at least 1s; default: bucket_interval"],
  [{ interval: 0.999 }, "interval: must be at least 1s"],
  [{ bucket_interval: "auto", interval: "10ms" }, "interval: must be at least 1s"],
  [{ bucket_interval: "100ms", interval: "10ms" }, "interval: must be at least bucket_interval"],
  [{ silence: "1m" }, `${shortSilence} (5m); or auto`],
  [{ silence: 299 }, shortSilence],
])("%j is refused: %s", (settings, message) => {
  expect(() => checkChanged(model(settings))).toThrow(message);
});

test.each([
  {},
  { interval: "1s", silence: "5m" },
  { bucket_interval: "100ms", interval: "100ms", silence: "1s" },
  { bucket_interval: "auto", silence: "1s" },
  { silence: "auto" },
  { silence: null },
])("%j is accepted", (settings) => {
  expect(() => checkChanged(model(settings))).not.toThrow();
});

test("what stays as it was is not checked; a longer bucket_interval is a change of silence", () => {
  const old = model({ interval: "1ms", silence: "1m" });
  expect(() => checkChanged({ ...old, max_threshold: 50 }, old)).not.toThrow();
  expect(() => checkChanged({ ...old, interval: "2ms" }, old)).toThrow("interval: must be at least 1s");
  const valid = model({ silence: "6m" });
  expect(() => checkChanged({ ...valid, bucket_interval: "10m" }, valid)).toThrow(`${shortSilence} (10m)`);
});
