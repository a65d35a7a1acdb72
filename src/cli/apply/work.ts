// Model actions of an apply: the first training of untrained models, start and stop of live detection.
import type { Live, ModelWork } from "../../core/apply/document.ts";
import { ApiError, JobError, pathOf } from "../client/client.ts";
import type { Model } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { followJob } from "../work/follow-job.ts";

/** One pending action on a model. */
export interface Step {
  readonly model: string;
  readonly action: "train" | "start" | "stop";
  readonly run: () => Promise<unknown>;
}

/** Pending steps, in the order of the models, trainings first; empty if every model matches its file. */
export async function planWork(context: Context, works: readonly ModelWork[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const work of works) steps.push(...stepsOf(context, work, await findModel(context, work.model)));
  const rank = ({ action }: Step) => (action === "train" ? 0 : 1);
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

function stepsOf(context: Context, { model, train, live }: ModelWork, found: Model | undefined): Step[] {
  const { client } = context;
  const path = pathOf("models", [model]);
  const steps: Step[] = [];
  if (train && !found?.state.trained)
    steps.push({
      model,
      action: "train",
      run: async () => {
        const { job_id, state } = found?.training ?? {};
        const isActive = job_id !== undefined && (state === "waiting" || state === "running");
        const id = isActive
          ? job_id
          : await context.lasting.call<string>(`POST ${path}/_train`, { body: train });
        await followJob(context, id, `train ${model}`);
      },
    });
  if (live === false && found?.live)
    steps.push({ model, action: "stop", run: () => client.call(`POST ${path}/_stop`) });
  if (live && !isStarted(live, found))
    steps.push({ model, action: "start", run: () => client.call(`POST ${path}/_start`, { body: live }) });
  return steps;
}

function isStarted(wanted: Live, found: Model | undefined): boolean {
  const run = found?.live && (found.settings.run as Live | undefined);
  if (!run) return false;
  const { output_bucket: bucket } = wanted;
  return (
    (wanted.detect_anomalies ?? false) === (run.detect_anomalies ?? false) &&
    (wanted.save_output_data ?? false) === (run.save_output_data ?? false) &&
    (bucket === undefined || !wanted.save_output_data || bucket === run.output_bucket)
  );
}

async function findModel({ client }: Context, model: string): Promise<Model | undefined> {
  return (await client.find<Model[]>(`GET ${pathOf("models", [model])}`))?.[0];
}

/** @returns the error message; undefined on success */
export async function runStep({ run }: Step): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.reason;
    if (error instanceof JobError) return error.message;
    throw error;
  }
}
