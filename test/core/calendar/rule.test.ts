// Recurrence rules: examples of RFC 5545, and random rules against ical.js as an independent implementation.
import { expect, test } from "bun:test";
import fc from "fast-check";
import ICAL from "ical.js";
import { calendarOf } from "../../../src/core/calendar/calendar.ts";
import { roundsOf } from "../../support/rounds.ts";

/** Local starts of an event with this rule from the first day of a year on. */
function expandRule(start: string, rule: string, years = 2): string[] {
  const text = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:${start}\nRRULE:${rule}\nEND:VEVENT\nEND:VCALENDAR`;
  const year = Number(start.slice(0, 4));
  return calendarOf(text)
    .occurrencesIn({ fromAt: Date.UTC(year, 0, 1), toAt: Date.UTC(year + years, 0, 1) })
    .map(({ fromAt }) => new Date(fromAt).toISOString().slice(0, 16));
}

/** First starts, worked out in RFC 5545, 3.8.5.3, in UTC. */
const examples: readonly [string, string, string][] = [
  ["FREQ=DAILY;COUNT=3", "19970902T090000Z", "1997-09-02 1997-09-03 1997-09-04"],
  ["FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=3", "19970902T090000Z", "1997-09-02 1997-09-16 1997-09-30"],
  [
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
    "19970805T090000Z",
    "1997-08-05 1997-08-10 1997-08-19 1997-08-24",
  ],
  [
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
    "19970805T090000Z",
    "1997-08-05 1997-08-17 1997-08-19 1997-08-31",
  ],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=1FR", "19970905T090000Z", "1997-09-05 1997-10-03 1997-11-07"],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "19970922T090000Z", "1997-09-22 1997-10-20 1997-11-17"],
  ["FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "19970928T090000Z", "1997-09-28 1997-10-29 1997-11-28"],
  ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "19970902T090000Z", "1998-02-13 1998-03-13 1998-11-13"],
  ["FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904T090000Z", "1997-09-04 1997-10-07 1997-11-06"],
  [
    "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
    "20070115T090000Z",
    "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30",
  ],
  ["FREQ=YEARLY;COUNT=4;BYMONTH=6,7", "19970610T090000Z", "1997-06-10 1997-07-10 1998-06-10 1998-07-10"],
  [
    "FREQ=YEARLY;INTERVAL=3;COUNT=3;BYYEARDAY=1,100,200",
    "19970101T090000Z",
    "1997-01-01 1997-04-10 1997-07-19",
  ],
  ["FREQ=YEARLY;BYDAY=20MO;COUNT=2", "19970519T090000Z", "1997-05-19 1998-05-18"],
  ["FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2", "19970512T090000Z", "1997-05-12 1998-05-11"],
  ["FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=3", "19970313T090000Z", "1997-03-13 1997-03-20 1997-03-27"],
  ["FREQ=DAILY;UNTIL=19970904T090000Z", "19970902T090000Z", "1997-09-02 1997-09-03 1997-09-04"],
  ["FREQ=DAILY;BYMONTHDAY=1,15;COUNT=3", "19970902T090000Z", "1997-09-15 1997-10-01 1997-10-15"],
  ["FREQ=MONTHLY;COUNT=2", "19970131T090000Z", "1997-01-31 1997-03-31"],
];

test.each(examples)("%s", (rule, start, days) => {
  expect(expandRule(start, rule)).toEqual(days.split(" ").map((day) => `${day}T09:00`));
});

test("hours and minutes", () => {
  expect(expandRule("19970902T090000Z", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z")).toEqual([
    "1997-09-02T09:00",
    "1997-09-02T12:00",
    "1997-09-02T15:00",
  ]);
  expect(expandRule("19970902T090000Z", "FREQ=MINUTELY;INTERVAL=90;COUNT=3")).toEqual([
    "1997-09-02T09:00",
    "1997-09-02T10:30",
    "1997-09-02T12:00",
  ]);
});

/** Beside a rule that never occurs there is an event in force. */
const other = "BEGIN:VEVENT\nUID:2\nDTSTART:19990101T000000Z\nEND:VEVENT\n";

test("a year long after the start has what counting from the start gives", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY", "HOURLY"),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom("", ";BYDAY=MO,WE", ";BYMONTH=2,7"),
      fc.integer({ min: 0, max: 364 }),
      (freq, interval, limits, day) => {
        const start = `${new Date(Date.UTC(2001, 0, 1 + day)).toISOString().slice(0, 10).replaceAll("-", "")}T103000Z`;
        const starts = (rule: string) =>
          calendarOf(
            `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:${start}\nRRULE:${rule}\nEND:VEVENT\n${other}END:VCALENDAR`,
          )
            .occurrencesIn({ fromAt: Date.UTC(2013, 0, 1), toAt: Date.UTC(2014, 0, 1) })
            .map(({ fromAt }) => fromAt);
        const rule = `FREQ=${freq};INTERVAL=${interval}${limits}`;
        expect(starts(rule)).toEqual(starts(`${rule};COUNT=100000000`));
      },
    ),
    { numRuns: roundsOf(200) },
  );
});

/** Rules that both read alike: ical.js begins days of the month in a daily rule elsewhere. */
const rules = fc.oneof(
  fc.tuple(fc.constant("DAILY"), fc.constantFrom("", ";BYMONTH=3,9", ";BYDAY=MO,SA")),
  fc.tuple(fc.constant("WEEKLY"), fc.constantFrom("", ";BYDAY=MO", ";BYDAY=TU,TH,SU")),
  fc.tuple(
    fc.constant("MONTHLY"),
    fc.constantFrom("", ";BYMONTHDAY=1,15", ";BYMONTHDAY=-1", ";BYDAY=2TU", ";BYDAY=-1FR"),
  ),
  fc.tuple(
    fc.constant("YEARLY"),
    fc.constantFrom("", ";BYMONTH=2,7;BYMONTHDAY=10", ";BYMONTH=10;BYDAY=-1SU", ";BYMONTH=5;BYDAY=2SU"),
  ),
);

test("random rules start when ical.js says so", () => {
  fc.assert(
    fc.property(
      rules,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 27 }),
      fc.integer({ min: 0, max: 11 }),
      ([freq, parts], interval, day, month) => {
        const at = new Date(Date.UTC(2019, month, 1 + day, 10, 30));
        const rule = `FREQ=${freq};INTERVAL=${interval}${parts}`;
        const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromJSDate(at, true));
        const expected: string[] = [];
        for (let next = iterator.next(); next && next.year < 2023; next = iterator.next())
          expected.push(next.toJSDate().toISOString().slice(0, 16));
        const start = `${at.toISOString().slice(0, 16).replace(/[-:]/g, "")}00Z`;
        // RFC 5545 leaves open whether a start that the rule does not name counts.
        const later = (starts: string[]) => starts.filter((each) => each !== at.toISOString().slice(0, 16));
        expect([rule, start, ...later(expandRule(start, rule, 4))]).toEqual([
          rule,
          start,
          ...later(expected),
        ]);
      },
    ),
    { numRuns: roundsOf(300) },
  );
});
