// Labels of a model: checks, and what they count as.
import { expect, test } from "bun:test";
import { checkLabel, judgedLabel } from "../../../src/core/anomaly/stored-label.ts";

const context = { features: ["a", "b"], nowAt: 10_000_000 };
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
