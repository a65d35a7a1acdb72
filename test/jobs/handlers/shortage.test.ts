// Advice for trainings with too few points: when there will be enough, an earlier start, or a shorter span.
import { describe, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { adviseOnShortage, type Shortage } from "../../../src/jobs/handlers/shortage.ts";

const MINUTE = 60_000;
const error = new TorusError("too_little_data", "too little data: 16 points are needed, 12 are there", {
  found: 12,
  needed: 16,
});
const NOW = Date.parse("2026-11-22T08:15:20Z");
const LAST = Date.parse("2026-11-22T08:15:00Z");
/** Twelve points in an hour, one every five minutes, in a range of a week. */
const fresh: Shortage = {
  range: { fromAt: NOW - 7 * 1440 * MINUTE, toAt: NOW },
  grid: { startAt: LAST - 60 * MINUTE, intervalMs: 5 * MINUTE, length: 12 },
  excluded: [],
  nowAt: NOW,
};
const messageOf = (over: Partial<Shortage>) =>
  (adviseOnShortage(error, { ...fresh, ...over }) as Error).message;

test("data that have just begun: when there will be enough", () => {
  expect(messageOf({})).toBe(
    "too little data: 16 points are needed, 12 are there: the first point in the range is at " +
      "2026-11-22T07:15:00.000Z; enough at 2026-11-22T08:40:00.000Z if points keep arriving, or set a shorter span",
  );
});

test("data with gaps take longer", () => {
  const grid = { startAt: LAST - 120 * MINUTE, intervalMs: 5 * MINUTE, length: 24 };
  expect(messageOf({ grid })).toContain("enough at 2026-11-22T09:00:00.000Z");
});

test("a range full of data: an earlier from", () => {
  expect(messageOf({ range: { fromAt: LAST - 60 * MINUTE, toAt: NOW } })).toEndWith(
    ": choose an earlier from, or set a shorter span",
  );
});

test("a range that ends early: a later to", () => {
  const message = messageOf({ range: { ...fresh.range, toAt: LAST }, nowAt: NOW + 1440 * MINUTE });
  expect(message).toEndWith("choose a later to, or set a shorter span");
});

test("data that have ended: only a shorter span helps", () => {
  const nowAt = NOW + 1440 * MINUTE;
  const message = messageOf({ range: { ...fresh.range, toAt: nowAt }, nowAt });
  expect(message).toEndWith("and the last before 2026-11-22T08:15:00.000Z; set a shorter span");
  expect(message).not.toContain("enough at");
});

describe("points that were left out", () => {
  /** A day of points, a part of which is left out. */
  const grid = { startAt: LAST - 1440 * MINUTE, intervalMs: 5 * MINUTE, length: 288 };
  const adviceOn = (found: number, hours: number) => {
    const short = new TorusError("too_little_data", "too little data", { found, needed: 16 });
    const excluded = [{ fromAt: LAST - hours * 60 * MINUTE, toAt: LAST }];
    return (adviseOnShortage(short, { ...fresh, grid, excluded }) as Error).message;
  };

  test("are named where they would be enough", () => {
    expect(adviceOn(12, 23)).toBe(
      "too little data: 276 of the 288 intervals are left out by known_events, anomalies or labels: " +
        "choose a longer range, or change these",
    );
  });

  test("are named where they are all there are", () => {
    expect(adviceOn(0, 24)).toContain("288 of the 288 intervals are left out");
    expect(adviceOn(0, 0.1)).toContain("2 of the 288 intervals are left out");
  });

  test("are no reason where they are too few", () => {
    expect(adviceOn(12, 0.1)).toContain("enough at 2026");
  });
});

test("code and numbers stay, other errors pass unchanged", () => {
  expect(adviseOnShortage(error, fresh)).toMatchObject({
    code: "too_little_data",
    details: { found: 12, needed: 16 },
  });
  for (const other of [new TorusError("no_data", "none"), new Error("x"), undefined])
    expect(adviseOnShortage(other, fresh)).toBe(other);
});
