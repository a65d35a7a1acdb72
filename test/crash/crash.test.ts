// Promises 19, 20, 28 and 30, a small case: the process is killed between chosen statements; nothing is lost.
import { expect, test } from "bun:test";
import { countStatements, dieAndComeBack, judgeOutcome, type Outcome } from "./grid.ts";
import type { Mode } from "./life.ts";

const CASES = 12;
const TIMEOUT_MS = 120_000;

/** Outcomes of kills that are spread over a life, each without a fault. */
async function killAcross(mode: Mode): Promise<readonly Outcome[]> {
  const statements = await countStatements(mode);
  expect(statements).toBeGreaterThan(CASES);
  const outcomes: Outcome[] = [];
  for (let i = 1; i <= CASES; i++) {
    const outcome = await dieAndComeBack(Math.round((i * statements) / (CASES + 1)), mode);
    expect([outcome, judgeOutcome(outcome, mode)]).toEqual([outcome, ""]);
    expect(outcome.killAt).toBeGreaterThan(0);
    outcomes.push(outcome);
  }
  return outcomes;
}

test(
  "promises 19, 20: killed between two statements, each episode still has one start and one end, and both are delivered",
  async () => {
    await killAcross("single");
  },
  TIMEOUT_MS,
);

test(
  "promise 28: killed between two statements, a group is still delivered whole",
  async () => {
    for (const { delivered } of await killAcross("grouped"))
      expect(delivered.map(({ events }) => events.length)).toContain(2);
  },
  TIMEOUT_MS,
);

test(
  "promise 30: a fleet killed between two statements keeps each anomaly of each series, and every group is whole",
  async () => {
    await killAcross("fleet");
  },
  TIMEOUT_MS,
);

test(
  "promise 19: killed between two statements, an anomaly of a whole fleet still has one start and one end",
  async () => {
    await killAcross("peers");
  },
  TIMEOUT_MS,
);
