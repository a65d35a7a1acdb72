// Verification of tried thresholds by a backtest, which trains on a part of the past and detects in the rest.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BacktestView } from "../../../../api/backtest.ts";
import type { JobView } from "../../../../api/job.ts";
import type { Thresholds } from "../../../../core/anomaly/state.ts";
import { useAction } from "../../../parts/action.ts";
import { JobProgress } from "../../../parts/job-progress.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { TableHead } from "../../../parts/table.tsx";
import { failureOf } from "../../../state/failure.ts";
import { isOpen, untilDone } from "../../../state/jobs.ts";
import { numbers, texts } from "../../../state/preferences.ts";
import { may, request } from "../../../state/session.ts";

interface VerificationProps {
  readonly name: string;
  readonly tried: Thresholds;
  /** Of the range. */
  readonly days: number;
  readonly onChoose: (thresholds: Thresholds) => void;
}

export function Verification({ name, tried, days, onChoose }: VerificationProps) {
  const own = texts.value.tune;
  const action = useAction();
  const id = useSignal<string | undefined>(undefined);
  const job = useSignal<JobView | undefined>(undefined);
  useEffect(() => {
    if (id.value === undefined) return;
    const ending = new AbortController();
    // A failure shows with the job.
    untilDone(id.value, ending.signal, (view) => (job.value = view), "").catch(() => undefined);
    return () => ending.abort();
  }, [id.value]);
  if (!may.value("run")) return null;
  const isBusy = job.value !== undefined && isOpen(job.value);
  const start = () =>
    action.run(async () => {
      const { max, min } = tried;
      const body = { from: `now-${days}d`, max_evals: 1, max_threshold: max, min_threshold: min, bg: true };
      const path = `/models/${encodeURIComponent(name)}/_backtest`;
      id.value = await request<string>(path, { method: "POST", body });
    });
  return (
    <section class="card" aria-labelledby="verify-title">
      <h2 id="verify-title">{own.verify}</h2>
      <p class="quiet">{own.verifyWhat}</p>
      <p class="actions">
        <button type="button" disabled={isBusy || action.isBusy.value} onClick={() => void start()}>
          {own.verifyStart}
        </button>
        {isBusy && <JobProgress progress={job.value!.progress} label={own.verify} />}
        {isBusy && (
          <button
            type="button"
            onClick={() => void request(`/jobs/${job.value!.id}/_cancel`, { method: "POST" })}
          >
            {texts.value.cancel}
          </button>
        )}
      </p>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {job.value?.state === "failed" && (
        <p class="bad" role="alert">
          {failureOf(job.value)}
        </p>
      )}
      {job.value?.state === "done" && job.value.result && (
        <Result result={job.value.result as BacktestView} onChoose={onChoose} />
      )}
    </section>
  );
}

function Result({ result, onChoose }: { result: BacktestView } & Pick<VerificationProps, "onChoose">) {
  const own = texts.value.tune;
  const { best, suggestion, alerts_per_week: rows, episodes, thresholds } = result;
  const percent = (share: number | undefined) => (share === undefined ? "–" : `${Math.round(share * 100)} %`);
  const choose = ({
    max_threshold: max,
    min_threshold: min,
  }: {
    max_threshold: number;
    min_threshold: number;
  }) => onChoose({ max, min });
  return (
    <>
      <p role="status">{own.verified(episodes.length, numbers.value.one(thresholds.max))}</p>
      <p class="actions">
        {best && (
          <button type="button" onClick={() => choose(best)}>
            {own.best(numbers.value.one(best.max_threshold))}
          </button>
        )}
        {suggestion && (
          <button type="button" onClick={() => choose(suggestion)}>
            {own.suggestion(numbers.value.one(suggestion.max_threshold))}
          </button>
        )}
      </p>
      <table>
        <TableHead titles={Object.values(own.columns)} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.max_threshold}>
              <th scope="row">{numbers.value.one(row.max_threshold)}</th>
              <td>{numbers.value.fixed(row.per_week, 1)}</td>
              <td>{percent(row.precision)}</td>
              <td>{percent(row.recall)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
