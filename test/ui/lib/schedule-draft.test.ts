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

test.each([
  [job("/models/a%20b/_train", { from: "now-30d" }), { kind: "train", model: "a b", range: "30d" }],
  [
    job("/models/m/_forecast", { to: "now+7d", output_bucket: "b", save_output_data: true, bg: true }),
    { kind: "forecast", model: "m", range: "7d", bucket: "b" },
  ],
  [job("/models/m/_start", { detect_anomalies: true }), { kind: "start", model: "m" }],
  [job("/models/m/_stop"), { kind: "stop", model: "m" }],
])("%j is shown in fields", (definition, fields) => {
  const draft = readSchedule(definition);
  expect(draft).toMatchObject(fields as object);
  expect(writeSchedule(draft)).toEqual(definition);
});

test.each([
  job("/models/m/_train", { from: "now-30d", max_evals: "3" }),
  job("/models/m;n/_train", { from: "now-30d" }),
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

test("the report of the week is a request that the server takes", () => {
  const { json, relative_url, every } = writeSchedule(reportDraft);
  expect([relative_url, every]).toEqual(["/report/_send", { unit: "monday", at: "07:00" }]);
  expect(check(ReportMail, json)).toEqual(json as never);
});
