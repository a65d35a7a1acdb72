// Schemas of scheduled jobs: definition, and outcome of the last run.
import { Type } from "@sinclair/typebox";
import { ScheduledJob as Definition, JobEvery } from "../core/time/scheduled-job.ts";
import { type Shown, seconds } from "./shown.ts";

export const ScheduledJob = Type.Object(
  {
    ...Definition.properties,
    ok: Type.Optional(Type.Boolean({ description: "Whether the last run succeeded", readOnly: true })),
    status_code: Type.Optional(Type.Integer({ description: "HTTP status of the last run", readOnly: true })),
    error: Type.Optional(Type.String({ description: "Error of the last run", readOnly: true })),
    code: Type.Optional(Type.String({ description: "Code of the error, as in answers", readOnly: true })),
    last_run_timestamp: Type.Optional(seconds()),
    next_run_timestamp: seconds(),
  },
  { $id: "ScheduledJob" },
);
export type ScheduledJobView = Shown<typeof ScheduledJob>;

export const TimetablePreview = Type.Object(
  {
    timezone: Type.String({ description: "IANA time zone of times of day" }),
    runs: Type.Array(seconds(), { description: "The next runs, seconds since the epoch" }),
  },
  { $id: "TimetablePreview" },
);
export type TimetablePreviewView = Shown<typeof TimetablePreview>;

export const TimetableInput = Type.Object(
  { every: JobEvery },
  { $id: "TimetableInput", additionalProperties: false },
);

export const ScheduledJobInput = Type.Object(Definition.properties, {
  $id: "ScheduledJobInput",
  additionalProperties: false,
});

export const ScheduledJobChange = Type.Partial(Definition, { $id: "ScheduledJobChange" });
