// Revisions of events: the latest of one UID and one occurrence counts; ties are named, other events stay.
import { describe, expect, test } from "bun:test";
import { type Calendar, calendarOf } from "../../../src/core/calendar/calendar.ts";

const DAY = 24 * 3_600_000;
const range = { fromAt: Date.UTC(2026, 0, 1), toAt: Date.UTC(2026, 1, 1) };

const event = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\n");
const text = (...events: string[]) => ["BEGIN:VCALENDAR", ...events, "END:VCALENDAR"].join("\n");
const on = (day: number, ...lines: string[]) =>
  event("UID:a", `DTSTART;VALUE=DATE:202601${String(day).padStart(2, "0")}`, ...lines);

/** Days of January on which something is. */
function daysOf(calendar: Calendar): number[] {
  const found = calendar.occurrencesIn(range, undefined);
  return found.map(({ fromAt }) => 1 + Math.round((fromAt - range.fromAt) / DAY)).sort((a, b) => a - b);
}

describe("of two revisions", () => {
  const stamp = (time: string) => `DTSTAMP:202512${time}T000000Z`;
  test.each<[string, string[], string[], number]>([
    ["the higher SEQUENCE counts", ["SEQUENCE:0"], ["SEQUENCE:1"], 6],
    ["the higher SEQUENCE counts where it stands first", ["SEQUENCE:10"], ["SEQUENCE:9"], 5],
    ["one without a SEQUENCE is the first", ["SEQUENCE:1"], [stamp("31")], 5],
    ["SEQUENCE is before DTSTAMP", ["SEQUENCE:2", stamp("01")], ["SEQUENCE:1", stamp("02")], 5],
    ["the later DTSTAMP counts", ["SEQUENCE:1", stamp("02")], ["SEQUENCE:1", stamp("01")], 5],
    ["the later DTSTAMP counts without a SEQUENCE", [stamp("01")], [stamp("02")], 6],
    ["lower case is the same", ["sequence:2"], ["Sequence;X-A=1:1"], 5],
  ])("%s", (_, first, second, day) => {
    const calendar = calendarOf(text(on(5, ...first), on(6, ...second)));
    expect(daysOf(calendar)).toEqual([day]);
    expect(calendar.skipped).toEqual([]);
  });

  test("the last one in the text counts where both are equal, and the other is named", () => {
    const calendar = calendarOf(text(on(5, "SEQUENCE:1", "SUMMARY:x"), on(6, "SEQUENCE:1")));
    expect(daysOf(calendar)).toEqual([6]);
    const reason = "has the UID of event 2, which counts in its place: give each event its own";
    expect(calendar.skipped).toEqual([{ event: 1, summary: "x", reason }]);
  });

  test("the same event once more is none", () => {
    const calendar = calendarOf(text(on(5, "SEQUENCE:1"), on(5, "SEQUENCE:1")));
    expect([daysOf(calendar), calendar.skippedCount]).toEqual([[5], 0]);
  });

  test("the one that can be read counts", () => {
    const calendar = calendarOf(text(on(5, "SEQUENCE:0"), on(6, "SEQUENCE:1", "RRULE:FREQ=NEVER")));
    expect([daysOf(calendar), calendar.skippedCount]).toEqual([[5], 1]);
  });

  test("a cancelled one cancels the event", () => {
    const calendar = calendarOf(text(on(5, "SEQUENCE:0"), on(5, "SEQUENCE:1", "STATUS:CANCELLED")));
    expect(daysOf(calendar)).toEqual([]);
  });
});

test("events that have neither SEQUENCE nor DTSTAMP, or no UID, all count", () => {
  expect(daysOf(calendarOf(text(on(5), on(6))))).toEqual([5, 6]);
  const nameless = (day: number) => on(day, "SEQUENCE:1").replace("UID:a\n", "");
  expect(daysOf(calendarOf(text(nameless(5), nameless(6))))).toEqual([5, 6]);
});

test("changes of single occurrences have revisions of their own, and leave the event", () => {
  const daily = on(5, "RRULE:FREQ=DAILY;COUNT=3", "SEQUENCE:3");
  const moved = (of: string, to: number, sequence: number) =>
    on(to, `RECURRENCE-ID${of}`, `SEQUENCE:${sequence}`);
  const changes = [
    moved(";VALUE=DATE:20260106", 20, 1),
    moved(";VALUE=DATE:20260106", 21, 2),
    moved(";VALUE=DATE:20260107", 25, 0),
  ];
  expect(daysOf(calendarOf(text(daily, ...changes)))).toEqual([5, 21, 25]);
});

test("an occurrence is the same in any zone", () => {
  const daily = event("UID:a", "DTSTART:20260105T110000Z", "RRULE:FREQ=DAILY;COUNT=2", "SEQUENCE:1");
  const moved = (of: string, day: number, sequence: number) =>
    event("UID:a", `DTSTART:202601${day}T110000Z`, `RECURRENCE-ID${of}`, `SEQUENCE:${sequence}`);
  const changes = [moved(":20260106T110000Z", 20, 2), moved(";TZID=Europe/Berlin:20260106T120000", 21, 1)];
  expect(daysOf(calendarOf(text(daily, ...changes)))).toEqual([5, 20]);
});
