// Causes of incidents in one small generated system: found more often than by score or by start.
import { expect, test } from "bun:test";
import { emptyTally, judgeSystem, scoreSystem } from "./evaluate.ts";
import { makeSystem } from "./system.ts";

const TEST_MS = 180_000;

test(
  "the culprit is among the first three, and a coincidence has none",
  async () => {
    const system = makeSystem(6, 5);
    const tally = emptyTally();
    judgeSystem(system, await scoreSystem(system), tally);
    expect(tally).toMatchObject({ incidents: system.incidents.length, coincidences: 5 });
    expect(tally.incidents).toBeGreaterThanOrEqual(4);
    expect(tally.three).toBeGreaterThanOrEqual(3);
    expect(tally.none).toBeGreaterThanOrEqual(4);
    expect(tally.three).toBeGreaterThan(Math.max(tally.highest, tally.earliest));
  },
  TEST_MS,
);
