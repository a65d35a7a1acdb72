// Schemas of the state and progress of a job, shared by jobs and models.
import { Type } from "@sinclair/typebox";
import { jobStates } from "../core/job.ts";

export const JobState = Type.Union(jobStates.map((state) => Type.Literal(state)));

export const JobProgress = Type.Object(
  {
    eval: Type.Optional(Type.Integer({ description: "Hyper-parameter trial under way" })),
    max_evals: Type.Optional(Type.Integer()),
    epoch: Type.Optional(Type.Integer({ description: "Pass over the data, of this trial" })),
    epochs: Type.Optional(Type.Integer()),
    loss: Type.Optional(Type.Number()),
  },
  { $id: "JobProgress", description: "How far a running job is" },
);
