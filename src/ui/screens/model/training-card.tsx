// The training under way: progress, time left, cancel; of one that failed, its sentence.
import { useEffect, useMemo } from "preact/hooks";
import type { JobView } from "../../../api/job.ts";
import { Problem } from "../../api/client.ts";
import { formatSpan } from "../../lib/format.ts";
import { nameOf } from "../../lib/model-state.ts";
import { useAction } from "../../parts/action.ts";
import { JobProgress } from "../../parts/job-progress.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { failureOf } from "../../state/failure.ts";
import { isOpen, withReport } from "../../state/jobs.ts";
import { numbers, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { may, request } from "../../state/session.ts";

const POLL_MS = 2000;

interface CardProps extends Pick<ModelTabProps, "model"> {
  readonly onAgain: () => void;
}

export function TrainingCard({ model, onAgain }: CardProps) {
  const name = nameOf(model);
  const training = useMemo(() => createResource((signal) => readTraining(name, signal)), [name]);
  const isActive = model.training !== undefined && isOpen(model.training);
  useEffect(() => training.follow(isActive ? POLL_MS : 10 * POLL_MS, ["job"]), [training, isActive]);
  const read = training.loaded.value.value;
  const job = read && withReport(read);
  if (job?.state === "failed") return <Failed job={job} onAgain={onAgain} />;
  if (job && isOpen(job)) return <Progress job={job} onCanceled={() => void training.refresh()} />;
  return null;
}

/** Undefined before the first training. */
async function readTraining(name: string, signal: AbortSignal): Promise<JobView | undefined> {
  try {
    return await request<JobView>(`/models/${encodeURIComponent(name)}/training`, { signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

function Progress({ job, onCanceled }: { job: JobView; onCanceled: () => void }) {
  const { cancel, left, jobTypes, jobStates, versionsPage } = texts.value;
  const { waiting, trial, epoch, loss, phases } = versionsPage;
  const progress = job.progress ?? {};
  const { eval: number = 0, max_evals: trials = 0, epoch: pass, epochs, loss: current } = progress;
  const { phase, series = 0, max_series: all = 0 } = progress;
  const action = useAction();
  const stop = async () => {
    await action.run(() => request(`/jobs/${job.id}/_cancel`, { method: "POST" }));
    onCanceled();
  };
  const facts = [
    job.state === "waiting" && waiting,
    phase && phases[phase](Math.min(all, series + 1), all),
    epochs !== undefined && trial(Math.min(trials, number + 1), trials),
    pass !== undefined && epochs !== undefined && epoch(pass, epochs),
    current !== undefined && loss(numbers.value.one(current)),
    job.remaining_time !== undefined && left(formatSpan(job.remaining_time * 1000)),
  ].filter(Boolean);
  return (
    <section class="card training" aria-label={jobTypes.training}>
      <strong>{`${jobTypes.training}, ${jobStates[job.state]}`}</strong>
      <JobProgress progress={progress} label={jobTypes.training} />
      <span class="quiet">{facts.join(" · ")}</span>
      {may.value("run") && (
        <button type="button" disabled={action.isBusy.value} onClick={() => void stop()}>
          {cancel}
        </button>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </section>
  );
}

function Failed({ job, onAgain }: { job: JobView; onAgain: () => void }) {
  const { failed } = texts.value.versionsPage;
  return (
    <div class="note problem" role="alert">
      <p>
        <strong>{failed}</strong> {failureOf(job)}
      </p>
      {may.value("run") && (
        <button type="button" onClick={onAgain}>
          {texts.value.again}
        </button>
      )}
    </div>
  );
}
