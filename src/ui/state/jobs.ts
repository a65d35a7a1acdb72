// Work of the server that a screen waits for: announced as it goes on, read now and then without announcements.
import type { JobView } from "../../api/job.ts";
import { Problem } from "../api/client.ts";
import { isFollowing, type JobReport, jobReports, onJob } from "./events.ts";
import { failureOf } from "./failure.ts";
import { request } from "./session.ts";

const POLL_MS = 300;
/** Between two reads while the server announces changes. */
const SLOW_MS = 10_000;

/** The job with the newest progress. */
export function withReport(job: JobView): JobView {
  const report = job.state === "running" ? jobReports.value.get(job.id) : undefined;
  return report ? { ...job, ...report } : job;
}

export function isOpen({ state }: Pick<JobView, "state">): boolean {
  return state === "running" || state === "waiting";
}

/** Of a job in all states, but for its result. */
const BRIEF = "?fields=result&include_fields=false";

/**
 * Waits for the end of a job. A lost connection shows in the shell: reads go on.
 * @param onProgress called with each state that was read or announced
 * @param query what is read
 * @throws Problem with the error of the job, or the reason of the signal
 */
export async function untilDone(
  id: string,
  signal: AbortSignal,
  onProgress: (job: JobView) => void = () => {},
  query = BRIEF,
): Promise<JobView> {
  let job: JobView | undefined;
  const watch = watchJob(id, signal, (report) => {
    if (job) onProgress({ ...job, ...report });
  });
  try {
    for (;;) {
      job = (await readJob(id + query, signal)) ?? job;
      if (job) onProgress(job);
      if (job?.state === "done") return job;
      if (job && !isOpen(job)) throw new Problem(500, job.state, failureOf(job) ?? job.state);
      await watch.next();
      signal.throwIfAborted();
    }
  } finally {
    watch.stop();
  }
}

/** Undefined where the server is out of reach. */
async function readJob(path: string, signal: AbortSignal): Promise<JobView | undefined> {
  try {
    return (await request<readonly [JobView]>(`/jobs/${path}`, { signal }))[0];
  } catch (error) {
    if (error instanceof Problem && error.status === 0) return undefined;
    throw error;
  }
}

/** `next` resolves when the state of the job may have changed since the last call. */
function watchJob(id: string, signal: AbortSignal, onReport: (report: JobReport) => void) {
  let news = Promise.withResolvers<void>();
  const onNews = () => news.resolve();
  const stop = onJob(id, (report) => (report ? onReport(report) : onNews()));
  signal.addEventListener("abort", onNews, { once: true });
  const next = async () => {
    const timer = setTimeout(onNews, isFollowing.value ? SLOW_MS : POLL_MS);
    await news.promise;
    clearTimeout(timer);
    news = Promise.withResolvers();
  };
  return { next, stop };
}
