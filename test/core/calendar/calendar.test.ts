// Calendars: times, zones, exceptions, and texts that mean harm.
import { describe, expect, test } from "bun:test";
import { calendarOf } from "../../../src/core/calendar/calendar.ts";
import { windowsZones } from "../../../src/core/calendar/windows-zones.ts";
import { isTimezone } from "../../../src/core/time/timezone.ts";
import { finish } from "../../../src/runtime/steps.ts";

const event = (lines: string) => `BEGIN:VEVENT\nUID:a\n${lines}\nEND:VEVENT\n`;
const calendar = (...parts: string[]) => calendarOf(`BEGIN:VCALENDAR\n${parts.join("")}END:VCALENDAR\n`);
const year = (number: number) => ({ fromAt: Date.UTC(number, 0, 1), toAt: Date.UTC(number + 1, 0, 1) });
const text = (at: number) => new Date(at).toISOString().slice(0, 16);

/** Occurrences of 2026 as `from/to` in UTC. */
function expand(lines: string, { timezone = "UTC", parts = "" } = {}): string[] {
  return calendar(parts, event(lines))
    .occurrencesIn(year(2026), timezone)
    .map(({ fromAt, toAt }) => `${text(fromAt)}/${text(toAt)}`);
}

const zone = `BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
`;

const times: readonly [string, string, { timezone?: string; parts?: string }, string[]][] = [
  ["UTC", "DTSTART:20260501T100000Z\nDTEND:20260501T113000Z", {}, ["2026-05-01T10:00/2026-05-01T11:30"]],
  ["a duration", "DTSTART:20260501T100000Z\nDURATION:PT90M", {}, ["2026-05-01T10:00/2026-05-01T11:30"]],
  ["a day", "DTSTART;VALUE=DATE:20260501", {}, ["2026-05-01T00:00/2026-05-02T00:00"]],
  [
    "a day of the reader",
    "DTSTART;VALUE=DATE:20260501",
    { timezone: "Europe/Berlin" },
    ["2026-04-30T22:00/2026-05-01T22:00"],
  ],
  [
    "a day of 23 hours",
    "DTSTART;VALUE=DATE:20260329",
    { timezone: "Europe/Berlin" },
    ["2026-03-28T23:00/2026-03-29T22:00"],
  ],
  [
    "a floating time",
    "DTSTART:20260501T100000\nDURATION:PT1H",
    { timezone: "America/New_York" },
    ["2026-05-01T14:00/2026-05-01T15:00"],
  ],
  [
    "an IANA zone without a definition",
    "DTSTART;TZID=Asia/Tokyo:20260501T100000\nDURATION:PT1H",
    {},
    ["2026-05-01T01:00/2026-05-01T02:00"],
  ],
  [
    "a prefix before an IANA zone",
    "DTSTART;TZID=/vendor.example/Asia/Tokyo:20260501T100000\nDURATION:PT1H",
    {},
    ["2026-05-01T01:00/2026-05-01T02:00"],
  ],
  [
    "a zone that the file defines, in summer",
    "DTSTART;TZID=Office:20260501T100000\nDURATION:PT1H",
    { parts: zone },
    ["2026-05-01T08:00/2026-05-01T09:00"],
  ],
  [
    "and in winter",
    "DTSTART;TZID=Office:20260115T100000\nDURATION:PT1H",
    { parts: zone },
    ["2026-01-15T09:00/2026-01-15T10:00"],
  ],
  [
    "a repeated local time is the first one",
    "DTSTART;TZID=Europe/Berlin:20261025T023000\nDURATION:PT1H",
    {},
    ["2026-10-25T00:30/2026-10-25T01:30"],
  ],
  [
    "a skipped local time is read by the offset before",
    "DTSTART;TZID=Europe/Berlin:20260329T023000\nDURATION:PT1H",
    {},
    ["2026-03-29T01:30/2026-03-29T02:30"],
  ],
  [
    "a weekly time over a switch",
    "DTSTART;TZID=Europe/Berlin:20260322T230000\nDTEND;TZID=Europe/Berlin:20260323T010000\nRRULE:FREQ=WEEKLY;COUNT=2",
    {},
    ["2026-03-22T22:00/2026-03-23T00:00", "2026-03-29T21:00/2026-03-29T23:00"],
  ],
  [
    "UNTIL in UTC is an instant of the zone",
    "DTSTART;TZID=Europe/Berlin:20260501T010000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20260501T230000Z",
    {},
    ["2026-04-30T23:00/2026-05-01T00:00", "2026-05-01T23:00/2026-05-02T00:00"],
  ],
  [
    "transparent events count",
    "DTSTART;VALUE=DATE:20260501\nTRANSP:TRANSPARENT",
    {},
    ["2026-05-01T00:00/2026-05-02T00:00"],
  ],
  ["cancelled ones do not", "DTSTART;VALUE=DATE:20260501\nSTATUS:CANCELLED", {}, []],
  [
    "an alarm's duration is not the event's",
    "DTSTART:20260501T100000Z\nBEGIN:VALARM\nTRIGGER:-PT15M\nDURATION:PT5M\nEND:VALARM\nDTEND:20260501T110000Z",
    {},
    ["2026-05-01T10:00/2026-05-01T11:00"],
  ],
];

