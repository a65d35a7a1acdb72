// The answer to a request that a job does the work of: the job's id at once, or its result when it has ended.
import { demandScope } from "../../core/access/token.ts";
import { parseBoolean } from "../../core/input/value.ts";
import { principalOf } from "./access.ts";
import type { AppDeps } from "./deps.ts";
import type { Params } from "./params.ts";

export interface Work {
  readonly wishes: Params;
  readonly request: Request;
  /** @param options `foreground`: the request waits, and the result is not kept beyond it */
  readonly submit: (options: { readonly foreground: boolean }) => Promise<{ jobId: string }>;
  /** Whether the id is the answer where `bg` does not say; default: the result is. */
  readonly inBackground?: boolean;
}

/** What looks only needs scope `read`; with `save_output_data` or `record` it writes. The id of the job with `bg=true`; otherwise what the same job answers in the end. */
export async function answerJob(
  { jobs, limits, holdOpen }: Pick<AppDeps, "jobs" | "limits" | "holdOpen">,
  { wishes, request, submit, inBackground = false }: Work,
) {
  const writes = ["save_output_data", "record"].some((name) => parseBoolean(wishes[name] ?? false, name));
  if (writes) demandScope(principalOf(request), "run");
  const background = parseBoolean(wishes.bg ?? inBackground, "bg");
  const { jobId } = await submit({ foreground: !background });
  if (background) return jobId;
  holdOpen(request);
  return jobs.wait(jobId, { deadlineMs: limits.deadlineMs, signal: request.signal });
}
