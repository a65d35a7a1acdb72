// Work of the server that a screen waits for.
import type { JobView } from "../../api/job.ts";
import { Problem } from "../api/client.ts";
import { request } from "./session.ts";

const POLL_MS = 300;

/**
 * Waits for the end of a job.
 * @param onProgress called with each state that was read
 * @throws Problem with the error of the job, or the reason of the signal
 */
export async function untilDone(
  id: string,
  signal: AbortSignal,
  onProgress: (job: JobView) => void = () => {},
): Promise<JobView> {
  for (;;) {
    const [job] = await request<readonly [JobView]>(`/jobs/${id}?fields=result&include_fields=false`, {
      signal,
    });
    onProgress(job);
    if (job.state === "done") return job;
    if (job.state === "failed" || job.state === "canceled")
      throw new Problem(500, job.state, job.error ?? job.state);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