test.each(times)("%s", (_, lines, options, expected) => {
  expect(expand(lines, options)).toEqual(expected);
});

describe("exceptions", () => {
  const daily = "DTSTART;TZID=Europe/Berlin:20260501T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3";
  const starts = (...parts: string[]) =>
    calendar(...parts)
      .occurrencesIn(year(2026))
      .map(({ fromAt }) => text(fromAt));

  test("EXDATE excludes an instant, in any zone, and as a date its day", () => {
    expect(starts(event(`${daily}\nEXDATE:20260502T080000Z`))).toEqual([
      "2026-05-01T08:00",
      "2026-05-03T08:00",
    ]);
    expect(starts(event(`${daily}\nEXDATE;VALUE=DATE:20260501,20260503`))).toEqual(["2026-05-02T08:00"]);
  });

  test("RDATE adds dates, and periods of their own length", () => {
    const lines =
      "DTSTART:20260501T100000Z\nDURATION:PT1H\nRDATE:20260601T100000Z\nRDATE;VALUE=PERIOD:20260701T100000Z/PT3H";
    expect(expand(lines)).toEqual([
      "2026-05-01T10:00/2026-05-01T11:00",
      "2026-06-01T10:00/2026-06-01T11:00",
      "2026-07-01T10:00/2026-07-01T13:00",
    ]);
  });

  test("RECURRENCE-ID moves one occurrence, or cancels it", () => {
    const moved = event("RECURRENCE-ID:20260502T080000Z\nDTSTART:20260502T150000Z\nDURATION:PT1H");
    expect(starts(event(daily), moved)).toEqual(["2026-05-01T08:00", "2026-05-02T15:00", "2026-05-03T08:00"]);
    const canceled = event("RECURRENCE-ID:20260502T080000Z\nDTSTART:20260502T080000Z\nSTATUS:CANCELLED");
    expect(starts(event(daily), canceled)).toEqual(["2026-05-01T08:00", "2026-05-03T08:00"]);
  });
});

