// Bar of a running job; without an end while its share is unknown.
import type { JobView } from "../../api/job.ts";

interface JobProgressProps {
  readonly progress: JobView["progress"];
  readonly label: string;
}

export function JobProgress({ progress, label }: JobProgressProps) {
  const share = progress?.fraction;
  return <progress {...(share !== undefined && { value: share })} max={1} aria-label={label} />;
}
