// Time zones: unknown names, and offsets around changes of the clock.
import { expect, test } from "bun:test";
import { checkTimezone, offsetsOf } from "../../../src/core/time/timezone.ts";

const HOUR = 3_600_000;

test.each([
  ["Europe/Paris", "2026-03-29T00:59:00Z", 1],
  ["Europe/Paris", "2026-03-29T01:00:00Z", 2],
  ["Europe/Paris", "2026-10-25T00:59:59Z", 2],
  ["Europe/Paris", "2026-10-25T01:00:00Z", 1],
  ["America/St_Johns", "2026-01-01T00:00:00Z", -3.5],
  ["Asia/Kathmandu", "2026-01-01T00:00:00Z", 5.75],
] as const)("%s at %s: %p hours", (zone, instant, hours) =>
  expect(offsetsOf(zone)!(Date.parse(instant))).toBe(hours * HOUR));

test("without Temporal, as in some browsers, offsets are the same", () => {
  const { Temporal: kept } = globalThis;
  const instants = [Date.UTC(2026, 2, 29, 0, 59), Date.UTC(2026, 2, 29, 1), Date.UTC(1900, 0, 1)];
  const zones = ["Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "+01:00"];
  const readAll = () => zones.map((zone) => instants.map(offsetsOf(zone)!));
  const expected = readAll();
  try {
    Reflect.deleteProperty(globalThis, "Temporal");
    expect(readAll()).toEqual(expected);
  } finally {
    globalThis.Temporal = kept;
  }
});

test.each([undefined, "UTC", "Etc/UTC"])("%p has none", (zone) => expect(offsetsOf(zone)).toBeUndefined());

test("an unknown zone is invalid", () => {
  expect(() => checkTimezone("Europe/Paris", "timezone")).not.toThrow();
  expect(() => checkTimezone("Mars/Olympus", "timezone")).toThrow("timezone: must be an IANA time zone");
});
