// A weekly job, noisier than the rest of its week: usual at its time, odd when it is missing or takes twice as much.
import { describe, expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, raisedOf } from "./raised.ts";

const TRAINED_DAYS = 35;
const DAYS = 49;
/** The second Sunday after the training, the 15th of February. */
const ODD_DAY = 42;

type Odd = (job: number) => number;

/** 10 and a noise of 0.2; on Sundays from 3:00 to 5:00 a job of 60 and a noise of 6; on the odd day another one. */
function weeksOf(intervalMs: number, odd: Odd = (job) => job): Float64Array {
  const random = createRandom(7);
  return Float64Array.from({ length: (DAYS * DAY) / intervalMs }, (_, i) => {
    const [day, hour] = [Math.floor((i * intervalMs) / DAY), ((i * intervalMs) % DAY) / HOUR];
    const runs = day % 7 === 0 && hour >= 3 && hour < 5;
    const job = runs ? 60 + 6 * random.normal() : 0;
    return 10 + 0.2 * random.normal() + (day === ODD_DAY ? odd(job) : job);
  });
}

describe.each([15 * MINUTE, HOUR])("every %i ms", (intervalMs) => {
  const raised = (odd?: Odd) =>
    raisedOf({ column: weeksOf(intervalMs, odd), trainedDays: TRAINED_DAYS, intervalMs });

  test("it raises nothing, Sunday by Sunday", () => {
    expect(raised().filter((hour) => /^(08|15)T0[2-5]$/.test(hour))).toEqual([]);
  });

  test.each<[string, Odd]>([
    ["missing", () => 0],
    ["of twice as much", (job) => 2 * job],
  ])("a job %s is found at its first interval", (_, odd) => {
    expect(raised(odd)).toContain("15T03");
  });
});
