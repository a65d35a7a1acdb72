// Share of a job that is done, by trials and epochs; pure.
import type { JobView } from "../../api/job.ts";

/** Share of a training that is done, 0..1; undefined while it is unknown. */
export function shareOf(progress: JobView["progress"]): number | undefined {
  const { eval: trial = 0, max_evals: trials = 1, epoch = 0, epochs } = progress ?? {};
  return epochs ? Math.min(1, (trial + epoch / epochs) / trials) : undefined;
}
