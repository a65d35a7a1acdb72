// Model templates: validation with parameters open, then filling.
import { describe, expect, test } from "bun:test";
import { checkTemplate, fillSettings } from "../../../src/core/model/template.ts";
import { errorOf } from "../expect.ts";

const feature = { name: "f", metric: "avg", field: "load" };
const settings = { name: "{{name}}", type: "donut", bucket_interval: "5m", features: [feature] };

describe("accepts a parameter", () => {
  const cases: [string, object][] = [
    ["in part of a text", { name: "load_{{host}}" }],
    ["for a number", { max_threshold: "{{limit}}", span: "{{span}}" }],
    ["for a duration", { bucket_interval: "{{interval}}", grace_period: "{{grace}}" }],
    ["for one of several words", { type: "{{type}}" }],
    ["for a boolean", { seasonality: { daytime: "{{daytime}}" } }],
    [
      "within a feature",
      { features: [{ ...feature, default: "{{d}}", match_all: [{ tag: "{{t}}", value: "{{v}}" }] }] },
    ],
    ["nowhere", { name: "m" }],
  ];
  test.each(cases)("%s", (_name, change) => {
    expect(checkTemplate({ ...settings, ...change })).toEqual({ ...settings, ...change });
  });
});

test("legacy forms become the usual one", () => {
  const legacy = {
    ...settings,
    features: { io: [{ ...feature, script: null, anomaly_type: null }] },
    max_threshold: null,
  };
  expect(checkTemplate(legacy)).toEqual({ ...settings, features: [{ io: "io", ...feature, script: null }] });
});

describe("refuses", () => {
  const cases: [string, unknown, string, string][] = [
    ["no object", [settings], "body", "JSON object"],
    ["no name", { ...settings, name: undefined }, "name", "is required"],
    [
      "an unknown key with a parameter",
      { ...settings, max_treshold: "{{x}}" },
      "max_treshold",
      "did you mean max_threshold?",
    ],
    [
      "an unknown key of a feature",
      { ...settings, features: [{ ...feature, metrics: "{{x}}" }] },
      "features.0.metrics",
      "did you mean metric?",
    ],
    ["a number that is none", { ...settings, max_threshold: "high" }, "max_threshold", "from 0 to 100"],
    [
      "a bad value behind an open one",
      { ...settings, span: "{{s}}", max_evals: 0 },
      "max_evals",
      "from 1 to 1000",
    ],
    ["a name no parameter can mend", { ...settings, name: "a b" }, "name", "letters"],
    ["an expression", { ...settings, max_threshold: "{{ 7 * 7 }}" }, "max_threshold", "from 0 to 100"],
  ];
  test.each(cases)("%s", (_name, body, path, rule) => {
    const error = errorOf(() => checkTemplate(JSON.parse(JSON.stringify(body))));
    expect(error.details.path ?? "").toBe(path);
    expect(error.message).toContain(rule);
  });
});

describe("fillSettings", () => {
  test("fills in, and does not mind more values than it needs", () => {
    expect(fillSettings(settings, { name: "m", other: 1 })).toEqual({ ...settings, name: "m" });
    expect(fillSettings({ ...settings, name: "m" }, null)).toEqual({ ...settings, name: "m" });
  });

  const cases: [string, unknown, string][] = [
    ["none of its parameters", undefined, "name: is missing"],
    ["a list", [], "must be a JSON object"],
    ["a parameter that is an object", { name: { $ref: 1 } }, "name: must be a text"],
  ];
  test.each(cases)("refuses %s", (_name, params, message) => {
    expect(() => fillSettings(settings, params)).toThrow(message);
  });

  test("a model made of it never holds a parameter's own parameters", () => {
    expect(fillSettings({ ...settings, routing: "{{b}}" }, { name: "{{b}}", b: "x" })).toMatchObject({
      name: "{{b}}",
      routing: "x",
    });
  });
});
