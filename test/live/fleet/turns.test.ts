// Turns of series: the longest waiting first, as many as fit between two evaluations.
import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/time/time.ts";
import { takeTurns } from "../../../src/live/fleet/turns.ts";

const due = (...lastAt: (number | undefined)[]) => lastAt.map((at, index) => ({ series: index, lastAt: at }));

test("series without a turn come first, then those that wait longest, equal ones in their order", () => {
  const turns = takeTurns(due(30, undefined, 10, undefined, 10), { perMinute: 9, everyMs: MINUTE_MS });
  expect(turns).toEqual([1, 3, 2, 4, 0]);
});

test("the count follows the time until the next evaluation, and is that of a minute at least", () => {
  const many = due(...new Array(200).fill(undefined));
  const count = (everyMs: number) => takeTurns(many, { perMinute: 2, everyMs }).length;
  expect([SECOND_MS, MINUTE_MS, 90 * SECOND_MS, HOUR_MS].map(count)).toEqual([2, 2, 3, 120]);
});

test("work that is due again at each evaluation passes over no series", () => {
  const lastAt = new Map<number, number>();
  for (let at = 0; at < 4; at++) {
    const all = Array.from({ length: 10 }, (_, series) => ({ series, lastAt: lastAt.get(series) }));
    for (const series of takeTurns(all, { perMinute: 3, everyMs: MINUTE_MS })) lastAt.set(series, at);
  }
  expect(lastAt.size).toBe(10);
});
