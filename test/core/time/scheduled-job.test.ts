// Scheduled jobs: errors of definitions, and the next run.
import { describe, expect, test } from "bun:test";
import { checkRange, checkScheduledJob, nextRun } from "../../../src/core/time/scheduled-job.ts";
import { errorOf } from "../expect.ts";

const job = {
  name: "train m",
  method: "post",
  relative_url: "/models/m/_train",
  params: { from: "now-30d", max_evals: 5, continue: true },
  json: { a: [1, { b: null }] },
  every: { count: 2, unit: "hours", at: ":30" },
};

describe("accepts", () => {
  const cases: [string, object][] = [
    ["all of it", {}],
    ["the least", { params: undefined, json: undefined, every: { unit: "day" } }],
    ["brackets, spaces and letters of any language", { name: "_eval(m) [nächtlich] 夜 {{x}} a+b" }],
    ["256 characters of two units each", { name: "𝄞".repeat(256) }],
    ["an escaped space in the path", { relative_url: "/models/a%20b/_train" }],
    ["several names", { relative_url: "/models/a;b/_train" }],
    ["the root", { relative_url: "/" }],
    ["a path that only begins alike", { relative_url: "/scheduled_jobs_of_mine" }],
    [
      "dates in every form",
      { params: { from: "now-100y/y", to: "2026-01-31T12:00:00 02:00", since: "now-1x" } },
    ],
    ["dates as numbers, and none", { params: { from: 0, to: "" } }],
    ["cron", { every: { cron: "0 3 * * 1-5" } }],
    ["a time zone", { every: { cron: "0 3 * * 1-5", timezone: "Europe/Berlin" } }],
  ];
  test.each(cases)("%s", (_name, change) => {
    const body = JSON.parse(JSON.stringify({ ...job, ...change }));
    expect(checkScheduledJob(body)).toEqual(body);
  });

  test("drops the fields that a view adds, so that a view can be sent back", () => {
    const view = {
      ...job,
      ok: false,
      status_code: 404,
      error: "gone",
      last_run_timestamp: 1,
      next_run_timestamp: 2,
    };
    expect(checkScheduledJob(view) as object).toEqual(job);
  });
});

