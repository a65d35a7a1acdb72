// Bar of a running job: by trials and epochs; without an end while these are unknown.
import type { JobView } from "../../api/job.ts";
import { shareOf } from "../lib/progress.ts";

interface JobProgressProps {
  readonly progress: JobView["progress"];
  readonly label: string;
}

export function JobProgress({ progress, label }: JobProgressProps) {
  const share = shareOf(progress);
  return <progress {...(share !== undefined && { value: share })} max={1} aria-label={label} />;
}
