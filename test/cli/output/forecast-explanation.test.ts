// Explanation of a forecast in words: what was left out of the past, runs one by one and spikes together.
import { expect, test } from "bun:test";
import { renderExplanation } from "../../../src/cli/output/forecast-explanation.ts";

const byLead = { near: 1, season: 1, far: null };
const explanation = {
  members: [{ forecaster: "line", text: "line of the newest values", weight: 1, share: byLead }],
  level: 100,
  trend: 0,
  shifts: [],
  departures: [] as { intervals_ago: number; intervals: number }[],
  special_days: false,
  origins: 24,
  error: byLead,
};

/** The lines that tell of departures. */
function told(...departures: readonly (readonly [ago: number, intervals: number])[]): string[] {
  const shown = departures.map(([ago, intervals]) => ({ intervals_ago: ago, intervals }));
  const text = renderExplanation({ isTerminal: false } as never, { ...explanation, departures: shown });
  return text.split("\n").filter((line) => line.startsWith("left out"));
}

test("runs that were left out are told one by one, spikes in one line", () => {
  expect(told()).toEqual([]);
  expect(told([90, 1])).toEqual(["left out of the past: a spike, 90 points ago"]);
  expect(told([90, 1], [60, 12], [31, 1], [7, 1])).toEqual([
    "left out of the past: 12 points away from the level, 60 points ago",
    "left out of the past: 3 spikes, the newest 7 points ago",
  ]);
});