describe("questions", () => {
  const night = calendar(
    event("DTSTART;TZID=Europe/Berlin:20251231T220000\nDTEND;TZID=Europe/Berlin:20260101T020000"),
  );

  test("the end of the events at an instant, over a year's end", () => {
    const endAt = Date.UTC(2026, 0, 1, 1);
    expect(night.endAt(Date.UTC(2025, 11, 31, 21))).toBe(endAt);
    expect(night.endAt(Date.UTC(2026, 0, 1, 0, 59))).toBe(endAt);
    expect(night.endAt(endAt)).toBeUndefined();
    expect(night.endAt(Date.UTC(2025, 11, 31, 20, 59))).toBeUndefined();
  });

  test("an event over two years is listed once", () => {
    const range = { fromAt: Date.UTC(2025, 6, 1), toAt: Date.UTC(2026, 6, 1) };
    expect(night.occurrencesIn(range)).toHaveLength(1);
  });

  test("local days of an event", () => {
    const days = [30, 31].map((day) => Date.UTC(2025, 11, day) / 86_400_000);
    expect(days.map((day) => night.hasDay(day, "Europe/Berlin"))).toEqual([false, true]);
    expect(night.hasDay(days[1]! + 1, "Europe/Berlin")).toBe(true);
    expect(night.hasDay(days[1]! + 2, "Europe/Berlin")).toBe(false);
  });

  test("an instant has a day, and contains nothing", () => {
    const reminder = calendar(event("DTSTART:20260501T100000Z"));
    expect(reminder.endAt(Date.UTC(2026, 4, 1, 10))).toBeUndefined();
    expect(reminder.hasDay(Date.UTC(2026, 4, 1) / 86_400_000)).toBe(true);
  });

  test("the next occurrences, the one in progress first", () => {
    const weekly = calendar(event("SUMMARY:w\nDTSTART:20260501T100000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY"));
    const next = finish(weekly.nextAfter(Date.UTC(2026, 4, 8, 10, 30), 2));
    expect(next.map(({ fromAt, summary }) => `${summary} ${text(fromAt)}`)).toEqual([
      "w 2026-05-08T10:00",
      "w 2026-05-15T10:00",
    ]);
  });
});

