// Contract rows of /scheduled_jobs: names with spaces and brackets, timetables, refusals.
import { type Row, refuses, type Table } from "./suite.ts";

const job = {
  name: "c_train (m)",
  method: "post",
  relative_url: "/models/m/_train",
  params: { from: "now-30d", max_evals: 5, continue: true },
  json: { epochs: 10 },
  every: { count: 1, unit: "day", at: "03:30" },
};
const plus = { name: "c_a+b", method: "get", relative_url: "/jobs", every: { cron: "*/5 * * * *" } };
const asked = "/scheduled_jobs/c_train+(m)";

const refusals: readonly [string, object, string, string][] = [
  ["no timetable", { every: undefined }, "every", "is required"],
  ["another server", { relative_url: "http://example.org/x" }, "relative_url", "start with one /"],
  ["a slip in a key", { relative_ur: "/" }, "relative_ur", "did you mean relative_url?"],
];

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /scheduled_jobs", status: 204, type: null },
  { shows: "no scheduled jobs", request: "GET /scheduled_jobs", status: 200, is: [] },
  { shows: "create", request: "POST /scheduled_jobs", body: job, status: 201, is: "success" },
  { shows: "create it again replaces it", request: "POST /scheduled_jobs", body: job, status: 201 },
  { shows: "another", request: "POST /scheduled_jobs", body: plus, status: 201 },
  ...refusals.map(([shows, change, path, text]) =>
    refuses(`refuses ${shows}`, "POST /scheduled_jobs", {
      path,
      body: { ...job, name: "c_bad", ...change },
      holds: [text],
    }),
  ),
  {
    shows: "a plus is a space, and the next run is shown",
    request: `GET ${asked}`,
    status: 200,
    has: [{ ...job, next_run_timestamp: Number.NaN }].map(({ next_run_timestamp: _, ...rest }) => rest),
    holds: ['"next_run_timestamp":'],
    lacks: ["last_run_timestamp", '"ok"', "status_code"],
  },
  { shows: "as is an escaped space", request: "HEAD /scheduled_jobs/c_train%20%28m%29", status: 200 },
  { shows: "an escaped plus is a plus", request: "GET /scheduled_jobs/c_a%2Bb", status: 200, has: [plus] },
  { shows: "a plain one is not", request: "HEAD /scheduled_jobs/c_a+b", status: 404 },
  {
    shows: "names in the order of the URL, duplicates kept",
    request: "GET /scheduled_jobs/c_a%2Bb;c_train+(m)%3Bc_a%2Bb?fields=name&include_fields=true",
    status: 200,
    is: [{ name: "c_a+b" }, { name: "c_train (m)" }, { name: "c_a+b" }],
  },
  refuses("an unknown one among them", "GET /scheduled_jobs/c_a%2Bb;c_x", { status: 404, holds: ["c_x"] }),
  {
    shows: "all of them, sorted",
    request: "GET /scheduled_jobs?sort=name:-1&fields=name&include_fields=true",
    status: 200,
    is: [{ name: "c_train (m)" }, { name: "c_a+b" }],
  },
  { shows: "past the end", request: "GET /scheduled_jobs?page=9", status: 200, is: [] },
  {
    shows: "change",
    request: `PATCH ${asked}`,
    body: { json: null, every: { count: 6, unit: "hours", at: ":15" } },
    status: 204,
    type: null,
  },
  {
    shows: "it is changed",
    request: `GET ${asked}?fields=next_run_timestamp`,
    status: 200,
    is: [
      {
        name: job.name,
        method: job.method,
        relative_url: job.relative_url,
        params: job.params,
        every: { count: 6, unit: "hours", at: ":15" },
      },
    ],
  },
  {
    shows: "the next runs of a timetable",
    request: "POST /scheduled_jobs/_preview",
    body: { every: { unit: "day", at: "03:00" } },
    status: 200,
    has: { timezone: "UTC" },
  },
  refuses("a timetable without a unit", "POST /scheduled_jobs/_preview", {
    path: "every.unit",
    body: { every: {} },
  }),
  refuses("a preview of nothing", "POST /scheduled_jobs/_preview", { path: "every", body: {} }),
  { shows: "pause", request: `PATCH ${asked}`, body: { enabled: false }, status: 204, type: null },
  { shows: "it is paused", request: `GET ${asked}`, status: 200, has: [{ enabled: false }] },
  { shows: "run it now", request: `POST ${asked}/_run`, status: 204, type: null },
  refuses("a run of a missing one", "POST /scheduled_jobs/c_x/_run", { status: 404, holds: ["c_x"] }),
  { shows: "go on", request: `PATCH ${asked}`, body: { enabled: null }, status: 204, type: null },
  refuses("a bad change", `PATCH ${asked}`, { path: "every.unit", body: { every: {} } }),
  refuses("another name", `PATCH ${asked}`, { path: "name", body: { name: "x" } }),
  { shows: "a change of nothing", request: "PATCH /scheduled_jobs/c_x", body: {}, status: 404 },
  { shows: "delete", request: `DELETE ${asked}`, status: 204, type: null },
  { shows: "delete a missing one", request: `DELETE ${asked}`, status: 204, type: null },
  { shows: "delete all", request: "DELETE /scheduled_jobs", status: 204, type: null },
  { shows: "none is left", request: "GET /scheduled_jobs", status: 200, is: [] },
];

export const scheduledJobs: Table = { noun: "scheduled jobs", rows };
