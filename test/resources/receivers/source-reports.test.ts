// Reports of refused messages: each source once an hour, at most ten a minute.
import { expect, test } from "bun:test";
import { SourceReports } from "../../../src/resources/receivers/source-reports.ts";

const MINUTE_MS = 60_000;

test("each source is reported once, and again after an hour", () => {
  let at = 0;
  const reports = new SourceReports({ now: () => at });
  expect([reports.take("a"), reports.take("a"), reports.take("b")]).toEqual([true, false, true]);
  at = 59 * MINUTE_MS;
  expect(reports.take("a")).toBe(false);
  at = 60 * MINUTE_MS;
  expect([reports.take("a"), reports.take("a")]).toEqual([true, false]);
});

test("ten of a minute; what was left out is reported later", () => {
  let at = 0;
  const reports = new SourceReports({ now: () => at });
  const taken = (count: number) => Array.from({ length: count }, (_, i) => reports.take(`s${i}`));
  expect(taken(12)).toEqual([...Array<boolean>(10).fill(true), false, false]);
  at = MINUTE_MS;
  expect(taken(12)).toEqual([...Array<boolean>(10).fill(false), true, true]);
});

test("a flood of sources takes no memory", () => {
  let at = 0;
  const reports = new SourceReports({ now: () => at });
  for (let i = 0; i < 1000; i++) {
    expect(reports.take(`s${i}`)).toBe(true);
    if (i % 10 === 9) at += MINUTE_MS;
  }
  // All are forgotten with the next one.
  at = 30 * MINUTE_MS + 1000 * MINUTE_MS;
  expect(reports.take("next")).toBe(true);
});
