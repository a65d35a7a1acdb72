// Settings that take effect with the next training.
import { expect, test } from "bun:test";
import { keysNeedingTraining } from "../../../src/core/model/effective-settings.ts";

const settings = { span: "auto", max_threshold: 50, features: [{ name: "a", metric: "avg", min: 0 }] };

test.each([
  [{ span: 48, timezone: "Europe/Paris" }, ["span", "timezone"]],
  [{ max_threshold: 60, grace_period: "1h" }, []],
  [{ max_evals: 3 }, ["max_evals"]],
  [{ features: [{ name: "a", metric: "avg", min: 5, anomaly_type: "high" }] }, []],
  [{ features: [{ name: "a", metric: "max", min: 0 }] }, ["features"]],
  [{ features: [] }, ["features"]],
])("%j needs a training for %p", (change, keys) =>
  expect(keysNeedingTraining(settings, { ...settings, ...change })).toEqual(keys));
