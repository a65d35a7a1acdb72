// Schemas of the state and progress of a job, shared by jobs and models.
import { Type } from "@sinclair/typebox";
import { fleetPhases, jobStates } from "../core/job.ts";

export const JobState = Type.Union(jobStates.map((state) => Type.Literal(state)));

export const JobProgress = Type.Object(
  {
    eval: Type.Optional(Type.Integer({ description: "Hyper-parameter trial under way" })),
    max_evals: Type.Optional(Type.Integer()),
    epoch: Type.Optional(Type.Integer({ description: "Pass over the data, of this trial" })),
    epochs: Type.Optional(Type.Integer()),
    loss: Type.Optional(Type.Number()),
    phase: Type.Optional(
      Type.Union(
        fleetPhases.map((phase) => Type.Literal(phase)),
        { description: "What the training of a fleet does with its series, before and after the trials" },
      ),
    ),
    series: Type.Optional(Type.Integer({ description: "Series that this phase is done with" })),
    max_series: Type.Optional(Type.Integer()),
    fraction: Type.Optional(Type.Number({ description: "Share of the whole job that is done, 0 to 1" })),
  },
  { $id: "JobProgress", description: "How far a running job is" },
);