describe("refused texts", () => {
  test.each([
    ["no calendar", "hello", /must be the text of an iCalendar file/],
    ["nothing", "", /must be the text of an iCalendar file/],
    ["no end", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101T000000Z\n", /each component with its end/],
    [
      "a rule of no frequency",
      event("DTSTART:20260101T000000Z\nRRULE:FREQ=FORTNIGHTLY"),
      /valid dates and rules/,
    ],
    [
      "an hour that is none",
      event("DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;BYHOUR=99"),
      /event 1: has a recurrence rule|valid dates/,
    ],
    ["a date that cannot be", event("DTSTART:20261345T000000Z"), /event 1: has a date that cannot be/],
    [
      "a zone nobody knows",
      event("DTSTART;TZID=Mars/Base:20260101T000000"),
      /event 1: has the time zone "Mars\/Base"/,
    ],
    [
      "a line too long",
      event(`DTSTART:20260101T000000Z\nEXDATE:${"20260101T000000Z,".repeat(5000)}20260101T000000Z`),
      /more than 65536 characters/,
    ],
    ["too many events", event("DTSTART:20260101T000000Z").repeat(5001), /holds 5001 events/],
  ])("%s", (name, body, rule) => {
    const whole = name.startsWith("no") ? body : `BEGIN:VCALENDAR\n${body}END:VCALENDAR\n`;
    expect(() => calendarOf(whole)).toThrow(rule);
  });
});

describe("an event that cannot be read", () => {
  const good = event("SUMMARY:good\nDTSTART:20260101T000000Z");
  test("rules in any case, with blanks, and those that are rare are taken", () => {
    const rules = [
      ["freq=daily; count=3", 3],
      ["RSCALE=GREGORIAN;FREQ=YEARLY;COUNT=2", 2],
      ["FREQ=YEARLY;BYMONTH=2;BYDAY=5FR;COUNT=1", 1],
      ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2", 2],
    ] as const;
    for (const [rule, count] of rules) {
      const read = calendar(event(`DTSTART:20260101T000000Z\nRRULE:${rule}`));
      expect([rule, read.skipped]).toEqual([rule, []]);
      const found = read.occurrencesIn({ fromAt: 0, toAt: Date.UTC(2070, 0, 1) });
      expect([rule, found.length]).toEqual([rule, count]);
    }
  });

  test.each([
    ["a date that cannot be", "DTSTART:20261345T000000Z", /date that cannot be/],
    ["a line that is none", "DTSTART;VALUE", /valid dates and rules/],
    ["INTERVAL=0", "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;INTERVAL=0", /INTERVAL is no whole number/],
    ["INTERVAL=-1", "DTSTART:20260101T000000Z\nRRULE:INTERVAL=-1;FREQ=DAILY", /INTERVAL is no whole number/],
    ["no start", "DTEND:20260101T000000Z", /has no DTSTART/],
    ["an end before its start", "DTSTART:20260102T000000Z\nDTEND:20260101T000000Z", /ends before it begins/],
    ["a duration below 0", "DTSTART:20260102T000000Z\nDURATION:-PT1H", /duration below 0/],
    [
      "an unknown part",
      "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;CUONT=3",
      /with "CUONT=3", which is unknown/,
    ],
    [
      "another calendar",
      "DTSTART:20260101T000000Z\nRRULE:RSCALE=CHINESE;FREQ=YEARLY",
      /with "RSCALE=CHINESE"/,
    ],
    [
      "a rule of exceptions",
      "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY",
      /give the dates in EXDATE/,
    ],
    [
      "a change of all later occurrences",
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20260105T090000Z\nDTSTART:20260105T110000Z",
      /changes all later occurrences by RANGE: end the event with UNTIL/,
    ],
    ["day 0", "DTSTART:20260101T000000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=0", /rule that cannot be read/],
    [
      "30 February",
      "DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      /BYMONTHDAY=30 never occurs/,
    ],
    ["the sixth Friday", "DTSTART:20260101T000000Z\nRRULE:FREQ=MONTHLY;BYDAY=6FR", /never occurs/],
    [
      "UNTIL before its start",
      "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;UNTIL=20251231T235959Z",
      /never occurs/,
    ],
    ["a zone nobody knows", "DTSTART;TZID=Mars/Base:20260101T000000", /time zone "Mars\/Base"/],
    [
      "a rule by the minute",
      "DTSTART:20261201T000000Z\nRRULE:FREQ=MINUTELY",
      /RRULE FREQ=MINUTELY repeats too often/,
    ],
  ])("%s leaves the others in force, and is named", (_, lines, reason) => {
    const read = calendar(good, event(`SUMMARY:bad\n${lines}`), good);
    expect([read.size, read.skippedCount]).toEqual([2, 1]);
    expect(read.skipped).toEqual([{ event: 2, summary: "bad", reason: expect.stringMatching(reason) }]);
  });

  test("the first twenty are named, and all are counted", () => {
    const read = calendar(good, ...Array.from({ length: 30 }, () => event("DTSTART:20261345T000000Z")));
    expect([read.skipped.length, read.skippedCount]).toEqual([20, 30]);
  });
});

test("a date without VALUE=DATE is a date", () => {
  const days = "DTSTART:20260501\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260502";
  expect(expand(days)).toEqual(["2026-05-01T00:00/2026-05-02T00:00", "2026-05-03T00:00/2026-05-04T00:00"]);
});

test.each([
  ["W. Europe Standard Time", "2026-05-01T08:00"],
  ["Pacific Standard Time (Mexico)", "2026-05-01T17:00"],
  ["UTC+12", "2026-04-30T22:00"],
  ["Nepal Standard Time", "2026-05-01T04:15"],
])("the Windows zone %s", (zone, start) => {
  expect(expand(`DTSTART;TZID=${zone}:20260501T100000`)).toEqual([`${start}/${start}`]);
});

test("every Windows zone stands for a zone that is known", () => {
  for (const name of windowsZones.values()) expect([name, isTimezone(name)]).toEqual([name, true]);
});

/** Each would take minutes, or for ever, without bounds. */
describe("bounded work", () => {
  const all = (to: number) => Array.from({ length: to }, (_, i) => i).join(",");
  const days = Array.from({ length: 31 }, (_, i) => i + 1).join(",");
  const dense = `BYMONTHDAY=${days};BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)}`;
  test.each([
    ["an event by the second", [event("DTSTART:19900101T000000Z\nRRULE:FREQ=SECONDLY")], /repeats too often/],
    [
      "one that starts late this year",
      [event("DTSTART:20261231T000000Z\nRRULE:FREQ=MINUTELY")],
      /up to 527040 occurrences in a year/,
    ],
    [
      "a count beyond the cap",
      [event("DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;COUNT=50000")],
      /COUNT=50000 repeats too often: up to 50000 occurrences in a year, at most 40000 are possible; .*limit it by COUNT, UNTIL/,
    ],
    [
      "an end beyond the cap",
      [event("DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;UNTIL=20260101T120000Z")],
      /up to 43201 occurrences in a year/,
    ],
    [
      "two that end, in the year of both",
      ["0101", "0601"].map((day) => event(`DTSTART:2026${day}T000000Z\nRRULE:FREQ=SECONDLY;COUNT=25000`)),
      /together up to 50000 occurrences in 2026, .* most of them by event 1 \(RRULE FREQ=SECONDLY;COUNT=25000\)/,
    ],
    [
      "events that are looked for on each day, and never found",
      Array.from({ length: 4900 }, () =>
        event("DTSTART:19000101T000000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
      ),
      /up to \d{6,} steps to find the occurrences of 1899, at most 200000 are possible/,
    ],
    [
      "a product of lists",
      [event(`DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;${dense}`)],
      /repeats too often/,
    ],
    [
      "a product every hundred years",
      [event(`DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;INTERVAL=100;${dense}`)],
      /repeats too often/,
    ],
    [
      "a count that is never reached",
      [event("DTSTART:10260101T000000Z\nRRULE:FREQ=SECONDLY;COUNT=1000000;BYMONTH=2;BYMONTHDAY=30")],
      /repeats too often/,
    ],
    [
      "a count that takes long",
      [event("DTSTART:20260101T000000Z\nRRULE:FREQ=HOURLY;BYDAY=MO;COUNT=3000000")],
      /UNTIL in place of COUNT/,
    ],
    [
      "a list of weekdays",
      [
        event(
          `DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;BYDAY=${["MO", "TU", "WE", "TH"].map((day) => Array.from({ length: 106 }, (_, i) => `${i < 53 ? i + 1 : 52 - i}${day}`).join(",")).join(",")}`,
        ),
      ],
      /more than 400 values/,
    ],
    [
      "events of a thousand years",
      [event("DTSTART:10260101T000000Z\nDURATION:P365000D\nRRULE:FREQ=DAILY")],
      /repeats too often/,
    ],
    [
      "5000 events by the day",
      Array.from({ length: 5000 }, () => event("DTSTART:19900101T000000Z\nRRULE:FREQ=DAILY")),
      /together up to \d+ occurrences in 1989, at most 40000 are possible, most of them by event 1 \(RRULE FREQ=DAILY\)/,
    ],
    [
      "a zone by the second",
      [
        zone.replaceAll("FREQ=YEARLY", "FREQ=SECONDLY"),
        event("DTSTART;TZID=Office:20260501T000000\nDURATION:PT1H"),
      ],
      /the time zone "Office", whose definition has too many switches/,
    ],
  ])(
    "%s is refused, by event and rule",
    (_, parts, message) => {
      expect(() => calendar(...parts)).toThrow(message);
    },
    10_000,
  );

  test("zones that no event uses are not read", () => {
    const heavy = zone.replaceAll("FREQ=YEARLY", `FREQ=YEARLY;${dense}`);
    const read = calendar(heavy, event("DTSTART:20260501T000000Z"));
    expect([read.size, read.skippedCount]).toEqual([1, 0]);
  });

  /** Events of 2026 and 2027 from the first second of 2026 on, a Thursday. */
  test.each([
    ["FREQ=SECONDLY;COUNT=1", 1],
    ["FREQ=SECONDLY;COUNT=5", 5],
    ["FREQ=SECONDLY;COUNT=40000", 40_000],
    ["FREQ=SECONDLY;INTERVAL=90;COUNT=1000", 1000],
    ["FREQ=SECONDLY;UNTIL=20260101T000009Z", 10],
    ["FREQ=SECONDLY;INTERVAL=3;UNTIL=20260101T000009Z", 4],
    ["FREQ=SECONDLY;BYSECOND=0,30;COUNT=7", 7],
    ["FREQ=SECONDLY;BYSECOND=5;UNTIL=20260101T010000Z", 60],
    ["FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0;UNTIL=20260103T000000Z", 2 * 60],
    ["FREQ=SECONDLY;BYHOUR=9;UNTIL=20260108T000000Z", 7 * 3600],
    ["FREQ=MINUTELY;COUNT=5", 5],
    ["FREQ=MINUTELY;UNTIL=20260102T000000Z", 1441],
    ["FREQ=MINUTELY;UNTIL=20260102", 2 * 1440],
    ["FREQ=MINUTELY;INTERVAL=7;COUNT=30000", 30_000],
    ["FREQ=MINUTELY;BYSECOND=0,20,40;COUNT=10", 10],
    ["FREQ=MINUTELY;BYSECOND=0,20,40;UNTIL=20260101T001000Z", 31],
    ["FREQ=HOURLY;BYMINUTE=0,15,30,45;BYSECOND=0,1,2;COUNT=100", 100],
    ["FREQ=HOURLY;BYMINUTE=0,30;UNTIL=20260102T000000Z", 49],
    [`FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)};COUNT=5`, 5],
    [`FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};UNTIL=20260103T000000Z`, 2881],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20260114T000000Z", 10],
    [`FREQ=YEARLY;${dense};COUNT=5`, 5],
    [`FREQ=YEARLY;${dense};UNTIL=20260101T000005Z`, 6],
    [`FREQ=YEARLY;${dense};BYSETPOS=1`, 2],
    [`FREQ=YEARLY;${dense};BYSETPOS=1,2,-1;COUNT=3`, 3],
    [`FREQ=YEARLY;INTERVAL=100;${dense};COUNT=9`, 9],
  ])("%s makes %p", (rule, count) => {
    const whole = calendar(event(`DTSTART:20260101T000000Z\nRRULE:${rule}`));
    expect(whole.occurrencesIn({ fromAt: 0, toAt: Date.UTC(2028, 0, 1) })).toHaveLength(count);
  });

  test("rules that end are of their own years, however many there are", () => {
    const ofYear = (number: number) =>
      event(`DTSTART:${number}0201T000000Z\nRRULE:FREQ=SECONDLY;COUNT=30000`);
    const whole = calendar(...[2024, 2025, 2026, 2027].map(ofYear));
    expect([whole.size, whole.skippedCount]).toEqual([4, 0]);
    expect(whole.occurrencesIn(year(2026))).toHaveLength(30_000);
  });

  test.each([
    ["a quarter of an hour", "FREQ=MINUTELY;INTERVAL=15", 35_040],
    ["working hours by ten minutes", "FREQ=MINUTELY;INTERVAL=10;BYHOUR=9,10,11;BYDAY=MO,TU", 104 * 18],
    ["one second of a day", "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", 365],
    ["hours counted from long ago", "FREQ=HOURLY;COUNT=100000000", 8760],
  ])("%s is possible", (_, rule, count) => {
    const whole = calendar(event(`DTSTART:20200101T000000Z\nDURATION:PT1S\nRRULE:${rule}`));
    expect(whole.occurrencesIn(year(2026))).toHaveLength(count);
  });

  test.each([
    ["one event of a thousand years", [event("DTSTART:15000101T000000Z\nDTEND:25000101T000000Z")], 1],
    [
      "60000 exceptions",
      [
        event(
          `DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;COUNT=3\n${`EXDATE:${"20260102T000000Z,".repeat(2999)}20260102T000000Z\n`.repeat(20)}`.trim(),
        ),
      ],
      2,
    ],
  ])(
    "%s",
    (_, parts, found) => {
      expect(calendar(...parts).occurrencesIn(year(2026))).toHaveLength(found);
    },
    10_000,
  );
});
