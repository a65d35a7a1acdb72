// Settings of calendars as clients send them.
import { expect, test } from "bun:test";
import { Calendar } from "../../../src/api/calendars/index.ts";
import { checkCalendar, mergeCalendar } from "../../../src/core/calendar/settings.ts";

const settings = { name: "sales", url: "https://host.test/a.ics", refresh: "30m", verify_ssl: true };

test("a view may be sent back: what it adds is ignored", () => {
  const added = Object.keys(Calendar.properties).map((key) => [key, null]);
  const { ical: _, ...view } = { ...Object.fromEntries(added), ...settings };
  expect(checkCalendar(view)).toEqual(settings);
  expect(mergeCalendar(settings, { ...view, url: "https://host.test/***" })).toEqual(settings);
  expect(() => checkCalendar({ ...settings, event: 1 })).toThrow("event is unknown");
});
