// Bar of a running job: by trials and epochs; without an end while these are unknown.
import type { JobView } from "../../api/job.ts";

interface JobProgressProps {
  readonly progress: JobView["progress"];
  readonly label: string;
}

export function JobProgress({ progress, label }: JobProgressProps) {
  const { eval: trial = 0, max_evals: trials = 1, epoch = 0, epochs } = progress ?? {};
  const share = epochs ? (trial + epoch / epochs) / trials : undefined;
  return <progress {...(share !== undefined && { value: Math.min(1, share) })} max={1} aria-label={label} />;
}
