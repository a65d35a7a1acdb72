// Schemas of the state and progress of a job, shared by jobs and models.
import { Type } from "@sinclair/typebox";
import { optional } from "../core/input/optional.ts";
import { oneOfWords } from "../core/input/words.ts";
import { fleetPhases, jobStates } from "../core/job.ts";

export const JobState = oneOfWords(jobStates);

export const JobProgress = Type.Object(
  {
    eval: optional.integer(
      "Hyper-parameter trial under way; without trials, the hundredths of the job that are done",
    ),
    max_evals: Type.Optional(Type.Integer()),
    epoch: optional.integer("Pass over the data, of this trial"),
    epochs: Type.Optional(Type.Integer()),
    loss: Type.Optional(Type.Number()),
    phase: Type.Optional(
      oneOfWords(fleetPhases, {
        description: "What the training of a fleet does with its series, before and after the trials",
      }),
    ),
    series: optional.integer("Series that this phase is done with"),
    max_series: Type.Optional(Type.Integer()),
    fraction: optional.number("Share of the whole job that is done, 0 to 1"),
  },
  { $id: "JobProgress", description: "How far a running job is" },
);
