// Time zones of output: choice of the zone, formats of instants and offsets.
import { describe, expect, test } from "bun:test";
import { tickTimes } from "../../../src/cli/chart/axis.ts";
import { createTimes, timesIn, withLocalTimes } from "../../../src/cli/terminal/times.ts";

const noon = Date.UTC(2026, 0, 31, 12) / 1000;

test.each([
  [{}, {}, "UTC"],
  [{}, { TORUS_TZ: "Europe/Berlin" }, "Europe/Berlin"],
  [{ tz: "Asia/Tokyo" }, { TORUS_TZ: "Europe/Berlin" }, "Asia/Tokyo"],
  [{ local: true }, { TORUS_TZ: "Asia/Tokyo" }, Intl.DateTimeFormat().resolvedOptions().timeZone],
  [{ tz: "utc" }, {}, "UTC"],
] as const)("%j with %j is %s", (choice, env, zone) => expect(createTimes(choice, env).zone).toBe(zone));

test("a zone that is none is refused with its source", () => {
  expect(() => createTimes({ tz: "CEST!" }, {})).toThrow("--tz: CEST! is unknown");
  expect(() => createTimes({}, { TORUS_TZ: "Mars" })).toThrow("TORUS_TZ: Mars is unknown");
});

test.each([
  ["UTC", noon, "2026-01-31 12:00:00", "2026-01-31T12:00:00Z"],
  ["UTC", noon + 0.25, "2026-01-31 12:00:00.250", "2026-01-31T12:00:00.250Z"],
  ["Europe/Berlin", noon, "2026-01-31 13:00:00", "2026-01-31T13:00:00+01:00"],
  ["America/St_Johns", noon, "2026-01-31 08:30:00", "2026-01-31T08:30:00-03:30"],
  ["UTC", null, "-", ""],
  ["UTC", undefined, "-", ""],
] as const)("in %s %p is %s", (zone, at, text, iso) => {
  expect([timesIn(zone).format(at), timesIn(zone).iso(at)]).toEqual([text, iso]);
});

test("instants within an answer are found by their key", () => {
  const answer = {
    state: { span: 24, loss: 2e9 },
    jobs: [{ start_timestamp: noon, duration: 12, end: null }],
  };
  expect(withLocalTimes(answer, timesIn("UTC"))).toEqual({
    state: { span: 24, loss: 2e9 },
    jobs: [{ start_timestamp: "2026-01-31T12:00:00Z", duration: 12, end: null }],
  });
});

describe("ticks of an axis", () => {
  const { offsetAt } = timesIn("Europe/Berlin");

  test("stand at local midnights", () => {
    const min = Date.UTC(2026, 0, 5) / 1000;
    const ticks = tickTimes({ min, max: min + 3 * 86_400 }, 4, offsetAt);
    expect(ticks.map(({ label }) => label)).toEqual(["Jan 6", "Jan 7", "Jan 8"]);
    expect(ticks[0]!.value).toBe(min + 23 * 3600);
  });

  test("follow the change of the clock", () => {
    const min = Date.UTC(2026, 2, 27, 23) / 1000;
    const ticks = tickTimes({ min, max: min + 4 * 86_400 - 3600 }, 5, offsetAt);
    expect(ticks.map(({ value, label }) => [label, new Date(value * 1000).toISOString()])).toEqual([
      ["Mar 28", "2026-03-27T23:00:00.000Z"],
      ["Mar 29", "2026-03-28T23:00:00.000Z"],
      ["Mar 30", "2026-03-29T22:00:00.000Z"],
      ["Mar 31", "2026-03-30T22:00:00.000Z"],
    ]);
  });
});
