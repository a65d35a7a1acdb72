// Promises 19, 20 and 28, a small case: the process is killed between chosen statements; nothing is lost.
import { expect, test } from "bun:test";
import { countStatements, dieAndComeBack, judgeOutcome, type Mode, type Outcome } from "./grid.ts";

const CASES = 12;
const TIMEOUT_MS = 120_000;

/** Outcomes of kills that are spread over a life, each without a fault. */
async function killAcross(mode: Mode): Promise<readonly Outcome[]> {
  const statements = await countStatements(mode);
  expect(statements).toBeGreaterThan(CASES);
  const outcomes: Outcome[] = [];
  for (let i = 1; i <= CASES; i++) {
    const outcome = await dieAndComeBack(Math.round((i * statements) / (CASES + 1)), mode);
    expect([outcome, judgeOutcome(outcome)]).toEqual([outcome, ""]);
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
    for (const { delivered } of await killAcross("grouped")) expect(delivered).toContain("start,end");
  },
  TIMEOUT_MS,
);
