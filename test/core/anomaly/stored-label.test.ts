// Labels of a model: checks, and what they count as.
import { expect, test } from "bun:test";
import { checkLabel, judgedLabel } from "../../../src/core/anomaly/stored-label.ts";
import { aModel } from "../../support/builders.ts";
import { errorOf } from "../expect.ts";

const features = ["a", "b"].map((name) => ({ name, metric: "avg", field: name }));
const context = { settings: aModel({ features }), nowAt: 10_000_000 };
const fleet = { ...context, settings: aModel({ features, group_by: ["host", "cpu"] }) };
const label = { from: 60, to: 120, anomaly: true };

test("dates in seconds, ISO or relative to now; booleans as texts", () => {
  expect(checkLabel(label, context)).toEqual({ fromAt: 60_000, toAt: 120_000, anomaly: true });
  const text = { from: "now-1h", to: "now", anomaly: "false", feature: "b", note: "lunch" };
  expect(checkLabel(text, context)).toEqual({
    fromAt: 6_400_000,
    toAt: 10_000_000,
    anomaly: false,
    feature: "b",
    note: "lunch",
  });
});

test("a label of one series has all tags of group_by, in its order", () => {
  const { series } = checkLabel({ ...label, series: { cpu: "0", host: "x" } }, fleet);
  expect(Object.entries(series!)).toEqual([
    ["host", "x"],
    ["cpu", "0"],
  ]);
  expect(() => checkLabel({ ...label, series: { host: "x" } }, fleet)).toThrow("cpu is missing");
  expect(() => checkLabel({ ...label, series: { host: 1, cpu: "0" } }, fleet)).toThrow(
    "series.host: must be",
  );
  const error = errorOf(() => checkLabel({ ...label, series: { host: "x" } }, context));
  expect(error).toMatchObject({ code: "not_supported", message: expect.stringContaining("set group_by") });
});

test.each([
  [{ ...label, to: 60 }, "to: must be after from"],
  [{ ...label, anomaly: "perhaps" }, "anomaly: must be true"],
  [{ ...label, feature: "c" }, "feature: must be a feature of the model: a, b"],
  [{ ...label, from: "soon" }, "from"],
  [{ ...label, notes: "x" }, "notes is unknown"],
  [{ from: 60, anomaly: true }, "to: is required"],
  [{ ...label, note: "x".repeat(5000) }, "note: must be a text"],
  [[], "label: must be"],
])("%j is refused", (body, message) => {
  expect(() => checkLabel(body, context)).toThrow(message);
});

test("a label counts like an anomaly with feedback, of one feature or all", () => {
  const range = { fromAt: 1, toAt: 2, anomaly: false };
  const judged = { startAt: 1, endAt: 2, feedback: { anomaly: false }, peak: {} };
  expect(judgedLabel({ ...range, feature: null }, ["a", "b"])).toEqual({
    ...judged,
    features: { a: {}, b: {} },
  });
  expect(judgedLabel({ ...range, feature: "b" }, ["a", "b"])).toEqual({ ...judged, features: { b: {} } });
  expect(judgedLabel({ ...range, feature: "gone" }, ["a"])).toEqual({ ...judged, features: {} });
});
