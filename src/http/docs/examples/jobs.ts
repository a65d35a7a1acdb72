// Examples of jobs and scheduled jobs.
import { type ApiExample, job } from "./shared.ts";

const scheduledJob = {
  name: "train load",
  method: "post",
  relative_url: "/models/load/_train",
  params: { from: "now-30d" },
  every: { unit: "day", at: "03:00" },
};

export const jobsExamples: Readonly<Record<string, ApiExample>> = {
  "GET /jobs": { id: "listJobs", response: [job] },
  "GET /jobs/:names": { id: "getJobs", response: [job] },
  "POST /jobs/:names/_cancel": { id: "cancelJobs" },
  "POST /jobs/:names/_retry": { id: "retryJobs", response: ["3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10"] },
  "GET /scheduled_jobs": {
    id: "listScheduledJobs",
    response: [{ ...scheduledJob, next_run_timestamp: 1769914800 }],
  },
  "POST /scheduled_jobs": { id: "putScheduledJob", request: scheduledJob, response: "success" },
  "POST /scheduled_jobs/_preview": {
    id: "previewTimetable",
    request: { every: { unit: "day", at: "03:00" } },
    response: { timezone: "UTC", runs: [1769914800, 1770001200, 1770087600, 1770174000, 1770260400] },
  },
  "POST /scheduled_jobs/:names/_run": { id: "runScheduledJobs" },
  "DELETE /scheduled_jobs": { id: "deleteAllScheduledJobs" },
  "GET /scheduled_jobs/:names": {
    id: "getScheduledJobs",
    response: [
      {
        ...scheduledJob,
        ok: true,
        status_code: 200,
        last_run_timestamp: 1769828400,
        next_run_timestamp: 1769914800,
      },
    ],
  },
  "PATCH /scheduled_jobs/:names": { id: "changeScheduledJobs", request: { every: { cron: "0 3 * * 1-5" } } },
  "DELETE /scheduled_jobs/:names": { id: "deleteScheduledJobs" },
};
