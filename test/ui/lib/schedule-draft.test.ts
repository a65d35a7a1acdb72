// Drafts of schedules: read from definitions and written back without a loss.
import { expect, test } from "bun:test";
import { check } from "../../../src/core/input/schema.ts";
import { ReportMail } from "../../../src/resources/report/request.ts";
import {
  readSchedule,
  reportDraft,
  summarizeSchedule,
  writeSchedule,
} from "../../../src/ui/lib/schedule-draft.ts";

const every = { unit: "day", at: "03:00" } as const;
const job = (relative_url: string, params: Record<string, string | number | boolean> = {}, rest = {}) => ({
  name: "j",
  method: "post" as const,
  relative_url,
  ...(Object.keys(params).length > 0 && { params }),
  every,
  ...rest,
});

const mail = (from?: string) => ({
  sender: { address: "torus@example.org" },
  to: [{ address: "ops@example.org", name: "Ops" }, { address: "b@example.org" }],
  ...(from && { from }),
});

test.each([
  [job("/models/a%20b/_train", { from: "now-30d" }), { kind: "train", model: "a b", range: "30d" }],
  [
    job("/models/m/_forecast", { to: "now+7d", output_bucket: "b", save_output_data: true, bg: true }),
    { kind: "forecast", model: "m", range: "7d", bucket: "b" },
  ],
  [job("/models/m/_start", { detect_anomalies: true }), { kind: "start", model: "m" }],
  [job("/models/m/_stop"), { kind: "stop", model: "m" }],
  [
    job("/report/_send", {}, { json: mail("now-7d") }),
    { kind: "report", range: "7d", to: "Ops <ops@example.org>, b@example.org", sender: "torus@example.org" },
  ],
])("%j is shown in fields", (definition, fields) => {
  const draft = readSchedule(definition);
  expect(draft).toMatchObject(fields as object);
  expect(writeSchedule(draft)).toEqual(definition);
});

test.each([
  job("/models/m/_train", { from: "now-30d", max_evals: "3" }),
  job("/models/m;n/_train", { from: "now-30d", seed: "1" }),
  job("/report/_send", {}, { json: mail("2026-01-01") }),
  job("/report/_send", {}, { json: { ...mail("now-7d"), to: [{ address: "a@b.org", name: "Doe, Jane" }] } }),
  job("/report/_send", {}, { json: { to: "ops" } }),
  job("/models/m/_train", { from: "2026-01-01" }),
  job("/models/m/_train", { from: "now-30d" }, { json: { epochs: 3 } }),
  job("/buckets/b/_test", {}, { method: "get" }),
])("%j stays a request, and loses nothing", (definition) => {
  const draft = readSchedule(definition);
  expect(draft.kind).toBe("request");
  expect(writeSchedule(draft)).toEqual(definition);
});

test("a body that is no JSON is sent as it was typed, for the server to refuse", () => {
  const draft = { ...readSchedule(job("/jobs", {}, { method: "get" })), body: "{" };
  expect(writeSchedule(draft).json as unknown).toBe("{");
});

test("a summary leaves out what it has no words for", () => {
  const definition = job("/models/m/_train", { from: "now-30d", guard: true });
  expect(summarizeSchedule(definition)).toEqual({ kind: "train", model: "m", range: "30d", bucket: "" });
  expect(summarizeSchedule(job("/models/m/_train", {}, { method: "get" }))).toBeUndefined();
});

test("models of one request, and a report without a range, have words", () => {
  const several = summarizeSchedule(job("/models/m;n/_train", { from: "2026-01-01" }));
  expect(several).toEqual({ kind: "train", model: "m;n", range: "", bucket: "" });
  expect(summarizeSchedule(job("/report/_send", {}, { json: mail() }))).toMatchObject({ range: "7d" });
});

test("the report of the week is a request that the server takes", () => {
  const draft = { ...reportDraft, to: "Ops <ops@example.org>", sender: "torus@example.org" };
  const { json, relative_url, every } = writeSchedule(draft);
  expect([relative_url, every]).toEqual(["/report/_send", { unit: "monday", at: "07:00" }]);
  expect(check(ReportMail, json)).toEqual(json as never);
});