describe("refuses", () => {
  const cases: [string, object, string, string][] = [
    ["no name", { name: undefined }, "name", "is required"],
    ["an empty name", { name: "" }, "name", "1 to 256"],
    ["blanks alone", { name: "  " }, "name", "1 to 256"],
    ["257 characters", { name: "x".repeat(257) }, "name", "1 to 256"],
    ["a semicolon", { name: "a;b" }, "name", "printable"],
    ["a slash", { name: "a/b" }, "name", "printable"],
    ["a backslash, which no path could hold", { name: "a\\b" }, "name", "printable"],
    ["a line break", { name: "a\nb" }, "name", "printable"],
    ["a character that turns the text around", { name: "a\u202eb" }, "name", "printable"],
    ["half a character", { name: "a\ud834" }, "name", "printable"],
    ["two dots", { name: ".." }, "name", "printable"],
    ["a method in capitals", { method: "POST" }, "method", "in lower case"],
    ["put", { method: "put" }, "method", "must be one of head, get, post, patch, delete"],
    ["no path", { relative_url: "" }, "relative_url", "must start with one /"],
    ["a scheme", { relative_url: "http://example.org/" }, "relative_url", "must start with one /"],
    ["a host", { relative_url: "//example.org/x" }, "relative_url", "must start with one /"],
    ["a backslash", { relative_url: "/\\example.org" }, "relative_url", "backslashes"],
    ["an encoded backslash", { relative_url: "/%5Cexample.org" }, "relative_url", "encoded slash"],
    ["an encoded slash", { relative_url: "/%2Fexample.org" }, "relative_url", "encoded slash"],
    ["a line break", { relative_url: "/models\r\nHost: x" }, "relative_url", "control characters"],
    ["an encoded line break", { relative_url: "/models%0d%0aHost" }, "relative_url", "control characters"],
    [
      "a tab, which an address would lose",
      { relative_url: "/\t/example.org" },
      "relative_url",
      "must not hold",
    ],
    ["a query", { relative_url: "/models?x=1" }, "relative_url", "params"],
    ["a fragment", { relative_url: "/models#x" }, "relative_url", "fragment"],
    ["a bad escape", { relative_url: "/%zz" }, "relative_url", "UTF-8"],
    ["a way up", { relative_url: "/models/../buckets" }, "relative_url", "segments"],
    ["an encoded way up", { relative_url: "/models/%2e%2E/buckets" }, "relative_url", "segments"],
    ["scheduled jobs", { relative_url: "/scheduled_jobs" }, "relative_url", "must not be /scheduled_jobs"],
    ["them by an apply", { relative_url: "/_apply" }, "relative_url", "must not be /_apply"],
    ["one of them", { relative_url: "/scheduled_jobs/a" }, "relative_url", "must not be /scheduled_jobs"],
    [
      "them in disguise",
      { relative_url: "/%73cheduled_jobs/" },
      "relative_url",
      "must not be /scheduled_jobs",
    ],
    ["them by a detour", { relative_url: "/./scheduled_jobs" }, "relative_url", "segments"],
    ["a list of params", { params: ["a"] }, "params", "by name"],
    ["a param that is an object", { params: { a: {} } }, "params.a", "must be one of"],
    ["a param that is null", { params: { a: null } }, "params.a", "must be one of"],
    ["a param with a line break in its name", { params: { "a\nb": {} } }, "params", "printable"],
    ["a slip in a relative date", { params: { from: "now-1x" } }, "params.from", "must be a date"],
    ["a date that is none", { params: { from: "now-1d", to: "tomorrow" } }, "params.to", "must be a date"],
    ["a truth for a date", { params: { from: true } }, "params.from", "must be a date"],
    ["a body that is a list", { json: [1] }, "json", "JSON object"],
    ["no timetable", { every: undefined }, "every", "is required"],
    ["an empty timetable", { every: {} }, "every.unit", "is required"],
    ["count 0", { every: { count: 0, unit: "hours" } }, "every.count", "at least 1"],
    ["a count beyond all dates", { every: { count: 1e9, unit: "weeks" } }, "every.count", "at most 1000000"],
    ["half a count", { every: { count: 1.5, unit: "hours" } }, "every.count", "whole number"],
    ["an unknown unit", { every: { unit: "fortnight" } }, "every.unit", "must be one of"],
    ["a time that does not fit", { every: { unit: "hour", at: "12:00:00" } }, "every.at", "with hours"],
    ["a slip in the timetable", { every: { unit: "day", att: "12:00" } }, "every.att", "did you mean at?"],
    ["a bad cron text", { every: { cron: "x" } }, "every.cron", "five or six fields"],
    [
      "an unknown time zone",
      { every: { unit: "day", timezone: "Europe/Pariss" } },
      "every.timezone",
      "must be an IANA time zone",
    ],
    ["cron and more", { every: { cron: "0 3 * * *", unit: "day" } }, "every.unit", "together with cron"],
    ["a slip in a key", { relative_urll: "/" }, "relative_urll", "did you mean relative_url?"],
  ];
  test.each(cases)("%s", (_name, change, path, rule) => {
    const error = errorOf(() => checkScheduledJob(JSON.parse(JSON.stringify({ ...job, ...change }))));
    expect([error.code, error.details.path]).toEqual(["invalid", path]);
    expect(error.message).toContain(rule);
  });

  test.each([[null], [[]], ["x"], [1], [undefined]])("%j", (body) => {
    expect(errorOf(() => checkScheduledJob(body)).message).toContain("JSON object");
  });

  test("with the place in a file", () => {
    const body = { ...job, every: { unit: "hour", at: "x" } };
    expect(errorOf(() => checkScheduledJob(body, "scheduled_jobs.3")).details.path).toBe(
      "scheduled_jobs.3.every.at",
    );
  });
});

test.each([
  [{ unit: "day", at: "03:30" }, "UTC", "2026-06-01T03:30:00.000Z"],
  [{ unit: "day", at: "03:30" }, "Europe/Paris", "2026-06-01T01:30:00.000Z"],
  [{ cron: "30 3 * * *" }, "UTC", "2026-06-01T03:30:00.000Z"],
  [{ cron: "30 3 * * *" }, "Europe/Paris", "2026-06-01T01:30:00.000Z"],
  [{ unit: "day", at: "03:30", timezone: "Europe/Paris" }, "UTC", "2026-06-01T01:30:00.000Z"],
  [{ cron: "30 3 * * *", timezone: "Asia/Tokyo" }, "UTC", "2026-06-01T18:30:00.000Z"],
  [{ count: 10, unit: "seconds" }, "UTC", "2026-06-01T00:00:10.000Z"],
  [{ count: 1_000_000, unit: "weeks" }, "UTC", "+021135-05-06T00:00:00.000Z"],
])("%j in %s runs next at %s", (every, timezone, expected) => {
  const at = nextRun({ every }, Date.parse("2026-06-01T00:00:00Z"), timezone);
  expect(new Date(at).toISOString()).toBe(expected);
});

test("a range whose ends are in the wrong order is refused where both move alike", () => {
  for (const [from, to] of [
    ["now", "now-1d"],
    ["2030-01-01", 0],
  ] as const)
    expect(() => checkRange({ params: { from, to } })).toThrow("params.from: must not be after to");
  for (const params of [
    { from: "now-1d", to: "now" },
    { from: "2030-01-01", to: "now" },
    { from: "now" },
    {},
  ])
    expect(() => checkRange({ params })).not.toThrow();
});
