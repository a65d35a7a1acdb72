// The next runs of a timetable while it is edited, as the server counts them.
import { useEffect, useMemo } from "preact/hooks";
import type { TimetablePreviewView } from "../../../api/scheduled-job.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { request } from "../../state/session.ts";
import { ProblemNote } from "../notes.tsx";
import type { EveryValue } from "./every.tsx";

/** Milliseconds without a key before the server is asked. */
const PATIENCE_MS = 300;

export function NextRuns({ every }: { every: EveryValue }) {
  const key = JSON.stringify(every);
  const runs = useMemo(
    () =>
      createResource((signal) =>
        request<TimetablePreviewView>("/scheduled_jobs/_preview", {
          method: "POST",
          body: { every },
          signal,
        }),
      ),
    [key],
  );
  useEffect(() => {
    const timer = setTimeout(() => void runs.refresh(), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [runs]);
  const { value, problem } = runs.loaded.value;
  const { nextRuns } = texts.value.every;
  if (problem) return <ProblemNote problem={problem} />;
  return (
    <div class="next-runs" aria-live="polite">
      <small>{nextRuns(value?.timezone ?? "")}</small>
      <ul>
        {value?.runs.map((at) => (
          <li key={at}>{moments.value.whole(at)}</li>
        ))}
      </ul>
    </div>
  );
}
