// Mute windows, as a table: past midnight, in time zones, across DST switches, by cron.
import { describe, expect, test } from "bun:test";
import { calendarOf } from "../../../src/core/calendar/calendar.ts";
import { checkMute, type MuteWindow, mutedUntil, quietUntil } from "../../../src/core/model/mute.ts";

const until = (windows: readonly MuteWindow[], at: string, timezone?: string): string | undefined => {
  const end = mutedUntil(windows, Date.parse(at), timezone);
  return end === undefined ? undefined : new Date(end).toISOString().replace(":00.000Z", "Z");
};

const night: MuteWindow = { from: "22:00", to: "06:00" };
const friday: MuteWindow = { weekdays: ["friday"], from: "22:00", to: "06:00" };
const paris: MuteWindow = { from: "01:30", to: "03:30", timezone: "Europe/Paris" };
const backup: MuteWindow = { cron: "0 3 * * 1", duration: "2h" };

// 2026-01-02 is a Friday, 2026-01-05 a Monday; Paris switches on 29 March 2026 (02:00 to 03:00) and 25 October (03:00 to 02:00).
const rows: readonly [string, readonly MuteWindow[], string, string | undefined][] = [
  ["no windows", [], "2026-01-02T23:00Z", undefined],
  ["once", [{ until: "2026-01-02T23:00+01:00" }], "2026-01-02T21:59:59.999Z", "2026-01-02T22:00Z"],
  ["once, and over", [{ until: "2026-01-02T22:00Z" }], "2026-01-02T22:00Z", undefined],
  [
    "once, and a night after it",
    [{ until: "2026-01-02T22:00Z" }, night],
    "2026-01-02T20:00Z",
    "2026-01-03T06:00Z",
  ],
  ["before", [night], "2026-01-02T21:59:59.999Z", undefined],
  ["at its very beginning", [night], "2026-01-02T22:00Z", "2026-01-03T06:00Z"],
  ["over midnight", [night], "2026-01-03T00:30Z", "2026-01-03T06:00Z"],
  ["its end is not part of it", [night], "2026-01-03T06:00Z", undefined],
  ["within a day", [{ from: "08:00", to: "09:15" }], "2026-01-02T09:00Z", "2026-01-02T09:15Z"],
  ["the day on which it begins", [friday], "2026-01-02T23:00Z", "2026-01-03T06:00Z"],
  ["goes on into a day that is not named", [friday], "2026-01-03T05:59Z", "2026-01-03T06:00Z"],
  ["does not begin on a day that is not named", [friday], "2026-01-03T23:00Z", undefined],
  ["the night before a named day", [friday], "2026-01-02T05:00Z", undefined],
  [
    "a whole day",
    [{ weekdays: ["friday"], from: "00:00", to: "24:00" }],
    "2026-01-02T23:59Z",
    "2026-01-03T00:00Z",
  ],
  [
    "windows that follow without a gap are one",
    [{ weekdays: ["saturday", "sunday"], from: "00:00", to: "24:00" }, friday],
    "2026-01-02T23:00Z",
    "2026-01-05T00:00Z",
  ],
  [
    "windows that overlap last to the later end",
    [night, { from: "05:00", to: "07:00" }],
    "2026-01-03T05:30Z",
    "2026-01-03T07:00Z",
  ],
  [
    "a window of another time zone",
    [{ ...night, timezone: "Asia/Kolkata" }],
    "2026-01-02T16:30Z",
    "2026-01-03T00:30Z",
  ],
  [
    "a quarter of an hour off",
    [{ from: "00:00", to: "01:00", timezone: "Asia/Kathmandu" }],
    "2026-01-01T18:20Z",
    "2026-01-01T19:15Z",
  ],
  ["spring: an hour shorter", [paris], "2026-03-29T00:45Z", "2026-03-29T01:30Z"],
  [
    "spring: a start that is skipped comes as much later",
    [{ ...paris, from: "02:15" }],
    "2026-03-29T01:10Z",
    undefined,
  ],
  [
    "spring: and then lasts to its end",
    [{ ...paris, from: "02:15" }],
    "2026-03-29T01:16Z",
    "2026-03-29T01:30Z",
  ],
  ["autumn: an hour longer", [paris], "2026-10-25T01:45Z", "2026-10-25T02:30Z"],
  ["cron: before", [backup], "2026-01-05T02:59:59.999Z", undefined],
  ["cron: at its slot", [backup], "2026-01-05T03:00Z", "2026-01-05T05:00Z"],
  ["cron: within", [backup], "2026-01-05T04:59:59.999Z", "2026-01-05T05:00Z"],
  ["cron: over", [backup], "2026-01-05T05:00Z", undefined],
  ["cron: another day", [backup], "2026-01-06T04:00Z", undefined],
  ["cron in a time zone", [{ ...backup, timezone: "Asia/Tokyo" }], "2026-01-04T18:30Z", "2026-01-04T20:00Z"],
  [
    "cron: slots that overlap are one",
    [{ cron: "0 3,4 * * *", duration: "90m" }],
    "2026-01-05T03:10Z",
    "2026-01-05T05:30Z",
  ],
];

