// Promises 19 and 20, a small case: the process is killed between chosen statements; nothing is lost.
import { expect, test } from "bun:test";
import { countStatements, dieAndComeBack, judgeOutcome } from "./grid.ts";

const CASES = 16;

test("promises 19, 20: killed between two statements, each episode still has one start and one end, and both are delivered", async () => {
  const statements = await countStatements();
  expect(statements).toBeGreaterThan(CASES);
  for (let i = 1; i <= CASES; i++) {
    const outcome = await dieAndComeBack(Math.round((i * statements) / (CASES + 1)));
    expect([outcome, judgeOutcome(outcome)]).toEqual([outcome, ""]);
    expect(outcome.killAt).toBeGreaterThan(0);
  }
}, 120_000);
