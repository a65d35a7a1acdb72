// Check of feedback on anomalies.
import { expect, test } from "bun:test";
import { checkFeedback } from "../../../src/core/anomaly/feedback.ts";
import { errorOf } from "../expect.ts";

test.each([
  [{ anomaly: true }],
  [{ anomaly: false, note: "the monthly batch run" }],
])("%j is feedback", (body) => {
  expect(checkFeedback(body)).toEqual(body);
});

test("an answer may be written as a text", () => {
  expect(checkFeedback({ anomaly: "False" })).toEqual({ anomaly: false });
});

test.each([
  ["nothing", undefined, "feedback"],
  ["no answer", { note: "x" }, "anomaly"],
  ["an answer that is no boolean", { anomaly: "perhaps" }, "anomaly"],
  ["a note that is no text", { anomaly: true, note: 3 }, "note"],
  ["a note too long", { anomaly: true, note: "x".repeat(4097) }, "note"],
  ["an unknown key", { anomaly: true, notes: "x" }, "notes"],
])("%s is refused", (_, body, path) => {
  const { code, message } = errorOf(() => checkFeedback(body));
  expect(code).toBe("invalid");
  expect(message).toStartWith(path);
});
