// Schemas of jobs, one component per type; `result` is always present, other fields only where they apply.
import { type TSchema, Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import type { JobType } from "../core/job.ts";
import { Backtest } from "./backtest.ts";
import { Detection, SeriesForecast } from "./detection.ts";
import { JobProgress, JobState } from "./job-state.ts";
import {
  FleetForecast,
  FleetPrediction,
  Forecast,
  GroupedReadResult,
  Prediction,
  ReadResult,
} from "./prediction.ts";
import { componentOf, oneOf, type Shown, seconds } from "./shown.ts";

const shared = {
  id: Type.String({ format: "uuid" }),
  state: JobState,
  result_omitted: Type.Optional(
    Type.Literal(true, {
      description:
        "The result was dropped: it was returned by the request, displaced by newer results, or is too large for this list",
    }),
  ),
  model: Type.Optional(Type.String()),
  error: optional.text("Problem and remedy; of a failed job"),
  code: optional.text("Stable, snake_case; of a failed job"),
  progress: Type.Optional(JobProgress),
  remaining_time: optional.number("Seconds"),
  duration: Type.Number({ description: "Seconds from the start to the end, or to now; 0 while waiting" }),
  start_date: Type.String({ format: "date-time", description: "Submission time while it waits" }),
  start_timestamp: seconds(),
  end_date: Type.Optional(Type.String({ format: "date-time" })),
  end_timestamp: Type.Optional(seconds()),
};

const WriteResult = Type.Object(
  { dropped: Type.Integer({ description: "Points that were not stored" }), reason: Type.String() },
  { $id: "WriteResult" },
);

const TrainingResult = Type.Object(
  { refused: Type.String({ description: "Why the new version did not take over: `retrain.guard`" }) },
  { $id: "TrainingResult" },
);

const results: Readonly<Record<JobType, readonly TSchema[]>> = {
  training: [TrainingResult],
  forecast: [Forecast, FleetForecast, SeriesForecast],
  prediction: [Prediction, FleetPrediction, Detection],
  read: [ReadResult, GroupedReadResult],
  write: [WriteResult],
  backtest: [Backtest],
};

function jobOf(type: JobType) {
  return Type.Object(
    {
      ...shared,
      type: Type.Literal(type),
      result: Type.Union([...results[type], Type.Null()], { description: "null until there is one" }),
    },
    { $id: `${componentOf("", type)}Job` },
  );
}

export const TrainingJob = jobOf("training");

export const Job = oneOf(
  "type",
  {
    training: TrainingJob,
    forecast: jobOf("forecast"),
    prediction: jobOf("prediction"),
    read: jobOf("read"),
    write: jobOf("write"),
    backtest: jobOf("backtest"),
  } satisfies Record<JobType, unknown>,
  { $id: "Job", description: "Work that a request submitted and the server does in the background" },
);

/** `result` has the type of the job's handler. */
export type JobView = Omit<Shown<typeof TrainingJob>, "type" | "result"> & {
  readonly type: JobType;
  readonly result: unknown;
};
export const JobId = Type.String({ format: "uuid", description: "Id of the job" });
