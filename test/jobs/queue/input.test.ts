// Inputs of jobs: the handler that runs them, and the versions they use.
import { expect, test } from "bun:test";
import { handlerOf, versionsIn } from "../../../src/jobs/queue/input.ts";

test.each([
  ["forecast", { model: "m", version: "00" }, "forecast"],
  ["forecast", { column: [1, null], period: 0, horizon: 2 }, "seriesForecast"],
  ["prediction", { model: "m", version: "00" }, "prediction"],
  ["prediction", { column: [1, null], period: 0, mode: "last" }, "seriesDetection"],
  ["write", { bucket: "b", points: [] }, "write"],
  ["training", {}, "training"],
] as const)("a stored %s with %j is run by the handler %s", (type, input, handler) => {
  expect(handlerOf(type, input)).toBe(handler);
});

test("versions that a job works with", () => {
  expect(versionsIn({ version: "01" })).toEqual(["01"]);
  expect(versionsIn({ overrides: { continueFrom: "02" } })).toEqual(["02"]);
  expect(versionsIn({ bucket: "b" })).toEqual([]);
  expect(versionsIn(null)).toEqual([]);
});
