// Answers of routes that submit a job: the job id with `bg=true`, otherwise the result.
import { assertScope } from "../../core/access/token.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { principalOf } from "./access.ts";
import type { AppDeps } from "./deps.ts";
import type { Params } from "./params.ts";

export interface JobRequest {
  readonly params: Params;
  readonly request: Request;
  /** @param options `foreground`: the request waits, and the result is not stored */
  readonly submit: (options: { readonly foreground: boolean }) => Promise<{ jobId: string }>;
  /** Default of `bg`; absent: false. */
  readonly inBackground?: boolean;
}

/**
 * Submits a job; waits for its result unless it runs in the background.
 * @throws TorusError `forbidden` where `save_output_data` or `record` write without scope `run`
 */
export async function answerJob(
  { jobs, limits, holdOpen }: Pick<AppDeps, "jobs" | "limits" | "holdOpen">,
  { params, request, submit, inBackground = false }: JobRequest,
) {
  const writes = ["save_output_data", "record"].some((name) => parseBoolean(params[name] ?? false, name));
  if (writes) assertScope(principalOf(request), "run");
  const background = parseBoolean(params.bg ?? inBackground, "bg");
  const { jobId } = await submit({ foreground: !background });
  if (background) return jobId;
  holdOpen(request);
  return jobs.wait(jobId, { deadlineMs: limits.deadlineMs, signal: request.signal });
}