describe("muted until", () => {
  for (const [shows, windows, at, end] of rows)
    test(`${shows}: ${at}`, () => {
      checkMute(windows);
      expect(until(windows, at)).toBe(end);
    });

  test("a window without a time zone is in that of the model", () => {
    expect(until([night], "2026-01-02T13:30Z", "Asia/Tokyo")).toBe("2026-01-02T21:00Z");
  });

  test("silence without an end ends some day", () => {
    const end = mutedUntil([{ from: "00:00", to: "24:00" }], Date.parse("2026-01-02T00:00Z"))!;
    expect(end).toBeGreaterThan(Date.parse("2026-02-01T00:00Z"));
    expect(Number.isFinite(end)).toBe(true);
  });
});

const mistakes: readonly [string, MuteWindow, RegExp][] = [
  ["nothing", {}, /^mute\.0\.from: must be HH:MM/],
  ["no end", { from: "22:00" }, /mute\.0\.to: must be HH:MM/],
  ["no such time", { from: "22:60", to: "06:00" }, /mute\.0\.from/],
  ["24:00 as a start", { from: "24:00", to: "06:00" }, /mute\.0\.from/],
  ["no length", { from: "06:00", to: "06:00" }, /00:00 to 24:00/],
  ["hours and a duration", { ...night, duration: "1h" }, /mute\.0\.duration/],
  ["cron and hours", { ...backup, ...night }, /mute\.0\.cron: must stand alone/],
  ["a bad cron", { cron: "often", duration: "1h" }, /mute\.0\.cron: must be a cron text/],
  ["cron without a duration", { cron: "0 3 * * *" }, /mute\.0\.duration/],
  ["a duration of nothing", { cron: "0 3 * * *", duration: 0 }, /more than 0/],
  ["until and hours", { until: "2026-01-02T22:00Z", ...night }, /mute\.0\.until: must stand alone/],
  ["until no instant", { until: "tomorrow" }, /mute\.0\.until: must be an instant/],
  ["until a local time", { until: "2026-01-02T22:00" }, /mute\.0\.until: must be an instant/],
  ["no such time zone", { ...night, timezone: "Europe/Atlantis" }, /mute\.0\.timezone/],
];

describe("refused", () => {
  for (const [shows, window, message] of mistakes)
    test(shows, () => expect(() => checkMute([window])).toThrow(message));
});

const event = "BEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260501\nEND:VEVENT";
const calendars = new Map([["c", calendarOf(`BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR`)]]);

test("events of a calendar mute, in the time zone of the window, and join windows without a gap", () => {
  const endAt = (windows: readonly MuteWindow[], at: string) => {
    const end = mutedUntil(windows, Date.parse(at), "Europe/Berlin", { calendars });
    return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16);
  };
  expect(endAt([{ calendar: "c" }], "2026-04-30T22:00Z")).toBe("2026-05-01T22:00");
  expect(endAt([{ calendar: "c", timezone: "UTC" }], "2026-04-30T22:00Z")).toBeUndefined();
  expect(endAt([{ calendar: "c" }, { from: "00:00", to: "06:00" }], "2026-05-01T12:00Z")).toBe(
    "2026-05-02T04:00",
  );
  expect(endAt([{ calendar: "missing" }], "2026-05-01T12:00Z")).toBeUndefined();
});

test("known events mute a model, too", () => {
  const at = Date.UTC(2026, 4, 1, 12);
  expect(quietUntil({ known_events: { calendar: "c" } }, at, { calendars })).toBe(Date.UTC(2026, 4, 2));
  expect(quietUntil({}, at, { calendars })).toBeUndefined();
});
