// Contract rows of /calendars, and of models that refer to them.
import { type Row, refuses, type Table } from "./suite.ts";

const ical = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:1",
  "SUMMARY:New Year",
  "DTSTART;VALUE=DATE:20200101",
  "RRULE:FREQ=YEARLY",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\n");
const calendar = { name: "c_cal", ical };
const model = {
  name: "c_cal_m",
  type: "donut",
  bucket_interval: "5m",
  features: [{ name: "load", metric: "avg", field: "load" }],
  mute: [{ calendar: "c_cal" }],
  holidays: { calendar: "c_cal" },
  known_events: { calendar: "c_cal" },
};
const path = "POST /calendars";

const wrong: readonly Row[] = [
  refuses("a source is needed", path, { path: "", body: { name: "c_bad" }, holds: ["must have ical"] }),
  refuses("one source alone", path, { path: "url", body: { ...calendar, url: "https://example.com/a.ics" } }),
  refuses("no calendar", path, {
    path: "ical",
    body: { name: "c_bad", ical: "hello" },
    holds: ["BEGIN:VCALENDAR"],
  }),
  refuses("another scheme", path, { path: "url", body: { name: "c_bad", url: "ftp://example.com/" } }),
  refuses("a private address", path, {
    path: "url",
    body: { name: "c_bad", url: "http://127.0.0.1/a.ics" },
    holds: ["private_addresses"],
  }),
  refuses("a metadata address", path, {
    path: "url",
    body: { name: "c_bad", url: "http://169.254.169.254/" },
  }),
  refuses("too often", path, {
    path: "refresh",
    body: { name: "c_bad", url: "https://example.com/a.ics", refresh: "1m" },
    holds: ["at least 5m"],
  }),
  refuses("a text that is refreshed", path, { path: "refresh", body: { ...calendar, refresh: "1h" } }),
  refuses("an unknown key", path, {
    path: "icla",
    body: { ...calendar, icla: "" },
    holds: ["did you mean ical?"],
  }),
  refuses("no name", path, { path: "name", body: { ical } }),
];

const used: readonly Row[] = [
  refuses("a model of a calendar that is not there", "POST /models", {
    path: "mute.0.calendar",
    body: { ...model, mute: [{ calendar: "c_no" }] },
    holds: ["there is no calendar c_no"],
  }),
  refuses("a calendar beside hours", "POST /models", {
    path: "mute.0.calendar",
    body: { ...model, mute: [{ calendar: "c_cal", from: "10:00", to: "11:00" }] },
  }),
  refuses("a calendar beside a text", "POST /models", {
    path: "holidays.calendar",
    body: { ...model, holidays: { calendar: "c_cal", ical } },
  }),
  { shows: "a model", request: "POST /models", body: model, status: 201 },
  refuses("a patch to a calendar that is not there", "PATCH /models/c_cal_m", {
    path: "known_events.calendar",
    body: { known_events: { calendar: "c_no" } },
  }),
  refuses("delete while it is in use", "DELETE /calendars/c_cal", {
    status: 409,
    code: "calendar_in_use",
    holds: ["model c_cal_m"],
  }),
  { shows: "the model goes", request: "DELETE /models/c_cal_m", status: 204, type: null },
];

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_cal_m", status: [204, 404] },
  { shows: "a clean start", request: "DELETE /calendars/c_cal", status: [204, 404] },
  { shows: "create", request: path, body: calendar, status: 201, is: "success" },
  { shows: "replace", request: "PUT /calendars", body: calendar, status: 201, is: "success" },
  {
    shows: "the text, and what is next",
    request: "GET /calendars/c_cal",
    status: 200,
    has: [
      {
        name: "c_cal",
        ical,
        events: 1,
        next_events: Array.from({ length: 2 }, () => ({ summary: "New Year", all_day: true })),
      },
    ],
  },
  { shows: "HEAD", request: "HEAD /calendars/c_cal", status: 200 },
  {
    shows: "a list has no texts",
    request: "GET /calendars",
    status: 200,
    holds: ['"c_cal"'],
    lacks: ["VEVENT"],
  },
  { shows: "past the end", request: "GET /calendars?page=1000", status: 200, is: [] },
  {
    shows: "an unknown one",
    request: "GET /calendars/c_no",
    status: 404,
    holds: ["calendar c_no does not exist"],
  },
  ...wrong,
  { shows: "PATCH", request: "PATCH /calendars/c_cal", body: { ical }, status: 204, type: null },
  refuses("another name", "PATCH /calendars/c_cal", { path: "name", body: { name: "x" } }),
  refuses("nothing left", "PATCH /calendars/c_cal", { path: "", body: { ical: null } }),
  { shows: "PATCH of an unknown one", request: "PATCH /calendars/c_no", body: { ical }, status: 404 },
  refuses("a text has no address", "POST /calendars/c_cal/_refresh", {
    code: "not_supported",
    holds: ["PATCH"],
  }),
  { shows: "refresh of an unknown one", request: "POST /calendars/c_no/_refresh", status: 404 },
  {
    shows: "what is applied again is unchanged",
    request: "POST /_apply?dry_run=true",
    body: { resources: [{ kind: "calendar", settings: calendar }] },
    status: 200,
    has: { changes: [{ kind: "calendar", name: "c_cal", action: "none" }] },
  },
  ...used,
  { shows: "delete", request: "DELETE /calendars/c_cal", status: 204, type: null },
  { shows: "it is gone", request: "DELETE /calendars/c_cal", status: 404 },
];

export const calendars: Table = { noun: "calendars", rows };
