// The anomaly state machine, as a table: scores in, events out.
import { expect, test } from "bun:test";
import { type AnomalyState, calm, stepAnomaly } from "../../src/core/anomaly.ts";

const rules = { max: 70, min: 50, gracePeriodMs: 0 };
const gap = undefined;

const rows: readonly [string, (number | undefined)[], string, number?][] = [
  ["nothing happens below max", [10, 69, 70], "..."],
  ["starts above max, not at it", [70, 70.1], ".s"],
  ["goes on between min and max", [80, 60, 55], "s.."],
  ["ends below min, not at it", [80, 50, 49.9], "s.e"],
  ["one start and one end per episode", [80, 90, 60, 40, 30, 75, 20], "s..e.se"],
  ["a missing score neither starts nor ends", [gap, 80, gap, 40, gap], ".s.e."],
  ["not a number neither starts nor ends", [80, Number.NaN, 40], "s.e"],
  ["no start within the grace period", [80, 40, 90, 90, 90], "se..s", 3],
];

for (const [name, scores, events, gracePeriodMs = 0] of rows) {
  test(name, () => {
    let state: AnomalyState = calm;
    const seen = scores.map((score, at) => {
      const move = stepAnomaly(state, { at, score }, { ...rules, gracePeriodMs });
      state = move.state;
      return move.event?.[0] ?? ".";
    });
    expect(seen.join("")).toBe(events);
  });
}
