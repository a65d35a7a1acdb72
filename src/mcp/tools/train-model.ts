// Tool `train_model`: trains a model, waits a while, and answers the outcome or the job that goes on.
import { Type } from "@sinclair/typebox";
import type { JobView } from "../../api/job.ts";
import type { ModelView } from "../../api/model.ts";
import { type ErrorCode, errorCodes, TorusError } from "../../core/errors.ts";
import { isFinal } from "../../core/job.ts";
import { trainParameters } from "../../resources/models/request.ts";
import { modelArgument } from "../arguments.ts";
import { defineTool, type ToolContext, type ToolResult } from "../tool.ts";
import { roundAll } from "../views/values.ts";

/** Seconds: clients give up after a minute where they are not told otherwise. */
const waits = { usual: 30, most: 300 } as const;

export const trainModel = defineTool({
  name: "train_model",
  title: "Train a model",
  description:
    "Trains a model on a range, which makes a new active version; earlier ones are kept. Two weeks or more are good, as " +
    "in from: now-30d. It waits for the end up to `wait_seconds`; a longer training goes on in the background, and " +
    "show_model has its progress.",
  scope: "run",
  effect: "adds",
  isIdempotent: false,
  input: Type.Object(
    {
      model: modelArgument,
      ...trainParameters,
      from: Type.Optional(trainParameters.from, false),
      wait_seconds: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: waits.most,
          description: `Longest wait for the end; default ${waits.usual}`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: async ({ model, wait_seconds: wait = waits.usual, ...params }, context) => {
    const { models, jobs, deadlineMs, signal } = context;
    const [jobId] = await models.trainAll([model], params);
    const limits = { deadlineMs: Math.min(wait * 1000, deadlineMs), signal };
    const job = await jobs.follow(jobId!, limits);
    return isFinal(job.state) ? showEnd(model, job, context) : showRunning(model, job);
  },
});

function showRunning(model: string, job: JobView): ToolResult {
  const { id, state, progress, remaining_time: remaining } = job;
  return {
    summary: `The training of ${model} is ${state}, job ${id}; it goes on: ask show_model for its progress.`,
    data: roundAll({
      model,
      job_id: id,
      job_state: state,
      ...(progress && { progress }),
      ...(remaining !== undefined && { remaining_s: remaining }),
    }),
  };
}

/** @throws TorusError the error of a failed job, `canceled` */
async function showEnd(model: string, job: JobView, { models }: ToolContext): Promise<ToolResult> {
  const { id, state, duration, result } = job;
  if (state !== "done") throw errorOf(job);
  const [view] = (await models.get([model])).entries as [ModelView];
  return {
    summary: `The training of ${model} is done after ${Math.round(duration)} s.`,
    data: {
      model,
      job_id: id,
      job_state: state,
      duration_s: duration,
      ...(result !== null && { result }),
      training: roundAll(view.state),
    },
  };
}

function errorOf({ id, state, code, error }: JobView): TorusError {
  if (state === "canceled") return new TorusError("canceled", `job ${id} was canceled`, { job_id: id });
  const known = errorCodes.find((each): each is ErrorCode => each === code) ?? "internal";
  return new TorusError(known, error ?? "the training failed", { job_id: id });
}
