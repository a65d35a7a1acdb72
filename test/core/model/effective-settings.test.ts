// Settings that take effect with the next training.
import { expect, test } from "bun:test";
import { keysNeedingTraining, withSharingSeries } from "../../../src/core/model/effective-settings.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import { aModel } from "../../support/builders.ts";

const settings = { span: "auto", max_threshold: 50, features: [{ name: "a", metric: "avg", min: 0 }] };

test.each([
  [{ span: 48, timezone: "Europe/Paris" }, ["span", "timezone"]],
  [{ max_threshold: 60, grace_period: "1h" }, []],
  [{ max_evals: 3 }, ["max_evals"]],
  [{ features: [{ name: "a", metric: "avg", min: 5, anomaly_type: "high" }] }, []],
  [{ features: [{ name: "a", metric: "avg", min: 0, unit: "GB" }] }, []],
  [{ features: [{ name: "a", metric: "max", min: 0 }] }, ["features"]],
  [{ features: [] }, ["features"]],
])("%j needs a training for %p", (change, keys) =>
  expect(keysNeedingTraining(settings, { ...settings, ...change })).toEqual(keys));

test.each([
  [{ group_by: ["host"] }, { series_fitted: 20 }, 20],
  [{ group_by: ["host"], expected_false_alarms_per: "fleet" }, { series_fitted: 20 }, 20],
  [{ group_by: ["host"], expected_false_alarms_per: "series" }, { series_fitted: 20 }, undefined],
  [{ group_by: ["host"] }, { series_fitted: 1 }, undefined],
  [{ group_by: ["host"] }, {}, undefined],
  [{}, { series_fitted: 20 }, undefined],
] as const)("%j with %j: %p series share the false alarms", (change, summary, count) => {
  const fleet = aModel(change as Partial<ModelSettings>);
  expect(withSharingSeries(fleet, summary).sharing_series).toBe(count);
});
